import DiscreteNetworkingJSON
import Foundation

extension Description {
    /// Reads a description, or recorded traffic in its place.
    convenience init(at location: String, loader: DocumentLoader = DocumentLoader()) throws(GeneratorError) {
        let url = DocumentLoader.url(of: location)
        let (document, size) = try loader.document(at: url)
        let place = Place(document: DocumentLoader.name(url), pointer: [])
        let recorded = try RecordedTraffic(document, at: place)
        try self.init(recorded?.description ?? document, at: url, loader: loader, size: size)
    }
}
