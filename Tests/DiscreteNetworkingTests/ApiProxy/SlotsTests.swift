import XCTest

@testable import DiscreteNetworkingCore

/// What policies keep with an attempt, a call and a proxy.
final class SlotsTests: XCTestCase {
    private struct OfRequest: AttemptState, Equatable {
        static let lifetime = SlotLifetime.request
        var text = ""
    }

    private struct OfAttempt: AttemptState {
        static let lifetime = SlotLifetime.attempt
    }

    private struct OfEnvironment: AttemptState {
        static let lifetime = SlotLifetime.environment
        let ended: Locked<Int>

        func end() { ended.withLock { $0 += 1 } }
    }

    private struct OfCall: AttemptState {
        static let lifetime = SlotLifetime.call
    }

    private final class OfProxy: ProxyState {}

    private struct Backend: Service { let baseURL = URL(string: "https://api.example.com")! }

    @MainActor
    private func attempt(ended: Locked<Int> = Locked(0)) -> Attempt {
        let call = APICall(
            serviceIdentifier: "backend", methodName: "items", requestType: .get, params: [:],
            outputType: NoContent.self, managerType: ManagerType(BaseAPIManager.self))
        var attempt = Attempt(
            call, ServiceInstance(Backend()),
            over: RedirectFollower(transport: ClosureTransport(json: ""), redaction: .standard))
        attempt.take(Box(APIRequest(url: Backend().baseURL)))
        attempt[OfRequest.self] = OfRequest()
        attempt[OfAttempt.self] = OfAttempt()
        attempt[OfEnvironment.self] = OfEnvironment(ended: ended)
        attempt[OfCall.self] = OfCall()
        return attempt
    }

    /// The first letters of what an attempt still has.
    private func kept(_ attempt: Attempt) -> String {
        [
            attempt.request == nil ? "" : "q", attempt[OfRequest.self] == nil ? "" : "r",
            attempt[OfAttempt.self] == nil ? "" : "a", attempt[OfEnvironment.self] == nil ? "" : "e",
            attempt[OfCall.self] == nil ? "" : "c",
        ].joined()
    }

    @MainActor
    func testEachIsKeptAsLongAsItsLifetime() async {
        var attempt = attempt()
        XCTAssertEqual(kept(attempt), "qraec")
        attempt.dropRequest()
        XCTAssertEqual(kept(attempt), "aec")
        attempt = self.attempt()
        attempt.restart()
        XCTAssertEqual(kept(attempt), "ec")
        attempt = self.attempt()
        attempt.advance(after: ApiProxy().error(.timedOut, of: attempt.call))
        XCTAssertEqual(kept(attempt), "ec")
        attempt.endStates(.environment)
        XCTAssertEqual(kept(attempt), "c")
        attempt.endStates(.call)
        XCTAssertEqual(kept(attempt), "")
    }

    @MainActor
    func testAStateIsToldOnceThatItEnds() async {
        let ended = Locked(0)
        var attempt = attempt(ended: ended)
        attempt.restart()
        XCTAssertEqual(ended.current, 0)
        attempt.endStates(.environment)
        attempt.endStates(.call)
        XCTAssertEqual(ended.current, 1)
    }

    @MainActor
    func testOneOfEachTypeIsKept() async {
        var attempt = attempt()
        attempt[OfRequest.self] = OfRequest(text: "new")
        var copy = attempt
        copy[OfRequest.self]?.text = "of the copy"
        XCTAssertEqual(attempt[OfRequest.self], OfRequest(text: "new"))
        XCTAssertEqual(copy[OfRequest.self], OfRequest(text: "of the copy"))
        attempt[OfRequest.self] = nil
        XCTAssertEqual(kept(attempt), "qaec")
        XCTAssertEqual(kept(copy), "qraec")
    }

    #if DEBUG
        @MainActor
        func testAStepNamesWhatItUses() async {
            struct Step: CallStep {
                static let place = StepPlace.request
                static var uses: [any AttemptState.Type] { [OfCall.self] }

                func run(
                    _ attempt: inout Attempt, _ rest: CallSteps
                ) async throws(Interruption) -> APIResponse { throw .over }
            }
            var attempt = attempt()
            XCTAssertNil(attempt.undeclaredUse(of: OfRequest.self), "between steps")
            attempt.step = Step.self
            XCTAssertNil(attempt.undeclaredUse(of: OfCall.self))
            XCTAssertEqual(
                attempt.undeclaredUse(of: OfRequest.self), "Step uses OfRequest without naming it")
        }
    #endif

    func testAProxyMakesItsStateOnce() {
        let (proxy, other) = (ApiProxy(), ApiProxy())
        XCTAssertNil(proxy.known(OfProxy.self))
        let state = proxy.state { OfProxy() }
        XCTAssertTrue(proxy.state { OfProxy() } === state)
        XCTAssertTrue(proxy.known(OfProxy.self) === state)
        XCTAssertFalse(other.state { OfProxy() } === state)
    }
}
