import XCTest

@testable import DiscreteNetworkingCore

/// What makes a call cheap, as far as it does not depend on the machine.
final class CallCostTests: XCTestCase {
    /// They are handed on by every step, and lie in the frame of every async function that has one.
    func testValuesPassedBetweenStepsAreSmall() {
        XCTAssertLessThanOrEqual(MemoryLayout<APICall>.size, 96)
        XCTAssertLessThanOrEqual(MemoryLayout<APIError>.size, 32)
        XCTAssertLessThanOrEqual(MemoryLayout<APIResponse>.size, 128)
        XCTAssertLessThanOrEqual(MemoryLayout<CallFailure>.size, 16)
        XCTAssertLessThanOrEqual(MemoryLayout<Interruption>.size, 40)
    }

    /// A step that was abandoned at its deadline, but still runs, changes only its own copy.
    @MainActor
    func testACopyOfAnAttemptIsChangedAlone() {
        struct Backend: Service { let baseURL = URL(string: "https://api.example.com")! }
        let call = APICall(
            serviceIdentifier: "backend", methodName: "items", requestType: .get, params: [:],
            outputType: NoContent.self, managerType: ManagerType(BaseAPIManager.self))
        var attempt = Attempt(
            call, ServiceInstance(Backend()),
            over: RedirectFollower(transport: ClosureTransport(json: ""), redaction: .standard))
        attempt.waits.further = 1
        var copy = attempt
        copy.waits.further += 1
        copy.call = copy.call.nextAttempt()
        copy.waits.requirements.insert(.login)
        copy.request = Box(APIRequest(url: Backend().baseURL))
        XCTAssertEqual(attempt.waits.further, 1)
        XCTAssertEqual(attempt.call.attempt, 1)
        XCTAssertEqual(attempt.waits.requirements, [])
        XCTAssertNil(attempt.request)
        XCTAssertEqual(copy.waits.further, 2)
        XCTAssertEqual(copy.call.attempt, 2)
        XCTAssertEqual(copy.waits.requirements, [.login])
        XCTAssertEqual(copy.request?.value.url, Backend().baseURL)
    }

    func testADeadlineThatIsCancelledInTimeSaysSo() async {
        let deadlines = Deadlines()
        let fired = Promise<Void>()
        let early = deadlines.schedule(after: 3600) {}
        XCTAssertTrue(deadlines.cancel(early))
        XCTAssertFalse(deadlines.cancel(early), "once")
        let late = deadlines.schedule(after: 0) { fired.fulfil(()) }
        await fired.value
        XCTAssertFalse(deadlines.cancel(late), "its action was called")
    }

    func testAMemoRemembersUpToItsLimitAndNoFailure() throws {
        struct Failure: Error {}
        let memo = Memo<Int, Int>(limit: 2)
        var made: [Int] = []
        func value(_ key: Int) throws -> Int {
            try memo.value(for: key) {
                made.append(key)
                if key < 0 { throw Failure() }
                return key * 2
            }
        }
        XCTAssertEqual(try [1, 1, 2, 2].map(value), [2, 2, 4, 4])
        XCTAssertEqual(made, [1, 2])
        XCTAssertThrowsError(try value(-1))
        XCTAssertThrowsError(try value(-1))
        XCTAssertEqual(made, [1, 2, -1, -1])
        _ = try value(3)
        _ = try value(1)
        XCTAssertEqual(made, [1, 2, -1, -1, 3, 1], "a third one drives the others out")
    }

    @MainActor
    func testAWaitingTaskDoesTheStepsBeforeItsResult() async throws {
        let waiter = LoadWaiter()
        let steps = Locked<[Int]>([])
        XCTAssertTrue(waiter.perform { steps.withLock { $0.append(1) } })
        XCTAssertTrue(
            waiter.perform {
                steps.withLock { $0.append(2) }
                waiter.finish(.success(7))
                waiter.finish(.success(8))
            })
        XCTAssertTrue(waiter.perform { steps.withLock { $0.append(3) } })
        XCTAssertEqual(steps.current, [], "nothing is done before it waits")
        let result = await waiter.result
        XCTAssertEqual(try result.get() as? Int, 7, "the first result counts")
        XCTAssertEqual(steps.current, [1, 2, 3])
        XCTAssertFalse(waiter.perform { steps.withLock { $0.append(4) } }, "it waits no longer")
        XCTAssertEqual(steps.current, [1, 2, 3])
    }
}
