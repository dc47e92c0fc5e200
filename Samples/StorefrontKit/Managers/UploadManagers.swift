import DiscreteNetworking
import Foundation

nonisolated struct UploadTicket: Decodable, Sendable {
    /// Where the file may be sent, for a while, by whoever has the URL.
    let url: URL
}

/// Asks the shop where a file may be sent. Params: its `name`.
final class UploadTicketManager: APIManager<UploadTicket> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "uploads"
    let requestType = HTTPMethod.post
}

/// Sends a file to the URL of a ticket, with ``loadData(at:with:)``. What is the shop's own, such as its token, does not go
/// to that server.
final class UploadManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "uploads"
    let requestType = HTTPMethod.put

    /// The file.
    var file: URL?

    override var encoding: (any ParamEncoding)? { file.map { .file($0, contentType: "image/jpeg") } }
}
