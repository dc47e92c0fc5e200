import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// What is kept of a request that was sent, and of the response to it.
struct RecordedExchange: Sendable {
    let attempt: Int
    let date: Date
    /// When it was sent, in seconds since the start of the call.
    let start: TimeInterval
    /// The request, with the kept part of its body.
    let request: APIRequest
    /// The length of the whole body as sent; `nil` if unknown.
    let requestSize: Int?
    /// The length of the whole body before it was compressed; `nil` if unknown.
    let uncompressedSize: Int?
    /// When the response was received or the exchange failed; `nil` before.
    var end: TimeInterval?
    var response: RecordedResponse?
    /// Why there is no response, or why the response is a failure, without secrets.
    var error: String?
    /// Whether the response is that to an identical request.
    var isShared = false
    /// Why it was sent although a response might have been there, as sentences.
    var comment: String?
    /// The approximate size in memory, without the response and the error.
    private let requestBytes: Int

    var bytes: Int {
        requestBytes + (response?.bytes ?? 0) + (error?.utf8.count ?? 0) + (comment?.utf8.count ?? 0)
    }

    init(_ request: APIRequest, attempt: Int, date: Date, elapsed: TimeInterval, bodyLimit: Int) {
        self.attempt = attempt
        self.date = date
        start = elapsed
        self.request = request.recorded(bodyLimit: bodyLimit)
        requestSize = request.body.size
        uncompressedSize = request.uncompressed.body.size
        requestBytes = 1024 + self.request.bytes
    }

    mutating func receive(_ response: RecordedResponse, at elapsed: TimeInterval) {
        self.response = response
        end = elapsed
    }
}

/// What is kept of a response.
struct RecordedResponse: Sendable {
    let status: Int
    let headers: HTTPFields
    /// The kept part of the body.
    let body: Data
    /// The size of the whole body, after decompression; `nil` if unknown, as of a stream.
    private(set) var size: Int?
    /// The name of the file that the body was written to; `nil` if there is none.
    private(set) var fileName: String?
    let metrics: TransportMetrics?

    var bytes: Int { 512 + headers.bytes + body.count }

    init(_ response: APIResponse, to destination: ResponseDestination, bodyLimit: Int) {
        status = response.status
        headers = response.headers
        // Of a body that was not decoded nobody knows what is secret.
        body = response.hidesBody ? Data() : Self.kept(response.body, limit: bodyLimit)
        size =
            switch destination {
            case .memory: response.body.count
            // Only a refused response has its body in memory.
            case .file, .stream: response.body.isEmpty ? nil : response.body.count
            }
        metrics = response.metrics
    }

    /// Creates a redirect, without its body.
    init(_ redirect: TransportResponse) {
        status = redirect.status
        headers = redirect.headers
        body = Data()
        size = 0
        metrics = redirect.metrics
    }

    /// Records a download: the size of what this response added to the file.
    mutating func keep(_ file: DownloadedFile) {
        size = Int(clamping: file.byteCount - file.resumedByteCount)
        fileName = file.url.lastPathComponent
    }

    /// What is kept beyond the limit, to find secrets at the cut; see ``HTTPArchive``.
    static let reserve = 8 << 10

    /// A copy of the body, or of its beginning if it is large: it may be a slice, which would keep all of what it is from in
    /// memory.
    static func kept(_ data: Data, limit: Int) -> Data {
        let count = data.count <= limit ? data.count : min(data.count, limit + reserve)
        return data.subdata(in: data.startIndex..<data.startIndex + count)
    }
}
