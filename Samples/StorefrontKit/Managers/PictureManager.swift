import DiscreteNetworking
import Foundation

nonisolated struct ReceivedPicture: Decodable, Sendable {
    /// The size of the whole form, in bytes.
    let received: Int
}

/// Sends a picture for a review. Params: `id`, and `caption`, which goes into the form.
final class PictureManager: APIManager<ReceivedPicture> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "reviews/{id}/pictures"
    let requestType = HTTPMethod.post

    /// The picture.
    var file: URL?

    override var encoding: (any ParamEncoding)? {
        .multipart(MultipartForm(file.map { [.file($0, named: "picture", contentType: "image/jpeg")] } ?? []))
    }
}
