import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// What no case of the conformance suite asks: how `URLSessionTransport` says what it cannot do.
final class URLSessionFaultTests: URLSessionCase {
    func testUnsupportedRequestsNameTheReason() async throws {
        let server = try serve { _ in .text("ok") }
        let data = RequestBody.data(Data("x".utf8))
        var toFile = server.request()
        toFile.destination = .file(URL(fileURLWithPath: "/nonexistent/place"))
        let stream = RequestBody.stream(length: 1) { AsyncThrowingStream { $0.finish() } }
        let requests = [
            server.request("/", .get, body: data), server.request("/", .head, body: data),
            server.request("/", .get, body: .file(URL(fileURLWithPath: "/etc/hostname"))),
            server.request("/", .get, body: stream), toFile,
        ]
        for request in requests {
            let error = await transport.outcome(of: request).error
            XCTAssertEqual(error?.kind, .unsupported)
            XCTAssertGreaterThan(error?.message.count ?? 0, 20)
        }
        XCTAssertEqual(server.requests.count, 0, "nothing was sent")
    }
}
