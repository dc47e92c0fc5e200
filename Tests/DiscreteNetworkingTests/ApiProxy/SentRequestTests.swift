import DiscreteNetworkingCaching
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// The request that was sent, of a response and of an error.
@MainActor
final class SentRequestTests: XCTestCase {
    private func manager(
        _ transport: any Transport, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> ProductManager {
        Stack(transport, change).manager(ProductManager())
    }

    func testAResponseHasTheRequestAsTheServerGotIt() async throws {
        let server = try serve { request in
            LoopbackResponse.json(
                #"{"id":7,"name":"\#(request.target) \#(request.header("X-Build") ?? "-")"}"#)
        }
        let manager = manager(URLSessionTransport()) {
            $0.baseURL = server.baseURL
            $0.extraHeaders = ["X-Build": "42"]
        }
        let before = Date()
        let product = try await manager.load(with: ["q": "茶"])
        let request = try XCTUnwrap(manager.response?.request)
        XCTAssertEqual(product.name, "\(request.url.path)?\(request.url.query ?? "") 42")
        XCTAssertEqual(request.headers["X-Build"], "42")
        XCTAssertEqual(request.method, .get)
        XCTAssertEqual(request.origin?.attempt, 1)
        let date = try XCTUnwrap(request.origin?.date)
        XCTAssertTrue((before...Date()).contains(date), "\(date)")
    }

    func testAfterARedirectItIsTheLastRequest() async throws {
        let transport = ClosureTransport { request in
            guard request.url.host == "api.example.com" else {
                return TransportResponse(request, json: teapot)
            }
            return TransportResponse(
                url: request.url, status: 302, headers: ["Location": "https://cdn.example.net/tea"])
        }
        let manager = manager(transport) { $0.extraHeaders = ["Authorization": "Bearer 0123456789"] }
        _ = try await manager.load()
        let request = try XCTUnwrap(manager.response?.request)
        XCTAssertEqual(request.url.absoluteString, "https://cdn.example.net/tea")
        XCTAssertNil(request.headers["Authorization"])
    }

    func testTheAttemptIsThatOfTheResponse() async throws {
        let count = Locked(0)
        let transport = ClosureTransport { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return TransportResponse(request, json: teapot, status: isFirst ? 503 : 200)
        }
        let manager = manager(transport) { $0.retry = RetryPolicy(base: 0) }
        _ = try await manager.load()
        XCTAssertEqual(manager.response?.request?.origin?.attempt, 2)
    }

    func testAnErrorWithoutAResponseHasTheRequest() async throws {
        let transport = ClosureTransport { _ in throw TransportError(.timedOut, message: "Too late.") }
        let caught = await failure(manager(transport), with: ["id": 7])
        let error = try XCTUnwrap(caught)
        XCTAssertEqual(error.kind, .timedOut)
        XCTAssertNil(error.response)
        XCTAssertEqual(
            error.request?.url.absoluteString, "https://api.example.com/products/detail?id=7")
    }

    func testAnErrorOfARefusedResponseHasTheRequestAfterRedirects() async throws {
        let transport = ClosureTransport { request in
            guard request.url.path.hasSuffix("detail") else {
                return TransportResponse(request, json: "{}", status: 404)
            }
            return TransportResponse(url: request.url, status: 301, headers: ["Location": "/gone"])
        }
        let error = await failure(manager(transport))
        XCTAssertEqual(error?.kind, .http(status: 404))
        XCTAssertEqual(error?.request?.url.path, "/gone")
    }

    func testAnErrorBeforeARequestHasNone() async {
        let manager = manager(ClosureTransport(json: teapot))
        manager.methodName = "products/{id}"
        let error = await failure(manager)
        guard case .invalidRequest? = error?.kind else { return XCTFail("\(String(describing: error))") }
        XCTAssertNil(error?.request)
    }

    func testAStoredResponseHasNone() async throws {
        let manager = manager(ClosureTransport(json: teapot))
        manager.ownCache = .memory
        _ = try await manager.load()
        XCTAssertNotNil(manager.response?.request)
        _ = try await manager.load()
        XCTAssertEqual(manager.response?.isFromCache, true)
        XCTAssertNil(manager.response?.request)
    }

    func testASmallBodyIsKeptAndALargeOneIsNot() async throws {
        for (length, isKept) in [(10, true), (70_000, false)] {
            let manager = manager(ClosureTransport(json: teapot))
            manager.requestType = .post
            let text = String(repeating: "茶", count: length)
            _ = try await manager.load(with: ["text": text])
            let request = try XCTUnwrap(manager.response?.request)
            if case .data(let data) = request.body {
                XCTAssertTrue(isKept)
                XCTAssertEqual(try JSONValue(parsing: data), ["text": .string(text)])
            } else {
                XCTAssertFalse(isKept, "\(request.body)")
            }
            XCTAssertEqual(request.curlCommand().contains("茶茶茶"), isKept)
        }
    }

    func testTextsAreRedacted() async throws {
        let secret = "p4ssw0rd-of-ming"
        let manager = manager(ClosureTransport(json: teapot)) {
            $0.extraHeaders = ["Authorization": "Bearer \(secret)"]
        }
        _ = try await manager.load(with: ["password": secret])
        let request = try XCTUnwrap(manager.response?.request)
        XCTAssertEqual(request.headers["Authorization"], "Bearer \(secret)", "the field itself is as sent")
        for text in ["\(request)", String(reflecting: request), request.curlCommand()] {
            XCTAssertFalse(text.contains(secret), text)
        }
    }

    /// A response that kept it would keep what the observer keeps.
    func testWhoIsToldOfProgressIsNotKept() async throws {
        let transport = ClosureTransport(json: teapot)
        let manager = manager(transport)
        manager.onProgress = { _ in }
        _ = try await manager.load()
        XCTAssertNotNil(transport.requests.first?.onProgress)
        XCTAssertNil(try XCTUnwrap(manager.response?.request).onProgress)
    }
}
