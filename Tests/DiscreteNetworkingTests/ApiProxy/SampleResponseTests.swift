import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Managers that answer with a sample of their own, while everything else goes to the network.
@MainActor
final class SampleResponseTests: XCTestCase {
    final class SampledManager: APIManager<Product>, APIManagerValidator {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "products/detail"
        let requestType = HTTPMethod.get
        var own: SampleResponse? = .json { params in
            ["code": 0, "content": ["id": params["id"] ?? 1, "name": "sample"]]
        }
        override var sample: SampleResponse? { own }
        override var cachePolicy: CachePolicy { .memory }
        func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
            (response.output as? Product)?.id == 13 ? .invalid(reason: "unlucky") : .valid
        }
    }

    private let transport = ClosureTransport(json: #"{"code":0,"content":\#(teapot)}"#)

    private func stack() -> Stack {
        Stack(transport) {
            $0.envelope = Envelope(code: "code", message: "msg", payload: "content")
            $0.sharing = true
        }
    }

    func testTheProxyLetsSamplesAnswerAndTheOthersGoOut() async throws {
        let stack = stack()
        let (sampled, real) = (stack.manager(SampledManager()), stack.manager(ProductManager()))
        let before = try await sampled.load(with: ["id": 1])
        XCTAssertEqual(before.name, "青花瓷茶壶", "off unless asked for")
        stack.proxy.sampleMode = .immediate
        let product = try await sampled.load(with: ["id": 3], ignoringCache: true)
        XCTAssertEqual(product, Product(id: 3, name: "sample"))
        XCTAssertEqual(transport.requests.count, 1)
        _ = try await real.load()
        XCTAssertEqual(transport.requests.count, 2, "it carries no sample")
    }

    func testSampleRunsThroughTheWholePipeline() async throws {
        let stack = stack()
        let manager = stack.manager(SampledManager())
        manager.sampleMode = .immediate
        let unlucky = await failure(manager, with: ["id": 13])
        XCTAssertEqual(unlucky?.kind, .invalidResponse(reason: "unlucky"))
        manager.own = .json(["code": 7, "msg": "sold out"])
        let business = await failure(manager, with: ["id": 1])
        XCTAssertEqual(business?.kind, .business(code: 7, message: "sold out"))
        manager.own = .json(["code": 0, "content": ["id": "x"]])
        let decoding = await failure(manager, with: ["id": 1])
        guard case .decoding? = decoding?.kind else { return XCTFail("\(String(describing: decoding))") }
        manager.own = .json([:], status: 503)
        let status = await failure(manager, with: ["id": 1])
        XCTAssertEqual(status?.kind, .http(status: 503))
        manager.own = SampleResponse { _ in throw CocoaError(.fileReadNoSuchFile) }
        let none = await failure(manager, with: ["id": 1])
        guard case .transport(let error)? = none?.kind else { return XCTFail("\(String(describing: none))") }
        XCTAssertEqual(error.kind, .badResponse)
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testFromAFile() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(#"{"code":0,"content":\#(teapot)}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let manager = stack().manager(SampledManager())
        (manager.own, manager.sampleMode) = (.file(file), .immediate)
        let product = try await manager.load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testNothingOfASampleIsKept() async throws {
        let stack = stack()
        let manager = stack.manager(SampledManager())
        manager.sampleMode = .immediate
        _ = try await manager.load(with: ["id": 7])
        manager.sampleMode = .off
        let product = try await manager.load(with: ["id": 7])
        XCTAssertEqual(product.name, "青花瓷茶壶")
    }

    func testAfterADelayByTheProxysClock() async throws {
        let stack = stack()
        let manager = stack.manager(SampledManager())
        manager.sampleMode = .delayed(30)
        manager.loadData(with: ["id": 3])
        await stack.clock.waitForSleepers()
        XCTAssertTrue(manager.isLoading)
        stack.clock.advance(by: 30)
        await until { !manager.isLoading }
        XCTAssertEqual(manager.output?.id, 3)
    }

    /// As in a preview, where nobody has logged in and no key is there.
    func testSampleNeedsNeitherALoginNorAKey() async throws {
        struct NoKey: Error {}
        struct KeylessSigner: RequestSigner {
            func sign(_ request: inout APIRequest, for call: APICall) async throws { throw NoKey() }
        }
        final class MembersManager: APIManager<Product> {
            let serviceIdentifier = ServiceIdentifier.test
            let methodName = "members/{id}"
            let requestType = HTTPMethod.post
            override var requiresLogin: Bool { true }
            override var sample: SampleResponse? { .json(["id": 7, "name": "sample"]) }
        }
        for session in [nil, TokenSession()] {
            let stack = Stack(transport) {
                $0.session = session
                $0.signer = KeylessSigner()
                $0.cookies = CookieJar()
                $0.csrf = CSRFProtection(endpoint: "csrf", at: "token", header: "X-CSRF")
            }
            let manager = stack.manager(MembersManager())
            manager.sampleMode = .immediate
            let product = try await manager.load(with: ["id": 7])
            XCTAssertEqual(product.name, "sample")
            manager.sampleMode = .off
            let error = await failure(manager, with: ["id": 7])
            XCTAssertNotNil(error, "which the real call needs")
            XCTAssertEqual(transport.requests.count, 0)
        }
    }

    func testSampleThatNeverComesKeepsLoading() async throws {
        let manager = stack().manager(SampledManager())
        manager.sampleMode = .never
        let requestID = manager.loadData(with: ["id": 3])
        for _ in 0..<50 { await Task.yield() }
        XCTAssertTrue(manager.isLoading)
        manager.cancelRequest(requestID)
        await until { manager.error?.kind == .cancelled }
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testSampleNeedsNoNetwork() async throws {
        let stack = Stack(Wire(stub: transport)) {
            $0.envelope = Envelope(code: "code", payload: "content")
        }
        stack.reachability.isConnected = false
        let manager = stack.manager(SampledManager())
        manager.sampleMode = .immediate
        _ = try await manager.load(with: ["id": 1])
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testAReleaseBuildForbidsIt() async throws {
        let stack = stack()
        let manager = stack.manager(SampledManager())
        manager.sampleMode = .immediate
        stack.proxy.sampleMode = .forbidden
        let product = try await manager.load(with: ["id": 7])
        XCTAssertEqual(product.name, "青花瓷茶壶")
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testTheLogSaysSo() async throws {
        let stack = stack()
        let lines = Locked<[String]>([])
        stack.proxy.addObserver(APILogger(.summary) { line in lines.withLock { $0.append(line) } })
        let manager = stack.manager(SampledManager())
        _ = try await manager.load(with: ["id": 1])
        manager.sampleMode = .immediate
        _ = try await manager.load(with: ["id": 2])
        XCTAssertEqual(lines.current.count, 2)
        XCTAssertFalse(lines.current[0].contains("(sample)"), lines.current[0])
        XCTAssertTrue(lines.current[1].contains("(sample) GET 200, "), lines.current[1])
    }
}
