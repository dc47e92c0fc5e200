import Foundation

extension ResponseBody {
    /// The body piece by piece, whatever shape it came in: a transport of an app's own may know memory only.
    package var pieces: AsyncThrowingStream<Data, any Error> {
        switch self {
        case .data(let data): RequestBody.data(data).pieces
        case .file(let url): RequestBody.file(url).pieces
        case .stream(let stream): stream
        }
    }

    /// The whole body in memory; `nil` where it has more bytes than allowed.
    package func collect(limit: Int) async throws -> Data? {
        if case .data(let data) = self { return data.count <= limit ? data : nil }
        let pieces = pieces
        var data = Data()
        while let piece = try await pieces.next() {
            guard piece.count <= limit - data.count else { return nil }
            data += piece
        }
        return data
    }
}

extension TransportResponse {
    /// The response without its body.
    package var head: TransportResponse {
        var head = self
        head.body = .data(Data())
        return head
    }
}
