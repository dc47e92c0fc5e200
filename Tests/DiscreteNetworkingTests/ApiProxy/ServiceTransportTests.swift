import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// A service with a transport of its own, beside that of the proxy.
@MainActor
final class ServiceTransportTests: XCTestCase {
    /// Says who sent, and needs the network.
    private static func wire(_ name: String) -> Wire {
        Wire(stub: ClosureTransport { TransportResponse($0, json: #"{"id":1,"name":"\#(name)"}"#) })
    }

    private let own = wire("own")
    private let proxys = wire("proxy")

    private func stack(_ change: (inout TestService.Rules) -> Void = { _ in }) -> Stack {
        Stack(proxys) {
            $0.transport = own
            change(&$0)
        }
    }

    func testTransportOfTheServiceSendsItsRequests() async throws {
        let product = try await stack().manager(ProductManager()).load()
        XCTAssertEqual(product.name, "own")
        XCTAssertEqual(proxys.stub.requests.count, 0)
    }

    func testStreamsAndDownloadsToo() async throws {
        let stack = stack()
        let stream = try await stack.manager(TestManager<ByteStream>()).load()
        var text = Data()
        for try await piece in stream { text.append(piece) }
        XCTAssertEqual(String(decoding: text, as: UTF8.self), #"{"id":1,"name":"own"}"#)
        let folder = try temporaryFolder()
        _ = try await stack.manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(own.stub.requests.count, 2)
        XCTAssertEqual(proxys.stub.requests.count, 0)
    }

    /// A test with stubs never reaches the network, whatever its services have.
    func testAStubAnswersForIt() async throws {
        let own = own
        let written = Stack(ClosureTransport(json: teapot)) { $0.transport = own }
        let product = try await written.manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7)
        let stubs = StubTransport()
        stubs.on(.any, answer: .json(["id": 8, "name": ""]))
        let stubbed = Stack(stubs) { $0.transport = own }
        let other = try await stubbed.manager(ProductManager()).load()
        XCTAssertEqual(other.id, 8)
        XCTAssertEqual(own.stub.requests.count, 0)
    }

    func testASampleAnswersForItToo() async throws {
        let manager = stack().manager(SampledManager())
        manager.sampleMode = .immediate
        let product = try await manager.load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(own.stub.requests.count, 0)
    }

    /// Its pins and its client certificate are not for other hosts.
    func testARedirectToAnotherHostIsNotItsAffair() async throws {
        let hosts: @Sendable (APIRequest) -> TransportResponse = { request in
            let targets = [
                "/products/detail": "https://cdn.example.com/1", "/1": "https://api.example.com:8443/2",
            ]
            guard let target = targets[request.url.path] else {
                return TransportResponse(request, json: teapot)
            }
            return TransportResponse(url: request.url, status: 302, headers: ["Location": target])
        }
        let (own, proxys) = (Wire(stub: ClosureTransport(hosts)), Wire(stub: ClosureTransport(hosts)))
        let stack = Stack(proxys) { $0.transport = own }
        _ = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(
            own.stub.requests.map(\.url.absoluteString),
            [
                "https://api.example.com/products/detail", "https://api.example.com:8443/2",
            ])
        XCTAssertEqual(proxys.stub.requests.map(\.url.absoluteString), ["https://cdn.example.com/1"])
    }

    func testAWholeURLOfAnotherHostIsNotItsAffair() async throws {
        let manager = stack().manager(ProductManager())
        let elsewhere = try await manager.load(at: URL(string: "https://files.example.com/1")!)
        let own = try await manager.load(at: URL(string: "https://api.example.com/1")!)
        XCTAssertEqual([elsewhere.name, own.name], ["proxy", "own"])
    }

    /// An answer over a connection that one service trusts is none for another.
    func testServicesWithDifferentTransportsShareNoExchange() async throws {
        let gate = Gate()
        let held = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(Wire(stub: held)) { $0.sharing = true }
        let other = TestService {
            $0.sharing = true
            $0.transport = own
        }
        stack.proxy.services.register([.other: { other }])
        let (first, second) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        second.serviceIdentifier = .other
        first.loadData(with: ["id": 1])
        await gate.arrival()
        let product = try await second.load(with: ["id": 1])
        XCTAssertEqual(product.name, "own")
        gate.open()
        await until { !first.isLoading }
    }

    func testTransportOfTheServiceDecidesWhetherANetworkIsNeeded() async throws {
        let unplugged = Stack(proxys) { $0.transport = SocketTransport() }
        unplugged.reachability.isConnected = false
        _ = try await unplugged.manager(ProductManager()).load()
        let wireless = stack()
        wireless.reachability.isConnected = false
        let error = await failure(wireless.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .notReachable)
    }

    #if os(macOS) || os(Linux)
        private func server(_ identity: TestAuthority.Identity) throws -> URL {
            let server = try OpenSSLServer(identity)
            addTeardownBlock { server.stop() }
            return server.baseURL
        }

        /// Two servers with different certificates, two services with different policies, and the proxy with the
        /// system's authorities.
        func testPinsOfOneHostDoNotApplyToAnother() async throws {
            let authority = try SharedServers.authority()
            let signed = try server(authority.server)
            let alone = try server(authority.selfSigned)
            let stack = Stack(StandardTransport.make()) {
                $0.baseURL = signed
                $0.transport = PlatformTransport.make(
                    tls: TLSPolicy(
                        certificateAuthorities: authority.root.certificate,
                        pinnedPublicKeys: [try! TestAuthority.pin(authority.server)]))
            }
            let other = TestService {
                $0.baseURL = alone
                $0.transport = PlatformTransport.make(
                    tls: TLSPolicy(certificateAuthorities: authority.selfSigned.certificate))
            }
            stack.proxy.services.register([.other: { other }])
            let (first, second) = (stack.manager(TestManager<String>()), stack.manager(TestManager<String>()))
            second.serviceIdentifier = .other
            for manager in [first, second] {
                let page = try await manager.load()
                XCTAssertTrue(page.contains("s_server"), page)
            }

            // Each trusts its own server only.
            stack.change { $0.baseURL = alone }
            other.rules.withLock { $0.baseURL = signed }
            for manager in [first, second] {
                let kind = await failure(manager)?.kind
                guard case .transport(let error)? = kind else {
                    return XCTFail("\(String(describing: kind))")
                }
                XCTAssertEqual(error.kind, .serverCertificateUntrusted)
            }

            // A pin holds although the authority is trusted.
            stack.change {
                $0.baseURL = signed
                $0.transport = PlatformTransport.make(
                    tls: TLSPolicy(
                        certificateAuthorities: authority.root.certificate,
                        pinnedPublicKeys: [try! TestAuthority.pin(authority.selfSigned)]))
            }
            guard case .transport(let error)? = await failure(first)?.kind else { return XCTFail("pinned") }
            XCTAssertEqual(error.kind, .publicKeyNotPinned)

            // Without a transport of their own, services have the proxy's, which trusts neither.
            stack.change { $0.transport = nil }
            guard case .transport(let error)? = await failure(first)?.kind else { return XCTFail("proxy") }
            XCTAssertEqual(error.kind, .serverCertificateUntrusted)
        }
    #endif
}

/// Like one over a Unix socket: it stands for no server, and needs no network.
private struct SocketTransport: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        TransportResponse(request, json: teapot)
    }
    func replacesServiceTransport(for url: URL) -> Bool { false }
}

private final class SampledManager: APIManager<Product> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "products/detail"
    let requestType = HTTPMethod.get
    override var sample: SampleResponse? { .json(["id": 7, "name": "sample"]) }
}
