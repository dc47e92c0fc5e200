import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

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

    func testCallsWithAnotherPolicyAreCountedApart() {
        fail(.test, "a")
        guard case .go = breakers.admit(.test, "a", policy: .standard, at: 0) else {
            return XCTFail("the other policy is not met")
        }
        XCTAssertEqual(pause(.test, "a", at: 0), 30)
    }

    func testASuccessfulTrialCloses() {
        fail(.test, "a")
        guard case .go(let trial) = breakers.admit(.test, "a", policy: policy, at: 30) else {
            return XCTFail("no trial")
        }
        XCTAssertEqual(pause(.test, "a", at: 30), 30)
        breakers.record(trial, failed: false, at: 31)
        XCTAssertNil(pause(.test, "a", at: 31))
    }

    func testATrialWithoutAVerdictIsGivenBack() {
        fail(.test, "a")
        guard case .go(let trial) = breakers.admit(.test, "a", policy: policy, at: 30) else {
            return XCTFail("no trial")
        }
        breakers.record(trial, failed: nil, at: 31)
        XCTAssertNil(pause(.test, "a", at: 31))
    }

    // MARK: Forgetting

    func testResultsOfABreakerThatWasForgottenAreNotCounted() {
        guard case .go(let late) = breakers.admit(.test, "a", policy: policy, at: 0) else {
            return XCTFail("does not go out")
        }
        for number in 0..<256 { _ = breakers.admit(.test, "\(number)", policy: policy, at: 1000) }
        guard case .go = breakers.admit(.test, "a", policy: policy, at: 1000) else {
            return XCTFail("does not go out")
        }
        for _ in 0..<policy.threshold { breakers.record(late, failed: true, at: 1000) }
        XCTAssertNil(pause(.test, "a", at: 1000))
    }

    func testIdleBreakersAreForgottenWhenThereAreMany() {
        fail(.test, "sick", at: 99_980)
        for number in 0..<10_000 {
            let uptime = TimeInterval(number * 10)
            guard case .go(let call) = breakers.admit(.test, "\(number)", policy: policy, at: uptime) else {
                return XCTFail("does not go out")
            }
            breakers.record(call, failed: false, at: uptime)
        }
        XCTAssertLessThanOrEqual(breakers.count, 256)
        XCTAssertEqual(pause(.test, "sick", at: 99_991), 19)
    }

    /// An app may make method names, all of which may fail.
    func testBreakersThatWereOpenLongAgoAreForgotten() {
        let policy = CircuitBreakerPolicy(window: 60, threshold: 1, openDuration: 30)
        for number in 0..<10_000 {
            let uptime = TimeInterval(number)
            guard case .go(let call) = breakers.admit(.test, "\(number)", policy: policy, at: uptime) else {
                return XCTFail("does not go out")
            }
            breakers.record(call, failed: true, at: uptime)
            // Half of them have been tried again.
            guard number > 40, number.isMultiple(of: 2) else { continue }
            _ = breakers.admit(.test, "\(number - 40)", policy: policy, at: uptime)
        }
        XCTAssertLessThanOrEqual(breakers.count, 512)
        guard case .open = breakers.admit(.test, "9990", policy: policy, at: 10_000) else {
            return XCTFail("an open one was forgotten")
        }
    }

    func testManyThreadsAtOnce() {
        let (breakers, policy) = (breakers, policy)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<500 {
                let verdict = breakers.admit(.test, "\(step % 7)", policy: policy, at: TimeInterval(step))
                guard case .go(let admission) = verdict else { continue }
                breakers.record(admission, failed: (step + thread) % 3 == 0, at: TimeInterval(step))
            }
        }
        XCTAssertEqual(breakers.count, 7)
    }

    // MARK: Support

    private func fail(_ service: ServiceIdentifier, _ methodName: String, at uptime: TimeInterval = 0) {
        for _ in 0..<policy.threshold {
            let verdict = breakers.admit(service, methodName, policy: policy, at: uptime)
            if case .go(let admission) = verdict { breakers.record(admission, failed: true, at: uptime) }
        }
    }

    /// For how long a call does not go out; `nil` where it does.
    private func pause(
        _ service: ServiceIdentifier, _ methodName: String, at uptime: TimeInterval
    ) -> TimeInterval? {
        switch breakers.admit(service, methodName, policy: policy, at: uptime) {
        case .open(let seconds): return seconds
        case .go(let admission):
            breakers.record(admission, failed: nil, at: uptime)
            return nil
        }
    }
}

extension CircuitBreakerRegistry {
    fileprivate func admit(
        _ service: ServiceIdentifier, _ methodName: String, policy: CircuitBreakerPolicy,
        at uptime: TimeInterval
    ) -> Verdict {
        admit(EndpointPlace(service: service, methodName: methodName), policy: policy, at: uptime)
    }
}
