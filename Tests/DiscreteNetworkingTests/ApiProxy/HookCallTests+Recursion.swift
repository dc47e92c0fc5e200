import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// A hook while its call holds a slot, hooks that call one another, and the proxy that a call has.
extension HookCallTests {
    // MARK: Slots

    /// The call has waited for its slot, and holds it while its cached response is read.
    func testAStoredResponseIsProcessedWithoutADeadlock() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            if request.url.path == "/busy" { await gate.pass() }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.limit = 1 }
        let count = Locked(0)
        stack.proxy.plugins = [
            HookPlugin(process: { call in
                guard call.methodName == "stored" else { return }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // The received response, the stored one before the call waits, and again with its slot.
                if number == 3 { try await Self.callInHook() }
            })
        ]
        let stored = stack.manager(ProductManager())
        stored.methodName = "stored"
        stored.ownCache = CachePolicy(.revalidate)
        _ = try await stored.load(with: [:])
        let busy = stack.manager(ProductManager())
        busy.methodName = "busy"
        busy.loadData(with: [:])
        await gate.arrival()
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        stored.loadData(with: [:])
        await until { recorder.names.contains { $0.hasPrefix("queued") } }
        gate.open()
        await until { !stored.isLoading && !busy.isLoading }
        XCTAssertNil(stored.error)
        XCTAssertEqual(transport.requests.map(\.url.path), ["/stored", "/busy", "/inner", "/stored"])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    // MARK: Recursion

    /// A hook that calls its own service for each call.
    func testHooksThatCallOneAnotherEndWithAnError() async throws {
        for hook in [Hook.adapt, .sign, .encode, .adaptPlugin] {
            let (stack, transport) = stack(calling: hook, always: true)
            let manager = stack.manager(ProductManager())
            manager.requestType = .post
            let error = await failure(manager, with: ["a": 1])
            XCTAssertEqual(error?.kind, .nestedTooDeeply(limit: 5), "\(hook)")
            XCTAssertEqual(transport.requests.count, 0, "\(hook)")
            let text = error?.localizedDescription ?? ""
            XCTAssertTrue(text.contains("test/products/detail → test/inner → test/inner"), text)
        }
    }

    /// What such a hook does with the error is its affair; the outer calls have their own outcomes.
    func testHooksAfterTheResponseEndAsWell() async throws {
        for hook in [Hook.decode, .process, .recover, .intercept] {
            let (stack, transport) = stack(calling: hook, always: true)
            _ = await failure(stack.manager(ProductManager()), with: ["a": 1])
            XCTAssertEqual(transport.requests.count, 6, "\(hook)")
        }
    }

    /// Tasks that a hook starts for later are no recursion, however many follow one another.
    func testACallAfterTheEndOfItsCallIsNotNested() async throws {
        let (transport, count) = (Self.transport(), Locked(0))
        let stack = Stack(transport)
        stack.change {
            $0.adapt = { [proxy = stack.proxy] _, call in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number < 20 else { return }
                Task { @MainActor in
                    await until { !proxy.requestIDs.contains(call.requestID) }
                    _ = try await Self.callInHook()
                }
            }
        }
        _ = try await stack.manager(ProductManager()).load(with: [:])
        await until { transport.requests.count == 20 }
    }

    // MARK: The proxy of a call

    func testACallHasItsProxyAndDoesNotRetainIt() async throws {
        let seen = Locked<APICall?>(nil)
        weak var proxy: ApiProxy?
        do {
            let stack = Stack(Self.transport())
            stack.change { $0.adapt = { _, call in seen.current = call } }
            _ = try await stack.manager(ProductManager()).load(with: [:])
            XCTAssertTrue(seen.current?.proxy === stack.proxy)
            proxy = stack.proxy
        }
        await until { proxy == nil }
        let manager = ProductManager()
        manager.proxy = try XCTUnwrap(seen.current).proxy
        let error = await failure(manager)
        XCTAssertFalse(manager.proxy === ApiProxy.shared)
        XCTAssertEqual(error?.kind, .serviceNotRegistered)
    }
}
