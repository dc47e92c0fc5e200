import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// What would be another message than was meant. libcurl and URLSession both put it on the wire; so the generator
/// refuses it, and a transport that is used without one.
extension MessagesConformance {
    @MainActor
    private func checkRefused(
        _ what: String, on server: LoopbackServer, line: UInt = #line,
        _ adapt: @escaping @Sendable (inout APIRequest) -> Void
    ) async {
        let stack = Stack(transport) { rules in
            rules.baseURL = server.baseURL
            rules.adapt = { request, _ in adapt(&request) }
        }
        let error = await failure(stack.manager(ProductManager()))
        guard case .invalidRequest? = error?.kind else {
            return XCTFail("\(what): \(String(describing: error))", line: line)
        }
        var request = server.request()
        adapt(&request)
        let outcome = await transport.outcome(of: request)
        XCTAssertEqual(outcome.error?.kind, .unsupported, "\(what), without a generator", line: line)
    }

    @MainActor
    func testHeadersNeverSplitTheMessage() async throws {
        let server = try serve { _ in .json(teapot) }
        for headers: HTTPFields in [
            ["X-A": "1\r\nX-Evil: 1"], ["X-A": "1\nX-Evil: 1"],
            ["X-A": "1\rX-Evil: 1"], ["X-A": "1\r\n\r\nGET /evil HTTP/1.1\r\nHost: x\r\n\r\n"],
            ["X-A": "\u{0}"],
        ] {
            await checkRefused("\(headers)", on: server) { $0.headers = headers }
        }
        XCTAssertEqual(server.acceptedConnections, 0)
    }

    @MainActor
    func testMethodsThatAreNoTokensAreNeverSent() async throws {
        let server = try serve { _ in .json(teapot) }
        for method: HTTPMethod in ["GET / HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET", "A B", "", "GE\nT"] {
            await checkRefused("\(method)", on: server) { $0.method = method }
        }
        XCTAssertEqual(server.acceptedConnections, 0)
    }

    @MainActor
    func testOtherSchemesAreRefused() async throws {
        let server = try serve { _ in .json(teapot) }
        for text in ["file:///etc/passwd", "ftp://127.0.0.1:\(server.port)/", "data:,x", "http:///x"] {
            let url = try XCTUnwrap(URL(string: text))
            await checkRefused(text, on: server) { $0.url = url }
        }
        XCTAssertEqual(server.acceptedConnections, 0)
    }
}
