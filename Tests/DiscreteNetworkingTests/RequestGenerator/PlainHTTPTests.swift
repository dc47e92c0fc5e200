import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Services are HTTPS-only, but for this machine and the hosts they name.
@MainActor
final class PlainHTTPTests: XCTestCase {
    private func stack(_ url: String, _ hosts: Set<String> = [], _ transport: ClosureTransport) throws
        -> Stack
    {
        let url = try XCTUnwrap(URL(string: url))
        return Stack(transport) { rules in
            rules.baseURL = url
            rules.plainHTTPHosts = hosts
        }
    }

    private func reason(_ error: APIError?) -> String? {
        if case .invalidRequest(let reason)? = error?.kind { reason } else { nil }
    }

    func testAPlainRequestIsRefusedBeforeAnythingIsSent() async throws {
        for url in [
            "http://shop.example.com", "HTTP://shop.example.com", "http://128.0.0.1", "http://10.0.0.1",
            "http://127.0.0.1.example.com", "http://localhost.example.com", "http://127.1",
            "http://0x7f.0.0.1",
            "http://[::2]", "http://[fe80::1]", "http://0.0.0.0", "http://[::ffff:10.0.0.1]",
        ] {
            let transport = ClosureTransport(json: teapot)
            let error = await failure(try stack(url, [], transport).manager(ProductManager()))
            XCTAssertTrue(
                reason(error)?.contains("plainHTTPHosts") == true, "\(url): \(String(describing: error))")
            XCTAssertEqual(transport.requests.count, 0, url)
        }
    }

    func testHTTPSLoopbackAndListedHostsAreAllowed() async throws {
        let hosts: Set = ["Shop.internal", "10.0.2.2", "fe80::1", "[fe80::2]"]
        for url in [
            "https://shop.example.com", "http://localhost:8080", "http://LOCALHOST", "http://127.0.0.1",
            "http://127.255.3.4:1", "http://[::1]:8080", "http://[0:0:0:0:0:0:0:1]", "http://shop.internal",
            "http://SHOP.INTERNAL:81", "http://10.0.2.2", "http://[fe80::1]", "http://[fe80::2]",
        ] {
            let transport = ClosureTransport(json: teapot)
            _ = try await stack(url, hosts, transport).manager(ProductManager()).load()
            XCTAssertEqual(transport.requests.count, 1, url)
        }
    }

    func testPlainHTTPSetByAdaptIsRefused() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { rules in
            rules.adapt = { request, _ in request.url = URL(string: "http://shop.example.com/?token=s3cr3t")!
            }
        }
        let text = reason(await failure(stack.manager(ProductManager()))) ?? ""
        XCTAssertTrue(text.contains("shop.example.com"), text)
        XCTAssertFalse(text.contains("s3cr3t"), text)
        XCTAssertEqual(transport.requests.count, 0)
    }

    /// The error of a call that is redirected, and where it went.
    private func redirected(
        from source: String, to target: String, hosts: Set<String> = [], shared: Bool = false
    ) async throws -> (APIError?, [String]) {
        let transport = ClosureTransport { request in
            request.url.path == "/far"
                ? TransportResponse(request, json: teapot)
                : TransportResponse(url: request.url, status: 307, headers: ["Location": target])
        }
        let stack = try stack(source, hosts, transport)
        stack.change { $0.sharing = shared }
        let error = await failure(stack.manager(ProductManager()))
        return (error, transport.requests.compactMap(\.url.host))
    }

    func testARedirectFromHTTPSToHTTPIsAnInvalidRequest() async throws {
        for target in ["http://shop.example.com/far", "http://127.0.0.1/far", "http://other.example.com/far"]
        {
            for shared in [false, true] {
                let (error, hosts) = try await redirected(
                    from: "https://shop.example.com", to: target, hosts: ["shop.example.com"], shared: shared)
                XCTAssertTrue(
                    reason(error)?.contains("HTTPS to cleartext HTTP") == true, "\(String(describing: error))"
                )
                XCTAssertEqual(hosts, ["shop.example.com"], "nothing was sent to \(target)")
            }
        }
    }

    func testARedirectFromHTTPGoesOnlyWhereHTTPMayGo() async throws {
        let (refused, hosts) = try await redirected(
            from: "http://127.0.0.1:8080", to: "http://other.example.com/far?token=s3cr3t")
        XCTAssertTrue(
            reason(refused)?.contains("other.example.com") == true, "\(String(describing: refused))")
        XCTAssertFalse(String(reflecting: refused).contains("s3cr3t"))
        XCTAssertEqual(hosts, ["127.0.0.1"])
        for target in ["http://shop.internal/far", "https://other.example.com/far", "/far"] {
            let (error, _) = try await redirected(
                from: "http://127.0.0.1:8080", to: target, hosts: ["shop.internal"])
            XCTAssertNil(error, target)
        }
    }

    func testOneServiceDoesNotGoWhereOnlyAnotherMay() async throws {
        final class Trusting: Service {
            var baseURL: URL { URL(string: "http://127.0.0.1:8080")! }
            let configuration = ServiceConfiguration(
                plainHTTPHosts: ["shop.internal"], sharesIdenticalRequests: true)
        }
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return request.url.host == "shop.internal"
                ? TransportResponse(request, json: teapot)
                : TransportResponse(
                    url: request.url, status: 307, headers: ["Location": "http://shop.internal/far"])
        }
        let stack = try stack("http://127.0.0.1:8080", [], transport)
        stack.change { $0.sharing = true }
        stack.proxy.services.register([.other: Trusting.self])
        let (strict, trusting) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        trusting.serviceIdentifier = .other
        async let refused = failure(strict)
        async let product = trusting.load()
        // They are not shared, so both come to the transport.
        await gate.arrival(2)
        gate.open()
        let error = await refused
        XCTAssertTrue(reason(error)?.contains("shop.internal") == true, "\(String(describing: error))")
        let id = try await product.id
        XCTAssertEqual(id, 7)
    }
}
