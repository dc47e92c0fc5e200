import Foundation
import XCTest

@testable import DiscreteNetworking

/// What observers are told.
@MainActor
final class EventTests: XCTestCase {
    final class Recorder: APICallObserver {
        let events = Locked<[APICallEvent]>([])
        func observe(_ event: APICallEvent) { events.withLock { $0.append(event) } }
        var names: [String] {
            events.current.map { event in
                switch event.kind {
                case .started: "started"
                case .requestBuilt: "built"
                case .sent: "sent"
                case .received(let response): "received \(response.status)"
                case .repeated(let seconds, _): "repeated \(seconds)"
                case .failedOver(let host, _): "host \(host.number) of \(host.count)"
                case .servedFromCache: "cache"
                case .recovered: "recovered"
                case .intercepted(_, let disposition): "intercepted \(disposition)"
                case .finished(let error): "finished \(error.map { "\($0.kind)" } ?? "well")"
                }
            }
        }
    }

    func testTheEventsOfASuccessInOrder() async throws {
        let stack = Stack(ClosureTransport(json: teapot))
        let recorder = Recorder()
        stack.proxy.addObserver(recorder)
        let manager = stack.manager(ProductManager())
        _ = try await manager.load()
        XCTAssertEqual(recorder.names, ["started", "built", "sent", "received 200", "finished well"])
        let events = recorder.events.current
        XCTAssertEqual(Set(events.map(\.call.requestID)).count, 1)
        XCTAssertEqual(events.map(\.elapsed), events.map(\.elapsed).sorted())
    }

    func testTheEventsOfARepeatedFailure() async {
        let stack = Stack(ClosureTransport(json: "", status: 500)) { rules in
            rules.intercept = { $0.attempt == 1 ? .retry : .swallow }
        }
        let recorder = Recorder()
        stack.proxy.addObserver(recorder)
        _ = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(
            recorder.names,
            [
                "started", "built", "sent", "received 500", "intercepted retry(after: 0.0)", "repeated 0.0",
                "built",
                "sent", "received 500", "intercepted swallow", "finished intercepted",
            ])
        XCTAssertEqual(recorder.events.current.map(\.call.attempt), [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    }

    func testARefusedCallAndACancelledOneFinishToo() async {
        let stack = Stack(ClosureTransport(json: teapot))
        let recorder = Recorder()
        stack.proxy.addObserver(recorder)
        let manager = stack.manager(ProductManager())
        manager.loadData()
        manager.cancelAllRequests()
        await until { recorder.names.contains("finished cancelled") }
    }

    func testARemovedObserverIsToldNoMore() async throws {
        let stack = Stack(ClosureTransport(json: teapot))
        let (first, second) = (Recorder(), Recorder())
        let id = stack.proxy.addObserver(first)
        stack.proxy.addObserver(second)
        stack.proxy.removeObserver(id)
        _ = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(first.names, [])
        XCTAssertFalse(second.names.isEmpty)
    }
}
