import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Calls that code of the app makes in the course of another call: over the proxy of that call, without a deadlock.
@MainActor
final class HookCallTests: XCTestCase {
    // MARK: Over the proxy of the call

    func testManagersMadeInHooksUseTheProxyOfTheCall() async throws {
        for hook in Hook.allCases {
            let (stack, transport) = stack(calling: hook)
            let manager = stack.manager(ProductManager())
            manager.requestType = .post
            _ = try await manager.load(with: ["a": 1])
            let inner = transport.requests.filter { $0.url.path == "/inner" }
            XCTAssertEqual(inner.count, 1, "\(hook)")
        }
    }

    func testManagersMadeForARefreshOrALoginUseTheProxyOfTheCall() async throws {
        let transport = Self.transport()
        let stack = Stack(transport)
        let login = HookLogin()
        let session = TokenSession(login: login) { _, _ in
            _ = try await Self.callInHook("refresh", usesSession: false)
            throw SessionProblem.invalid
        }
        session.adopt(SessionTokens(accessToken: "old", refreshToken: "r", user: "u"))
        stack.change { $0.session = session }
        let manager = stack.manager(ProductManager())
        manager.methodName = "protected"
        _ = try await manager.load(with: [:])
        XCTAssertEqual(
            transport.requests.map(\.url.path), ["/protected", "/refresh", "/login", "/protected"])
    }

    /// All events, whoever causes them.
    func testManagersMadeByObserversUseTheProxyOfTheCall() async throws {
        let observer = ProxyObserver()
        let stack = Stack(Self.transport()).observed(by: observer)
        let manager = stack.manager(ProductManager())
        await withCheckedContinuation { done in
            manager.loadData(with: [:]) { _ in done.resume() }
        }
        await until { observer.proxies.current.count >= 5 }
        XCTAssertTrue(observer.proxies.current.allSatisfy { $0 === stack.proxy })
    }

    func testATaskThatOutlivesItsHookUsesTheProxyOfTheCall() async throws {
        let (transport, gate) = (Self.transport(), Gate())
        let stack = Stack(transport)
        stack.change {
            $0.adapt = { _, call in
                guard call.methodName != "inner" else { return }
                Task {
                    await gate.pass()
                    _ = try await Self.callInHook()
                }
            }
        }
        _ = try await stack.manager(ProductManager()).load(with: [:])
        gate.open()
        await until { transport.requests.contains { $0.url.path == "/inner" } }
    }

    /// What is told about a call is no part of it, also if the call was made in a hook.
    func testDelegatesAndClosuresAreNoHooks() async throws {
        let seen = Locked<[ApiProxy]>([])
        let stack = Stack(Self.transport())
        let delegate = ProxyDelegate { seen.withLock { $0.append(ProductManager().proxy) } }
        stack.change {
            $0.adapt = { _, call in
                guard call.methodName != "inner" else { return }
                try await Self.tellInHook(delegate) { seen.withLock { $0.append(ProductManager().proxy) } }
            }
        }
        let manager = stack.manager(ProductManager())
        manager.delegate = delegate
        await withCheckedContinuation { done in
            manager.loadData(with: [:]) { _ in done.resume() }
        }
        XCTAssertEqual(seen.current.count, 3)
        XCTAssertTrue(seen.current.allSatisfy { $0 === ApiProxy.shared })
    }

    // MARK: Deadlocks

    func testCallsMadeInHooksDoNotWaitForTheSlotOfTheirCall() async throws {
        for hook in Hook.allCases {
            let (stack, _) = stack(calling: hook) { $0.limit = 1 }
            let managers = (1...4).map { number in
                let manager = stack.manager(ProductManager())
                manager.requestType = .post
                manager.methodName = "a\(number)"
                return manager
            }
            for manager in managers { manager.loadData(with: ["a": 1]) }
            await until { !managers.contains { $0.isLoading } }
            XCTAssertEqual(managers.compactMap(\.output).count, 4, "\(hook)")
            XCTAssertEqual(stack.proxy.queue.count, 0, "\(hook)")
        }
    }

    /// The refresh's own request needs a call that would wait for the refresh.
    func testARefreshDoesNotWaitForACallInItsHook() async throws {
        let transport = Self.transport()
        let stack = Stack(transport)
        let session = TokenSession { _, proxy in
            _ = try await Self.callInHook("refresh", usesSession: false)
            return SessionTokens(accessToken: "new", refreshToken: "r", user: "u")
        }
        session.adopt(SessionTokens(accessToken: "old", refreshToken: "r", user: "u"))
        stack.change {
            $0.session = session
            $0.adapt = { _, call in if call.methodName == "refresh" { _ = try await Self.callInHook() } }
        }
        let manager = stack.manager(ProductManager())
        manager.methodName = "protected"
        _ = try await manager.load(with: [:])
        XCTAssertEqual(
            transport.requests.map(\.url.path), ["/protected", "/inner", "/refresh", "/protected"])
    }

    // MARK: Parts

    /// The hooks that may make calls.
    enum Hook: CaseIterable {
        case adapt, sign, encode, decode, adaptPlugin, process, recover, intercept
    }

    /// A stack in which one hook of each call makes a call.
    func stack(
        calling hook: Hook, always: Bool = false, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> (Stack, ClosureTransport) {
        let fails = hook == .recover || hook == .intercept
        let transport =
            fails && always ? ClosureTransport(json: "", status: 500) : Self.transport(failing: fails)
        let stack = Stack(transport, change)
        let call: @Sendable (APICall) async throws -> Void = {
            if always {
                try await Self.callInHook(params: ["a": 1])
            } else {
                try await Self.callInHook(unless: $0)
            }
        }
        stack.change { rules in
            switch hook {
            case .adapt: rules.adapt = { try await call($1) }
            case .sign: rules.signer = HookSigner(sign: call)
            case .encode: rules.transform = { _ in HookTransform(encode: call) }
            case .decode: rules.transform = { _ in HookTransform(decode: call) }
            case .intercept:
                rules.intercept = { failure in
                    try? await call(failure.call)
                    return failure.attempt == 1 && !always ? .retry : .report
                }
            case .adaptPlugin, .process, .recover: break
            }
        }
        switch hook {
        case .adaptPlugin: stack.proxy.plugins = [HookPlugin(adaptPlugin: call)]
        case .process: stack.proxy.plugins = [HookPlugin(process: call)]
        case .recover: stack.proxy.plugins = [HookPlugin(recover: call)]
        default: break
        }
        return (stack, transport)
    }

    /// - Parameter failing: Whether the first request of each path fails.
    nonisolated static func transport(failing: Bool = false) -> ClosureTransport {
        let seen = Locked<Set<String>>([])
        return ClosureTransport { request in
            let path = request.url.path
            let isFirst = seen.withLock { $0.insert(path).inserted }
            if path == "/protected", isFirst { return TransportResponse(request, json: "", status: 401) }
            let fails = failing && isFirst && path != "/inner"
            return TransportResponse(request, json: teapot, status: fails ? 500 : 200)
        }
    }

    /// Makes a call as apps do, with a manager that gets no proxy.
    @discardableResult
    nonisolated static func callInHook(
        _ name: String = "inner", params: Params = [:], usesSession: Bool = true
    ) async throws -> Product {
        try await { @MainActor in
            let manager = ProductManager()
            manager.methodName = name
            manager.requestType = params.isEmpty ? .get : .post
            manager.ownSessionUse = usesSession
            return try await manager.load(with: params)
        }()
    }

    private nonisolated static func callInHook(unless outer: APICall) async throws {
        if outer.methodName != "inner" { try await callInHook() }
    }

    private static func tellInHook(
        _ delegate: ProxyDelegate, then tell: @escaping @MainActor @Sendable () -> Void
    ) async throws {
        let manager = ProductManager()
        manager.methodName = "inner"
        manager.delegate = delegate
        await withCheckedContinuation { done in
            manager.loadData(with: [:]) { _ in
                tell()
                done.resume()
            }
        }
    }
}

private struct HookSigner: RequestSigner {
    let sign: @Sendable (APICall) async throws -> Void
    func sign(_ request: inout APIRequest, for call: APICall) async throws { try await sign(call) }
}

private struct HookTransform: BodyTransform {
    var encode: @Sendable (APICall) async throws -> Void = { _ in }
    var decode: @Sendable (APICall) async throws -> Void = { _ in }
    func encode(_ request: inout APIRequest, for call: APICall) async throws { try await encode(call) }
    func decode(_ response: inout APIResponse, for call: APICall) async throws { try await decode(call) }
}

struct HookPlugin: APIPlugin {
    var adaptPlugin: @Sendable (APICall) async throws -> Void = { _ in }
    var process: @Sendable (APICall) async throws -> Void = { _ in }
    var recover: (@Sendable (APICall) async throws -> Void)?
    func adapt(_ request: inout APIRequest, for call: APICall) async throws { try await adaptPlugin(call) }
    func process(_ response: inout APIResponse, for call: APICall) async throws { try await process(call) }
    func recover(from failure: FailureContext) async -> (any Sendable)? {
        guard let recover else { return nil }
        try? await recover(failure.call)
        return Product(id: 1, name: "spare")
    }
}

@MainActor private final class HookLogin: SessionLogin {
    func logIn(to session: TokenSession) async -> LoginOutcome {
        do {
            _ = try await HookCallTests.callInHook("login", usesSession: false)
            return .loggedIn(SessionTokens(accessToken: "new", refreshToken: "r", user: "u"))
        } catch {
            return .failed(error)
        }
    }
}

@MainActor private final class ProxyDelegate: APIManagerDelegate {
    let tell: () -> Void
    init(_ tell: @escaping () -> Void) { self.tell = tell }
    func managerDidSucceed(_ manager: BaseAPIManager) { tell() }
    func managerDidFail(_ manager: BaseAPIManager) {}
}

private struct ProxyObserver: APICallObserver {
    let proxies = Locked<[ApiProxy]>([])
    func observe(_ event: APICallEvent) {
        Task { @MainActor in
            let proxy = ProductManager().proxy
            proxies.withLock { $0.append(proxy) }
        }
    }
}
