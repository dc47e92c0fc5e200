import Foundation
import XCTest

@testable import DiscreteNetworkingCore

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
                case .waiting(.otherCalls(let ahead)): "queued \(ahead)"
                case .waiting(let wait): "waiting \(wait)"
                case .joined: "joined"
                case .decoded: "decoded"
                case .requestBuilt: "built"
                case .sent: "sent"
                case .received(let response): "received \(response.status)"
                case .repeated(let seconds, _): "repeated \(seconds)"
                case .failedOver(_, let host, _): "host \(host.number) of \(host.count)"
                case .servedFromCache: "cache"
                case .notInCache(let reason): "not in cache: \(reason)"
                case .notShared(let reason): "not shared: \(reason)"
                case .recovered: "recovered"
                case .failed(_, let disposition): "failed \(disposition)"
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
        XCTAssertEqual(
            recorder.names, ["started", "built", "sent", "received 200", "decoded", "finished well"])
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
                "started", "built", "sent", "received 500", "failed retry(after: 0.0, limit: 3)",
                "repeated 0.0",
                "built",
                "sent", "received 500", "failed swallow", "finished swallowed",
            ])
        XCTAssertEqual(recorder.events.current.map(\.call.attempt), [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    }

    func testTheEventsOfACallThatIsSentAgainAfterARefresh() async throws {
        let stack = SessionStack()
        stack.desk.expire()
        let recorder = Recorder()
        let manager = stack.manager()
        manager.proxy.addObserver(recorder)
        _ = try await manager.load()
        let own = recorder.events.current.filter { $0.call.methodName == manager.methodName }
        XCTAssertEqual(
            own.compactMap {
                if case .repeated(let pause, let error) = $0.kind { "\(pause) \(error.kind)" } else { nil }
            }, ["0.0 http(status: 401)"])
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

    func testWaitsAndJoinedRequestsAreTold() async throws {
        let gate = Gate()
        let stack = Stack(
            Wire(
                stub: ClosureTransport { request in
                    await gate.pass()
                    return TransportResponse(request, json: teapot)
                }))
        let recorder = Recorder()
        stack.proxy.addObserver(recorder)
        stack.reachability.isConnected = false
        let (first, second) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        for manager in [first, second] {
            manager.ownNetwork = .waiting()
            manager.sharing = true
            manager.policy = .debounce(5)
            manager.loadData()
        }
        await until { recorder.names.filter { $0 == "waiting delay(5.0)" }.count == 2 }
        await until { stack.clock.sleepers == 2 }
        stack.clock.advance(by: 5)
        await until { recorder.names.filter { $0 == "waiting network" }.count == 2 }
        stack.reachability.isConnected = true
        await until { recorder.names.filter { $0 == "joined" }.count == 1 }
        gate.open()
        await until { recorder.names.filter { $0 == "finished well" }.count == 2 }
    }
}
