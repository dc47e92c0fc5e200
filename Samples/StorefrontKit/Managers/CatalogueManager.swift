import DiscreteNetworking
import Foundation

/// The shop's printed catalogue, as a file that goes on where it stopped. No params.
final class CatalogueManager: APIManager<DownloadedFile> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "catalogue"
    let requestType = HTTPMethod.get

    /// Where it goes.
    var destination: URL?
    /// What the shop prints beside the link.
    var checksum: Checksum?

    override var download: Download? { destination.map { Download(to: $0, checksum: checksum) } }
}
