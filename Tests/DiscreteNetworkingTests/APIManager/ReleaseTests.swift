import XCTest

@testable import DiscreteNetworkingCore

/// What is let go of while the framework holds a lock: a `deinit` of the app's may come back and ask.
@MainActor
final class ReleaseTests: XCTestCase {
    private final class Probe: Decodable, Sendable {
        let onEnd: @MainActor @Sendable () -> Void
        init(_ onEnd: @escaping @MainActor @Sendable () -> Void) { self.onEnd = onEnd }
        init(from decoder: any Decoder) { onEnd = {} }
        deinit { MainActor.assumeIsolated { onEnd() } }
    }

    /// The state is changed directly: the task of a call that went out may hold its output a little longer.
    func testAnOutputMayAskItsManagerAsItGoes() async {
        let manager = Stack(ClosureTransport(json: teapot)).manager(TestManager<Probe>())
        let answers = Locked<[Bool]>([])
        func finish() {
            let pending = PendingCall(manager.call([:]), proxy: manager.proxy, owner: manager)
            let head = TransportResponse(url: URL(string: "https://api.example.com")!, status: 200)
            var response = APIResponse(requestID: pending.call.requestID, params: [:], response: Box(head))
            response.output = Probe { [weak manager] in
                guard let manager else { return }
                answers.withLock { $0.append(manager.isLoading) }
            }
            manager.state.finish(pending, response)
        }
        finish()
        XCTAssertEqual(answers.current, [])
        // Replaced by the next one, then forgotten.
        finish()
        XCTAssertEqual(answers.current, [false])
        manager.cleanData()
        XCTAssertEqual(answers.current, [false, false])
    }

    private final class Observer: APICallObserver {
        let onEnd: @Sendable () -> Void
        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        func observe(_ event: APICallEvent) {}
        deinit { onEnd() }
    }

    func testAnObserverMayAskItsProxyAsItGoes() {
        let proxy = Stack(ClosureTransport(json: teapot)).proxy
        let others = Locked<[ApiProxy.ObserverID]>([])
        let id = proxy.addObserver(
            Observer { [weak proxy] in
                guard let proxy else { return }
                others.withLock { $0.append(proxy.addObserver(Observer {})) }
            })
        proxy.removeObserver(id)
        XCTAssertEqual(others.current.count, 1)
    }

    private final class LeavingService: Service {
        static let onEnd = Locked<(@Sendable () -> Void)?>(nil)
        var baseURL: URL { URL(string: "https://api.example.com")! }
        deinit { Self.onEnd.current?() }
    }

    func testAServiceMayAskItsFactoryAsItGoes() {
        let factory = ServiceFactory()
        factory.register([.test: LeavingService.self])
        XCTAssertNotNil(factory.service(for: .test))
        let heard = Locked<[ServiceIdentifier]>([])
        LeavingService.onEnd.current = { heard.current = factory.identifiers }
        defer { LeavingService.onEnd.current = nil }
        factory.register([.test: TestService.self])
        XCTAssertEqual(heard.current, [.test])
    }
}
