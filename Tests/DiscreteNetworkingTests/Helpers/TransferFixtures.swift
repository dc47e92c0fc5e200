import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

/// A download whose every member a test may set.
final class DownloadManager: APIManager<DownloadedFile> {
    let serviceIdentifier = ServiceIdentifier.test
    var methodName = "file"
    var requestType = HTTPMethod.get
    var target: Download?
    var ownTimeout: TimeInterval?
    var ownHeaders: [String: String] = [:]
    override var download: Download? { target }
    override var timeout: TimeInterval? { ownTimeout }
    override var headers: [String: String] { ownHeaders }

    convenience init(to url: URL, checksum: Checksum? = nil) {
        self.init()
        target = Download(to: url, checksum: checksum)
    }
}

/// An upload whose encoding a test may set.
final class UploadManager<Output: Decodable & Sendable>: APIManager<Output> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "upload"
    let requestType = HTTPMethod.post
    let ownEncoding: any ParamEncoding
    var ownTimeout: TimeInterval?
    override var encoding: (any ParamEncoding)? { ownEncoding }
    override var timeout: TimeInterval? { ownTimeout }

    init(_ encoding: any ParamEncoding) {
        ownEncoding = encoding
        super.init()
    }
}

extension Stack {
    /// Over real sockets.
    init(_ server: LoopbackServer, _ change: (inout TestService.Rules) -> Void = { _ in }) {
        self.init(StandardTransport.make()) { rules in
            rules.baseURL = server.baseURL
            change(&rules)
        }
    }
}

/// A response body that a test feeds by hand; it knows when its reader has left.
final class HandFedBody: Sendable {
    private let pipe: BodyPipe
    private let left = Gate()

    init() {
        let left = left
        left.open()
        pipe = BodyPipe(onRoom: {}, onAbandoned: { Task { await left.pass() } })
    }

    var body: ResponseBody { .stream(pipe.stream()) }

    func feed(_ text: String) { feed(Data(text.utf8)) }

    func feed(_ data: Data) {
        data.withUnsafeBytes { _ = pipe.push($0) }
        pipe.flush()
    }

    func end(_ error: TransportError? = nil) { pipe.finish(error) }

    /// Returns when the reader has left before the end.
    func abandonment() async { await left.arrival() }
}

extension TransportError {
    static let lost = TransportError(.connectionLost, message: "The connection was lost.")
}

extension ResponseBody {
    /// A stream of these pieces, and then its end or an error.
    static func pieces(_ pieces: [Data], error: TransportError? = nil) -> ResponseBody {
        .stream(
            AsyncThrowingStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish(throwing: error)
            })
    }

    static func pieces(_ pieces: [String], error: TransportError? = nil) -> ResponseBody {
        .pieces(pieces.map { Data($0.utf8) }, error: error)
    }
}
