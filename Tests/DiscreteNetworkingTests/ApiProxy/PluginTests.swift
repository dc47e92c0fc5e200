import DiscreteNetworkingSigning
import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Plugins of a proxy: in order, for all services, one outcome for each call.
@MainActor
final class PluginTests: XCTestCase {
    private func stack(
        _ transport: any Transport, _ plugins: any APIPlugin...,
        change: (inout TestService.Rules) -> Void = { _ in }
    ) -> Stack {
        let stack = Stack(transport, random: 0, change)
        stack.proxy.plugins = plugins
        return stack
    }

    private nonisolated static func appending(_ letter: String) -> ClosureTransform {
        ClosureTransform(
            onRequest: { $0.headers["X-Order"] = ($0.headers["X-Order"] ?? "") + letter },
            onResponse: { $0.headers["X-Order"] = ($0.headers["X-Order"] ?? "") + letter })
    }

    // MARK: Requests and responses

    func testEachSeesWhatTheOneBeforeMade() async throws {
        let server = try serve { .json(teapot).adding("X-Order", $0.header("X-Order") ?? "") }
        let stack = stack(StandardTransport.make(), Self.appending("a"), Self.appending("b")) { rules in
            rules.baseURL = server.baseURL
            rules.adapt = { request, _ in request.headers["X-Order"] = "service " }
        }
        let manager = stack.manager(ProductManager())
        _ = try await manager.load()
        XCTAssertEqual(server.requests.last?.header("X-Order"), "service ab")
        XCTAssertEqual(manager.response?.headers["X-Order"], "service abab")
        let request = try await manager.request()
        XCTAssertEqual(request.headers["X-Order"], "service ab", "shown as it would be sent")
    }

    /// Plugins see plain bodies; the signature covers what they wrote.
    func testPluginsRunInsideTheBodyTransformAndTheSigner() async throws {
        let seal = Seal()
        let transport = ClosureTransport { request in
            TransportResponse(url: request.url, status: 200, body: .data(seal.seal(Data(#"{"id":7}"#.utf8))))
        }
        let seen = Locked<[String]>([])
        let plugin = ClosureTransform(
            onRequest: { request in
                guard case .data(let body) = request.body else { return }
                seen.withLock { $0.append(body.utf8Text) }
                request.headers["X-Plugin"] = "here"
            },
            onResponse: { response in
                seen.withLock { $0.append(response.body.utf8Text) }
                response.body = Data(teapot.utf8)
            })
        let stack = stack(transport, plugin) {
            $0.transform = { _ in SealedBodies(seal) }
            $0.signer = HMACSigner(key: SigningKey("k"), headers: ["X-Plugin"])
        }
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        let product = try await manager.load(with: ["a": 1])
        XCTAssertEqual(product.name, "青花瓷茶壶")
        XCTAssertEqual(seen.current, [#"{"a":1}"#, #"{"id":7}"#])
    }

    func testPluginsPrepareEachAttemptAndReceiveFailures() async throws {
        let count = Locked(0)
        let transport = ClosureTransport { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return TransportResponse(request, json: teapot, status: isFirst ? 503 : 200)
        }
        let statuses = Locked<[Int]>([])
        let plugin = ClosureTransform(
            onRequest: { $0.headers["X-Nonce"] = UUID().uuidString },
            onResponse: { response in statuses.withLock { $0.append(response.status) } })
        _ = try await stack(transport, plugin) { $0.retry = .standard }.manager(ProductManager()).load()
        XCTAssertEqual(statuses.current, [503, 200])
        XCTAssertEqual(Set(transport.requests.map { $0.headers["X-Nonce"] }).count, 2)
    }

    func testErrorThrownByAPluginNamesThePlugin() async {
        let transport = ClosureTransport(json: teapot)
        let preparing = stack(transport, ClosureTransform(onRequest: { _ in throw Seal.Broken() }))
        let first = await failure(preparing.manager(ProductManager()))
        guard case .invalidRequest(let reason)? = first?.kind else {
            return XCTFail("\(String(describing: first))")
        }
        XCTAssertTrue(reason.contains("ClosureTransform") && reason.contains("Broken"), reason)
        XCTAssertEqual(transport.requests.count, 0)
        let processing = stack(transport, ClosureTransform(onResponse: { _ in throw Seal.Broken() }))
        let second = await failure(processing.manager(ProductManager()))
        guard case .decoding(let why)? = second?.kind else { return XCTFail("\(String(describing: second))") }
        XCTAssertTrue(why.reason.contains("ClosureTransform") && why.reason.contains("Broken"), why.reason)
    }

    /// A token that a plugin adds to all calls is not for another origin.
    func testPluginsDoNotPrepareRequestsToAnotherOrigin() async throws {
        let other = try serve { _ in .json(teapot) }
        let plugin = ClosureTransform(onRequest: { $0.headers["X-Api-Key"] = "s3cr3t" })
        let stack = stack(StandardTransport.make(), plugin)
        _ = try await stack.manager(ProductManager()).load(at: other.baseURL)
        XCTAssertEqual(other.requests.count, 1)
        XCTAssertNil(other.requests.last?.header("X-Api-Key"))
    }

    func testEachProxyHasItsOwn() async throws {
        let transport = ClosureTransport(json: teapot)
        let with = stack(transport, Self.appending("a"))
        let without = stack(transport)
        _ = try await with.manager(ProductManager()).load()
        _ = try await without.manager(ProductManager()).load()
        XCTAssertEqual(transport.requests.map { $0.headers["X-Order"] }, ["a", nil])
        with.proxy.plugins = []
        _ = try await with.manager(ProductManager()).load()
        XCTAssertNil(transport.requests.last?.headers["X-Order"])
    }

    func testTheTimeoutHoldsWhileAPluginRuns() async {
        let gate = Gate()
        for plugin in [
            ClosureTransform(onRequest: { _ in await gate.pass() }),
            ClosureTransform(onResponse: { _ in await gate.pass() }),
        ] {
            let stack = stack(ClosureTransport(json: teapot), plugin) { $0.timeout = 0.05 }
            let error = await failure(stack.manager(ProductManager()))
            XCTAssertEqual(error?.kind, .timedOut)
        }
        let recovering = ClosureTransform(onFailure: { _ in
            await gate.pass()
            return nil
        })
        let stack = stack(ClosureTransport(json: "", status: 500), recovering) { $0.timeout = 0.05 }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .http(status: 500), "as without the plugin")
        gate.open()
    }

    // MARK: Recovering

    private let spare = Product(id: 1, name: "spare")

    func testAFailureIsRecoveredFrom() async throws {
        let lines = Locked<[String]>([])
        let stack = stack(
            ClosureTransport(json: "", status: 500), ClosureTransform(),
            ClosureTransform(onFailure: { [spare] in $0.error.kind == .http(status: 500) ? spare : nil }),
            ClosureTransform(onFailure: { _ in Product(id: 2, name: "never asked") }))
        stack.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
        let (manager, screen) = (stack.manager(ProductManager()), Screen())
        manager.delegate = screen
        let product = try await manager.load()
        XCTAssertEqual(product, spare)
        XCTAssertEqual(manager.output, spare)
        XCTAssertEqual(screen.events, ["success"])
        XCTAssertEqual(manager.response?.status, 500)
        XCTAssertEqual(manager.response?.recoveredFailure?.kind, .http(status: 500))
        XCTAssertTrue(lines.current.contains { $0.contains("recovered from") }, "\(lines.current)")
    }

    func testAFailureWithoutAResponseIsRecoveredFrom() async throws {
        let stack = stack(
            ClosureTransport { _ in throw TransportError(.cannotConnect, message: "no") },
            ClosureTransform(onFailure: { [spare] _ in spare }))
        let manager = stack.manager(ProductManager())
        let product = try await manager.load()
        XCTAssertEqual(product, spare)
        XCTAssertEqual(manager.response?.status, 0)
    }

    func testTheServiceAndTheRetriesComeFirst() async throws {
        let transport = ClosureTransport(json: "", status: 503)
        let asked = Locked<[Int]>([])
        let stack = stack(
            transport,
            ClosureTransform(onFailure: { failure in
                asked.withLock { $0.append(failure.attempt) }
                return nil
            })
        ) { $0.retry = .standard }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .http(status: 503))
        XCTAssertEqual(asked.current, [3], "once, for the last attempt")
    }

    func testAValueOfAnotherTypeIsAnError() async {
        let stack = stack(
            ClosureTransport(json: "", status: 500), ClosureTransform(onFailure: { _ in "a teapot" }))
        let error = await failure(stack.manager(ProductManager()))
        guard case .decoding(let why)? = error?.kind else { return XCTFail("\(String(describing: error))") }
        for word in ["ClosureTransform", "String", "Product"] {
            XCTAssertTrue(why.reason.contains(word), why.reason)
        }
        XCTAssertEqual(error?.underlying?.kind, .http(status: 500))
    }

    func testAValueOfAnOptionalOutput() async throws {
        let stack = stack(
            ClosureTransport(json: "", status: 500), ClosureTransform(onFailure: { [spare] _ in spare }))
        let product = try await stack.manager(TestManager<Product?>()).load()
        XCTAssertEqual(product, spare)
    }

    func testTheValidatorSeesARecoveredValue() async {
        @MainActor final class Strict: APIManagerValidator {
            func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
                response.recoveredFailure == nil ? .valid : .invalid(reason: "no spares")
            }
        }
        let strict = Strict()
        let stack = stack(
            ClosureTransport(json: "", status: 500), ClosureTransform(onFailure: { [spare] _ in spare }))
        let manager = stack.manager(ProductManager())
        manager.validator = strict
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .invalidResponse(reason: "no spares"))
        XCTAssertEqual(error?.underlying?.kind, .http(status: 500))
    }

    func testPluginsAreNotAskedToRecoverSwallowedOrCanceledCalls() async {
        let asked = Locked(0)
        let gate = Gate()
        let stack = stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: "", status: 500)
            },
            ClosureTransform(onFailure: { [spare] _ in
                asked.withLock { $0 += 1 }
                return spare
            })
        ) { $0.intercept = { _ in .swallow } }
        let manager = stack.manager(ProductManager())
        let task = Task { await failure(manager) }
        await gate.arrival()
        task.cancel()
        let cancelled = await task.value
        XCTAssertEqual(cancelled?.kind, .cancelled)
        gate.open()
        let swallowed = await failure(manager)
        XCTAssertEqual(swallowed?.kind, .swallowed)
        XCTAssertEqual(asked.current, 0)
    }

    func testACallIsCanceledWhileItIsRecoveredFrom() async {
        let gate = Gate()
        let stack = stack(
            ClosureTransport(json: "", status: 500),
            ClosureTransform(onFailure: { [spare] _ in
                await gate.pass()
                return spare
            }))
        let (manager, screen) = (stack.manager(ProductManager()), Screen())
        manager.delegate = screen
        let id = manager.loadData()
        await gate.arrival()
        manager.cancelRequest(id)
        await until { !screen.events.isEmpty }
        gate.open()
        for _ in 1...50 { await Task.yield() }
        XCTAssertEqual(screen.events, ["failure"])
        XCTAssertEqual(manager.error?.kind, .cancelled)
    }
}
