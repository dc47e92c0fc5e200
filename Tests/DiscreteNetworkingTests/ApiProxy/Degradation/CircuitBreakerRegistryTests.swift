import Foundation
import XCTest

@testable import DiscreteNetworkingCore

final class CircuitBreakerRegistryTests: XCTestCase {
    private let breakers = CircuitBreakerRegistry()
    private let policy = CircuitBreakerPolicy(threshold: 2, openDuration: 30)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    func testEveryEndpointHasABreakerOfItsOwn() {
        fail(.test, "a")
        XCTAssertEqual(pause(.test, "a", at: 10), 20)
        XCTAssertNil(pause(.test, "b", at: 10))
        XCTAssertNil(pause(.other, "a", at: 10))
    }

    func testCallsWithAnotherPolicyOrNoneAreCountedApart() {
        fail(.test, "a")
        guard case .go(nil) = breakers.admit(.test, "a", policy: nil, at: 0) else {
            return XCTFail("a call without a policy goes out and has nothing to hand in")
        }
        guard case .go(.some) = breakers.admit(.test, "a", policy: .standard, at: 0) else {
            return XCTFail("the other policy is not met")
        }
        XCTAssertEqual(pause(.test, "a", at: 0), 30)
    }

    func testASuccessfulTrialCloses() {
        fail(.test, "a")
        guard case .go(let trial?) = breakers.admit(.test, "a", policy: policy, at: 30) else {
            return XCTFail("no trial")
        }
        XCTAssertEqual(pause(.test, "a", at: 30), 30)
        breakers.record(trial, failed: false, at: 31)
        XCTAssertNil(pause(.test, "a", at: 31))
    }

    func testATrialWithoutAVerdictIsGivenBack() {
        fail(.test, "a")
        guard case .go(let trial?) = breakers.admit(.test, "a", policy: policy, at: 30) else {
            return XCTFail("no trial")
        }
        breakers.record(trial, failed: nil, at: 31)
        XCTAssertNil(pause(.test, "a", at: 31))
    }

    // MARK: A service's own word

    func testAServiceMayDegradeOneEndpoint() {
        breakers.degrade(.test, "a", until: now + 50, now: now, at: 100)
        XCTAssertEqual(pause(.test, "a", at: 110), 40)
        XCTAssertEqual(pause(.test, "a", nil, at: 110), 40, "without a breaker, too")
        XCTAssertNil(pause(.test, "b", at: 110))
        XCTAssertNil(pause(.other, "a", at: 110))
        XCTAssertNil(pause(.test, "a", at: 150))
    }

    func testAServiceMayDegradeAllItsEndpoints() {
        breakers.degrade(.test, nil, until: now + 50, now: now, at: 100)
        breakers.degrade(.test, "a", until: now + 10, now: now, at: 100)
        XCTAssertEqual(pause(.test, "a", at: 100), 50, "the longer one counts")
        XCTAssertEqual(pause(.test, "b", at: 100), 50)
        XCTAssertNil(pause(.other, "a", at: 100))
    }

    func testTheLastWordCountsAndATimeInThePastTakesItBack() {
        breakers.degrade(.test, "a", until: .distantFuture, now: now, at: 100)
        XCTAssertNotNil(pause(.test, "a", at: 1e6))
        breakers.degrade(.test, "a", until: now + 5, now: now, at: 100)
        XCTAssertEqual(pause(.test, "a", at: 100), 5)
        breakers.degrade(.test, "a", until: now, now: now, at: 100)
        XCTAssertNil(pause(.test, "a", at: 100))
        breakers.degrade(.test, "a", until: Date(timeIntervalSince1970: .nan), now: now, at: 100)
        XCTAssertNil(pause(.test, "a", at: 100))
    }

    func testACallThatAWordHoldsBackIsNotOnTrial() {
        fail(.test, "a")
        breakers.degrade(.test, "a", until: now + 40, now: now, at: 0)
        XCTAssertEqual(pause(.test, "a", at: 35), 5)
        XCTAssertNil(pause(.test, "a", at: 40))
    }

    // MARK: Forgetting

    func testAResetForgetsWhatItNames() {
        func sicken() {
            for service in [ServiceIdentifier.test, .other] {
                for name in ["a", "b"] { fail(service, name) }
                breakers.degrade(service, "c", until: now + 60, now: now, at: 0)
            }
        }
        func paused() -> String {
            [ServiceIdentifier.test, .other].map { service in
                ["a", "b", "c"].filter { pause(service, $0, at: 0) != nil }.joined()
            }.joined(separator: " ")
        }
        sicken()
        XCTAssertEqual(paused(), "abc abc")
        breakers.reset(.test, "a")
        XCTAssertEqual(paused(), "bc abc")
        breakers.reset(.test)
        XCTAssertEqual(paused(), " abc")
        sicken()
        breakers.reset()
        XCTAssertEqual(paused(), " ")
    }

    func testResultsFromBeforeAResetAreNotCounted() {
        guard case .go(let first?) = breakers.admit(.test, "a", policy: policy, at: 0),
            case .go(let second?) = breakers.admit(.test, "a", policy: policy, at: 0)
        else { return XCTFail("does not go out") }
        breakers.reset()
        XCTAssertNil(pause(.test, "a", at: 0))
        for admission in [first, second] { breakers.record(admission, failed: true, at: 1) }
        XCTAssertNil(pause(.test, "a", at: 1))
    }

    func testIdleBreakersAreForgottenWhenThereAreMany() {
        fail(.test, "sick", at: 95_000)
        for number in 0..<10_000 {
            let uptime = TimeInterval(number * 10)
            guard case .go(let call?) = breakers.admit(.test, "\(number)", policy: policy, at: uptime) else {
                return XCTFail("does not go out")
            }
            breakers.record(call, failed: false, at: uptime)
        }
        XCTAssertLessThanOrEqual(breakers.count, 256)
        XCTAssertEqual(pause(.test, "sick", at: 95_001), 29)
    }

    func testManyThreadsAtOnce() {
        let (breakers, policy) = (breakers, policy)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<500 {
                let verdict = breakers.admit(.test, "\(step % 7)", policy: policy, at: TimeInterval(step))
                guard case .go(let admission?) = verdict else { continue }
                breakers.record(admission, failed: (step + thread) % 3 == 0, at: TimeInterval(step))
            }
        }
        XCTAssertEqual(breakers.count, 7)
    }

    // MARK: Support

    private func fail(_ service: ServiceIdentifier, _ methodName: String, at uptime: TimeInterval = 0) {
        for _ in 0..<policy.threshold {
            let verdict = breakers.admit(service, methodName, policy: policy, at: uptime)
            if case .go(let admission?) = verdict { breakers.record(admission, failed: true, at: uptime) }
        }
    }

    private func pause(
        _ service: ServiceIdentifier, _ methodName: String, at uptime: TimeInterval
    ) -> TimeInterval? {
        pause(service, methodName, policy, at: uptime)
    }

    /// For how long a call does not go out; `nil` where it does.
    private func pause(
        _ service: ServiceIdentifier, _ methodName: String, _ policy: CircuitBreakerPolicy?,
        at uptime: TimeInterval
    ) -> TimeInterval? {
        switch breakers.admit(service, methodName, policy: policy, at: uptime) {
        case .degraded(let seconds): return seconds
        case .go(let admission):
            if let admission { breakers.record(admission, failed: nil, at: uptime) }
            return nil
        }
    }
}

extension CircuitBreakerRegistry {
    fileprivate func admit(
        _ service: ServiceIdentifier, _ methodName: String, policy: CircuitBreakerPolicy?,
        at uptime: TimeInterval
    ) -> Verdict {
        admit(EndpointPlace(service: service, methodName: methodName), policy: policy, at: uptime)
    }

    fileprivate func degrade(
        _ service: ServiceIdentifier, _ methodName: String?, until: Date, now: Date, at uptime: TimeInterval
    ) {
        degrade(EndpointPlace(service: service, methodName: methodName), until: until, now: now, at: uptime)
    }
}
