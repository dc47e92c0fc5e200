import XCTest

@testable import DiscreteNetworking

/// What is let go of while the framework holds a lock: a `deinit` of the app's may come back and ask.
@MainActor
final class ReleaseTests: XCTestCase {
    private final class Probe: Decodable, Sendable {
        static let onEnd = Locked<(@MainActor @Sendable () -> Void)?>(nil)
        let id: Int
        deinit { if let ask = Self.onEnd.current { MainActor.assumeIsolated { ask() } } }
    }

    func testAnOutputMayAskItsManagerAsItGoes() async throws {
        let manager = Stack(ClosureTransport(json: #"{"id":7}"#)).manager(TestManager<Probe>())
        let answers = Locked<[Bool]>([])
        defer { Probe.onEnd.current = nil }
        _ = try await manager.load()
        Probe.onEnd.current = { [weak manager] in
            guard let manager else { return }
            answers.withLock { $0.append(manager.isLoading) }
        }
        // Replaced by the next one, then forgotten.
        _ = try await manager.load()
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
