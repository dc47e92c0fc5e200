import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Chains of redirects: their end, the policies, and how they look through a manager and over the wire.
@MainActor
final class RedirectChainTests: XCTestCase {
    /// Redirects `/n` to `/n-1`, and answers at `/0`.
    private nonisolated static func countdown(_ request: APIRequest) -> TransportResponse {
        let left = Int(request.url.lastPathComponent) ?? 0
        guard left > 0 else { return TransportResponse(request, json: teapot) }
        return TransportResponse(
            url: request.url, status: 302, headers: ["Location": "/\(left - 1)"],
            body: .data(Data("moved".utf8)))
    }

    private func manager(_ path: String, on stack: Stack) -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.methodName = path
        return manager
    }

    private func wire(
        _ change: @escaping (inout TestService.Rules) -> Void = { _ in },
        _ handler: @escaping LoopbackRoute.Handler
    ) throws -> (LoopbackServer, Stack) {
        let server = try serve(handler)
        let stack = Stack(URLSessionTransport()) { rules in
            rules.baseURL = server.baseURL
            rules.timeout = .infinity
            change(&rules)
        }
        return (server, stack)
    }

    // MARK: Ends

    func testTwentyRedirectsAreFollowed() async throws {
        let transport = ClosureTransport { Self.countdown($0) }
        let product = try await manager("20", on: Stack(transport)).load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(transport.requests.count, 21)
    }

    /// A transport that keeps timeouts would otherwise begin anew with each.
    func testRedirectsHaveOneTimeout() async throws {
        let transport = ClosureTransport { Self.countdown($0) }
        _ = try await manager("3", on: Stack(transport) { $0.timeout = 30 }).load()
        let limits = transport.requests.map(\.timeout)
        XCTAssertEqual(limits.first, 30)
        XCTAssertEqual(limits, limits.sorted(by: >))
        XCTAssertEqual(Set(limits).count, 4, "\(limits)")
    }

    func testTheTwentyFirstIsNot() async throws {
        let transport = ClosureTransport { Self.countdown($0) }
        let error = await failure(manager("21", on: Stack(transport)))
        guard case .transport(let cause)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertEqual(cause.kind, .redirectRefused)
        XCTAssertTrue(cause.message.contains("20"))
        XCTAssertEqual(transport.requests.count, 21)
    }

    func testARedirectToItselfEnds() async throws {
        let (server, stack) = try wire { _ in .redirect(to: "/loop") }
        let error = await failure(manager("loop", on: stack))
        guard case .transport? = error?.kind else { return XCTFail("\(String(describing: error))") }
        XCTAssertLessThanOrEqual(server.requests.count, 21)
    }

    // MARK: Policies

    func testRefuseMakesTheRedirectTheAnswer() async throws {
        let transport = ClosureTransport { Self.countdown($0) }
        let error = await failure(manager("3", on: Stack(transport) { $0.redirects = .refuse }))
        XCTAssertEqual(error?.kind, .http(status: 302))
        XCTAssertEqual(error?.response?.headers["Location"], "/2")
        XCTAssertEqual(error?.response?.body, Data("moved".utf8))
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testRefuseAsksNothingOfTheLocation() async throws {
        let stub = ClosureTransport(json: "", status: 302, headers: ["Location": "file:///etc/passwd"])
        let error = await failure(manager("x", on: Stack(stub) { $0.redirects = .refuse }))
        XCTAssertEqual(error?.kind, .http(status: 302))
    }

    func testDecideIsAskedAboutEachAndMayStop() async throws {
        let transport = ClosureTransport { Self.countdown($0) }
        let asked = Locked<[String]>([])
        let stack = Stack(transport) { rules in
            rules.redirects = .decide { redirect in
                let text = "\(redirect.status) \(redirect.source.path) \(redirect.request.url.path)"
                asked.withLock { $0.append(text) }
                return redirect.request.url.path != "/1"
            }
        }
        let error = await failure(manager("3", on: stack))
        XCTAssertEqual(error?.kind, .http(status: 302))
        XCTAssertEqual(error?.response?.url.path, "/2")
        XCTAssertEqual(asked.current, ["302 /3 /2", "302 /2 /1"])
    }

    func testDecideIsNotShownWhatIsNotSentAlong() async throws {
        let shown = Locked<HTTPFields?>(nil)
        let transport = ClosureTransport { request in
            request.url.host == "other.example.com"
                ? TransportResponse(request, json: teapot)
                : TransportResponse(
                    url: request.url, status: 302, headers: ["Location": "https://other.example.com/"])
        }
        let stack = Stack(transport) { rules in
            rules.extraHeaders = ["Authorization": "Bearer s3cr3t"]
            rules.redirects = .decide { redirect in
                shown.current = redirect.request.headers
                return true
            }
        }
        _ = try await manager("x", on: stack).load()
        XCTAssertNil(try XCTUnwrap(shown.current)["Authorization"])
    }

    // MARK: Cancelling

    func testCancellingBetweenHopsStopsTheChain() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            if request.url.path == "/2" { await gate.pass() }
            return Self.countdown(request)
        }
        let url = try XCTUnwrap(URL(string: "https://api.example.com/3"))
        let task = Task {
            await RedirectFollower(transport: transport, redaction: .standard).outcome(
                of: APIRequest(url: url))
        }
        await gate.arrival()
        task.cancel()
        gate.open()
        let outcome = await task.value
        XCTAssertEqual(outcome.mapError(\.error).error?.kind, .cancelled)
        XCTAssertEqual(transport.requests.map(\.url.path), ["/3", "/2"])
    }

    /// As a shared exchange whose waiters have left before its task runs.
    func testACanceledTaskSendsNothing() async throws {
        let transport = ClosureTransport(json: teapot)
        let url = try XCTUnwrap(URL(string: "https://api.example.com/0"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await RedirectFollower(transport: transport, redaction: .standard).outcome(
                of: APIRequest(url: url))
        }
        let outcome = await task.value
        XCTAssertEqual(outcome.mapError(\.error).error?.kind, .cancelled)
        XCTAssertEqual(transport.requests.count, 0)
    }

    // MARK: Failures of the target

    func testAFailureNamesTheTargetOfTheRedirect() async throws {
        for (kind, text) in [
            (TransportError.Kind.timedOut, "The request to https://b.example.com/new timed out after 10 s"),
            (.cannotConnect, "The transport failed at https://b.example.com/new, after a redirect: gone"),
        ] {
            let transport = ClosureTransport { request in
                guard request.url.host == "api.example.com" else {
                    throw TransportError(kind, message: "gone")
                }
                return TransportResponse(
                    url: request.url, status: 302, headers: ["Location": "https://b.example.com/new?page=2"])
            }
            let stack = Stack(transport) { $0.timeout = 10 }
            let manager = manager("moved", on: stack)
            let error = await failure(manager)
            XCTAssertEqual(error?.request?.url.absoluteString, "https://b.example.com/new?page=2")
            let description = error?.localizedDescription ?? ""
            XCTAssertTrue(description.contains(text), description)
        }
    }

    // MARK: Over the wire

    func testAPostThatIsSeenOther() async throws {
        for status in [301, 302, 303] {
            let (server, stack) = try wire { request in
                request.path == "/orders" ? .redirect(to: "/orders/7", status: status) : .json(teapot)
            }
            let manager = manager("orders", on: stack)
            manager.requestType = .post
            let product = try await manager.load(with: ["id": 7])
            XCTAssertEqual(product.id, 7)
            XCTAssertEqual(server.requests.map(\.method), ["POST", "GET"])
            XCTAssertEqual(server.requests.map { $0.body.isEmpty }, [false, true])
            XCTAssertNil(server.requests.last?.header("Content-Type"))
            XCTAssertEqual(manager.response?.url.path, "/orders/7")
        }
    }

    func testAPostThatIsSentAgain() async throws {
        for status in [307, 308] {
            let (server, stack) = try wire { request in
                request.path == "/orders" ? .redirect(to: "v2/orders?x=1", status: status) : .json(teapot)
            }
            let manager = manager("orders", on: stack)
            manager.requestType = .post
            _ = try await manager.load(with: ["name": "茶"])
            XCTAssertEqual(server.requests.map(\.method), ["POST", "POST"])
            XCTAssertEqual(server.requests.map(\.target), ["/orders", "/v2/orders?x=1"])
            XCTAssertEqual(
                server.requests.map(\.body), [Data(#"{"name":"茶"}"#.utf8), Data(#"{"name":"茶"}"#.utf8)])
            XCTAssertEqual(server.requests.last?.header("Content-Type"), "application/json")
        }
    }

    func testSecretsDoNotGoToAnotherPort() async throws {
        let other = try serve { _ in .json(teapot) }
        let target = other.baseURL.absoluteString + "/n"
        let secrets: (inout TestService.Rules) -> Void = {
            $0.extraHeaders = [
                "Authorization": "Bearer s3cr3t", "Cookie": "a=1", "X-Api-Key": "k", "X-Plain": "1",
            ]
        }
        let (server, stack) = try wire(secrets) { request in
            request.path == "/far"
                ? .redirect(to: target) : request.path == "/near" ? .redirect(to: "/n") : .json(teapot)
        }
        _ = try await manager("far", on: stack).load()
        let far = try XCTUnwrap(other.requests.first)
        for name in ["Authorization", "Cookie", "X-Api-Key"] { XCTAssertNil(far.header(name), name) }
        XCTAssertNil(far.header("X-Plain"))
        XCTAssertEqual(far.header("Host"), "127.0.0.1:\(other.port)")
        _ = try await manager("near", on: stack).load()
        XCTAssertEqual(server.requests.last?.path, "/n")
        XCTAssertEqual(server.requests.last?.header("Authorization"), "Bearer s3cr3t")
        XCTAssertEqual(server.requests.last?.header("Cookie"), "a=1")
    }

    func testALocationThatIsNoHTTPIsNeverAsked() async throws {
        for location in ["file:///etc/passwd", "ftp://127.0.0.1/n", "javascript:alert(1)"] {
            let (server, stack) = try wire { _ in .redirect(to: location) }
            let error = await failure(manager("x", on: stack))
            guard case .transport(let cause)? = error?.kind else { return XCTFail(location) }
            XCTAssertEqual(cause.kind, .redirectRefused, location)
            XCTAssertEqual(server.requests.map(\.path), ["/x"], location)
        }
    }

    func testARedirectThatIsTheAnswerComesAsItIs() async throws {
        for location in [nil, "/n", "http://[::1"] as [String?] {
            for body in [LoopbackResponse.Body.data(Data("moved".utf8)), .chunks([Data("moved".utf8)])] {
                let refusal: (inout TestService.Rules) -> Void = { $0.redirects = .refuse }
                let (server, stack) = try wire(refusal) { _ in
                    LoopbackResponse(
                        status: 302, headers: location.map { [("Location", $0)] } ?? [], body: body)
                }
                let error = await failure(manager("x", on: stack))
                XCTAssertEqual(error?.kind, .http(status: 302))
                XCTAssertEqual(server.requests.count, 1)
                XCTAssertEqual(error?.response?.headers["Location"], location)
                #if !canImport(FoundationNetworking)
                    // On Linux URLSession keeps the body of a redirect to itself; see the README.
                    XCTAssertEqual(error?.response?.body, Data("moved".utf8))
                #endif
            }
        }
    }
}
