import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

/// Redirects between real servers.
@MainActor
final class RedirectWireTests: XCTestCase {
    private func stack(_ server: LoopbackServer, _ change: (inout TestService.Rules) -> Void = { _ in })
        -> Stack
    {
        Stack(URLSessionTransport()) { rules in
            rules.baseURL = server.baseURL
            rules.timeout = 30
            change(&rules)
        }
    }

    func testTheBodyOfA307ArrivesAndTheCredentialStaysBehind() async throws {
        let target = try LoopbackServer { request in
            .json(#"{"id":\#(request.body.count),"name":"\#(request.method)"}"#)
        }
        let port = target.port
        let server = try LoopbackServer { _ in .redirect(to: "http://localhost:\(port)/there", status: 307) }
        defer {
            target.stop()
            server.stop()
        }
        let stack = stack(server) { $0.extraHeaders = ["Authorization": "Bearer s3cr3t", "X-Kept": "1"] }
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        let product = try await manager.load(with: ["name": "茶"])
        XCTAssertEqual(product, Product(id: #"{"name":"茶"}"#.utf8.count, name: "POST"))
        XCTAssertEqual(server.requests.last?.header("Authorization"), "Bearer s3cr3t")
        XCTAssertNil(target.requests.last?.header("Authorization"))
        XCTAssertEqual(target.requests.last?.header("X-Kept"), "1")
        XCTAssertEqual(manager.response?.url.path, "/there")
    }

    func testALoopEndsAndARefusedRedirectIsAResponse() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/again") }
        defer { server.stop() }
        let error = await failure(stack(server).manager(ProductManager()))
        guard case .transport(let cause)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertEqual(cause.kind, .redirectRefused)
        XCTAssertEqual(server.requests.count, 21)
        let refused = await failure(stack(server) { $0.redirects = .refuse }.manager(ProductManager()))
        XCTAssertEqual(refused?.kind, .http(status: 302))
        XCTAssertEqual(refused?.response?.headers["location"], "/again")
    }
}
