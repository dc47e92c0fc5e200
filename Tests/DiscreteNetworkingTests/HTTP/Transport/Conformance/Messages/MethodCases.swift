import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// What goes out: method, target and body.
extension MessagesConformance {
    func testMethodsWithABodyArriveExactly() async throws {
        let server = try serve { _ in .text("ok") }
        let body = Data("a=1&b=\u{0}é\r\n\r\n0\r\n".utf8)
        let methods: [HTTPMethod] = [
            .post, .put, .patch, .delete, .options, "REPORT", "PROPFIND", "M-SEARCH",
        ]
        for method in methods {
            let response = try await transport.send(server.request("/p", method, body: .data(body)))
            XCTAssertEqual(response.text, "ok", "\(method)")
        }
        XCTAssertEqual(server.requests.map(\.method), methods.map(\.rawValue))
        XCTAssertEqual(server.requests.map(\.body), methods.map { _ in body })
        XCTAssertTrue(server.requests.allSatisfy { $0.header("Content-Length") == "\(body.count)" })
    }

    func testMethodsWithoutABody() async throws {
        let server = try serve { _ in .text("ok") }
        let methods: [HTTPMethod] = [
            .get, .head, .post, .put, .patch, .delete, .options, "TRACE", "REPORT", "PURGE",
        ]
        for method in methods {
            let response = try await transport.send(server.request("/p", method))
            XCTAssertEqual(response.text, method == .head ? "" : "ok", "\(method)")
        }
        XCTAssertEqual(server.requests.map(\.method), methods.map(\.rawValue))
        XCTAssertTrue(server.requests.allSatisfy(\.body.isEmpty))
    }

    func testMethodsGoOutInTheirOwnCase() async throws {
        let server = try serve { _ in .text("ok") }
        let methods: [HTTPMethod] = ["get", "Post", "pUT", "report", "x!#$%&'*+-.^_`|~9"]
        for method in methods { _ = try await transport.send(server.request("/p", method)) }
        XCTAssertEqual(server.requests.map(\.method), methods.map(\.rawValue))
    }

    func testAGetWithABody() async throws {
        let server = try serve { _ in .text("ok") }
        let response = try await transport.send(
            server.request("/", .get, body: .data(Data("query".utf8))))
        XCTAssertEqual(response.text, "ok")
        XCTAssertEqual(server.requests.map(\.method), ["GET"])
        XCTAssertEqual(server.requests.map(\.body), [Data("query".utf8)])
    }

    func testAnEmptyBodyOfAGetIsNone() async throws {
        let server = try serve { _ in .text("ok") }
        let response = try await transport.send(server.request("/", .get, body: .data(Data())))
        XCTAssertEqual(response.text, "ok")
    }

    func testTheTargetGoesOutAsItIsWritten() async throws {
        let server = try serve { _ in .text("ok") }
        let target = "/a%2Fb/%E8%8C%B6;v=1?q=a+b%20c&e=%26%3D%23&tags%5B%5D=x&empty="
        _ = try await transport.send(server.request(target + "#fragment"))
        XCTAssertEqual(server.requests.map(\.target), [target])
    }

    func testDotsInAPathGoOutAsTheyAre() async throws {
        let server = try serve { _ in .text("ok") }
        for target in ["/a/./b/../c", "/a//b", "/.hidden", "/%2E%2E/x"] {
            _ = try await transport.send(server.request(target))
        }
        XCTAssertEqual(server.requests.map(\.target), ["/a/./b/../c", "/a//b", "/.hidden", "/%2E%2E/x"])
    }

    func testTheSchemeIsReadInAnyCase() async throws {
        let server = try serve { _ in .text("ok") }
        let url = try XCTUnwrap(URL(string: "HTTP://127.0.0.1:\(server.port)/x"))
        let response = try await transport.send(APIRequest(url: url))
        XCTAssertEqual(response.text, "ok")
    }

    func testOtherSchemesAreNotSpoken() async throws {
        let server = try serve { _ in .text("ok") }
        let authority = "127.0.0.1:\(server.port)"
        for text in [
            "file:///etc/passwd", "ftp://\(authority)/x", "gopher://\(authority)/_GET%20/", "data:,x",
            "dict://\(authority)/d:x", "ws://\(authority)/",
        ] {
            let url = try XCTUnwrap(URL(string: text))
            let outcome = await transport.outcome(of: APIRequest(url: url, timeout: 2))
            XCTAssertNotNil(outcome.error, text)
        }
        XCTAssertEqual(server.acceptedConnections, 0)
    }
}
