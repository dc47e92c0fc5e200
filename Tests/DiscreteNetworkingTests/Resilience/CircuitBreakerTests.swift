import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

final class CircuitBreakerTests: XCTestCase {
    private static let policy = CircuitBreakerPolicy(window: 60, threshold: 3, ratio: 0.5, openDuration: 30)

    // MARK: Closed

    func testFailuresUpToTheThresholdOpenIt() {
        var breaker = Subject(Self.policy)
        breaker.calls("ff", at: 0)
        XCTAssertTrue(breaker.goes(at: 0))
        breaker.calls("f", at: 1)
        XCTAssertEqual(breaker.openUntil(at: 1), 31)
        XCTAssertEqual(breaker.openUntil(at: 30.9), 31)
    }

    func testFailuresOlderThanTheWindowDoNotCount() {
        var breaker = Subject(Self.policy)
        breaker.calls("ff", at: 0)
        breaker.calls("f", at: 60)
        XCTAssertTrue(breaker.goes(at: 60))
        breaker.calls("f", at: 61)
        XCTAssertTrue(breaker.goes(at: 61))
        breaker.calls("f", at: 113)
        XCTAssertFalse(breaker.goes(at: 113))
    }

    func testFailuresThatAreASmallPartOfAllCallsDoNotOpenIt() {
        var breaker = Subject(Self.policy)
        breaker.calls("ssssffff", at: 0)
        XCTAssertFalse(breaker.goes(at: 0), "half of all")
        breaker = Subject(Self.policy)
        breaker.calls("sssssffff", at: 0)
        XCTAssertTrue(breaker.goes(at: 0), "less than half")
        breaker.calls("f", at: 59)
        XCTAssertFalse(breaker.goes(at: 59))
        var strict = Subject(CircuitBreakerPolicy(threshold: 3, ratio: 0))
        strict.calls(String(repeating: "s", count: 100) + "fff", at: 0)
        XCTAssertFalse(strict.goes(at: 0))
    }

    // MARK: Half open

    func testAfterThePauseOneCallIsOnTrialAndItsSuccessCloses() {
        var breaker = Subject(Self.policy)
        breaker.calls("fff", at: 0)
        let trial = breaker.admission(at: 30)
        XCTAssertEqual(breaker.openUntil(at: 30), 60)
        breaker.breaker.record(success: true, of: trial, at: 31)
        breaker.calls("ff", at: 31)
        XCTAssertTrue(breaker.goes(at: 31), "the failures before are forgotten")
    }

    func testAFailedTrialOpensItAgain() {
        var breaker = Subject(Self.policy)
        breaker.calls("fff", at: 0)
        let trial = breaker.admission(at: 30)
        breaker.breaker.record(success: false, of: trial, at: 40)
        XCTAssertEqual(breaker.openUntil(at: 40), 70)
    }

    func testACancelledTrialMakesRoomForAnother() {
        var breaker = Subject(Self.policy)
        breaker.calls("fff", at: 0)
        let trial = breaker.admission(at: 30)
        XCTAssertFalse(breaker.goes(at: 30))
        breaker.breaker.abandon(trial)
        XCTAssertTrue(breaker.goes(at: 30))
        XCTAssertFalse(breaker.goes(at: 30))
    }

    func testATrialThatTakesTooLongMakesRoomForAnotherAndCountsNoMore() {
        var breaker = Subject(Self.policy)
        breaker.calls("fff", at: 0)
        let slow = breaker.admission(at: 30)
        XCTAssertFalse(breaker.goes(at: 59))
        let next = breaker.admission(at: 60)
        breaker.breaker.abandon(slow)
        XCTAssertFalse(breaker.goes(at: 60))
        breaker.breaker.record(success: true, of: slow, at: 61)
        XCTAssertFalse(breaker.goes(at: 61))
        breaker.breaker.record(success: true, of: next, at: 61)
        XCTAssertTrue(breaker.goes(at: 61))
    }

    func testAsManyTrialsAsThePolicySays() {
        var breaker = Subject(CircuitBreakerPolicy(threshold: 1, openDuration: 30, halfOpenCalls: 2))
        breaker.calls("f", at: 0)
        XCTAssertTrue(breaker.goes(at: 30))
        XCTAssertTrue(breaker.goes(at: 30))
        XCTAssertFalse(breaker.goes(at: 30))
    }

    // MARK: Late results

    func testAResultFromBeforeTheOpeningChangesNothing() {
        var breaker = Subject(Self.policy)
        let late = (0..<4).map { _ in breaker.admission(at: 0) }
        breaker.calls("fff", at: 0)
        breaker.breaker.record(success: true, of: late[0], at: 1)
        XCTAssertEqual(breaker.openUntil(at: 1), 30)
        breaker.breaker.record(success: false, of: late[1], at: 2)
        XCTAssertEqual(breaker.openUntil(at: 2), 30)
        let trial = breaker.admission(at: 30)
        breaker.breaker.record(success: true, of: late[2], at: 31)
        XCTAssertFalse(breaker.goes(at: 31), "only the trial closes")
        breaker.breaker.abandon(late[3])
        XCTAssertFalse(breaker.goes(at: 31), "only the trial is given back")
        breaker.breaker.record(success: true, of: trial, at: 32)
        XCTAssertTrue(breaker.goes(at: 32))
    }

    // MARK: Odd policies

    func testOddPoliciesNeitherTrapNorBlockForEver() {
        let odd: [TimeInterval] = [0, -1, .nan, .infinity, -.infinity, 1e-300, 1e300]
        for window in odd {
            for ratio in odd {
                for openDuration in [-1, .nan, 0] as [TimeInterval] {
                    var breaker = Subject(
                        CircuitBreakerPolicy(
                            window: window, threshold: 0, ratio: ratio, openDuration: openDuration,
                            halfOpenCalls: 0)
                    )
                    for second in 0..<10 { breaker.calls("sf", at: Double(second) * 1e9) }
                    XCTAssertTrue(breaker.goes(at: 1e10), "\(window) \(ratio) \(openDuration)")
                }
            }
        }
    }

    // MARK: What counts

    func testFailuresAreCountedByTheirKind() {
        func isFailure(_ kind: TransportError.Kind) -> Bool? {
            CircuitBreaker.isFailure(.transport(TransportError(kind, message: "")))
        }
        for status in [500, 501, 503, 599] {
            XCTAssertEqual(CircuitBreaker.isFailure(.http(status: status)), true)
        }
        for status in [304, 400, 401, 404, 499] {
            XCTAssertEqual(CircuitBreaker.isFailure(.http(status: status)), false)
        }
        for status in [408, 429] { XCTAssertNil(CircuitBreaker.isFailure(.http(status: status))) }
        XCTAssertEqual(CircuitBreaker.isFailure(.timedOut), true)
        for kind in [
            TransportError.Kind.cannotFindHost, .cannotConnect, .connectionLost, .secureConnectionFailed,
        ] {
            XCTAssertEqual(isFailure(kind), true)
        }
        for kind in [TransportError.Kind.publicKeyNotPinned, .serverCertificateUntrusted, .bodyUnavailable] {
            XCTAssertNil(isFailure(kind))
        }
        for kind in [APIError.Kind.decoding(.init(path: [], reason: "")), .business(code: 1, message: nil)] {
            XCTAssertEqual(CircuitBreaker.isFailure(kind), false)
        }
        for kind in [APIError.Kind.cancelled, .notReachable, .degraded(until: nil), .loginRequired, .vetoed] {
            XCTAssertNil(CircuitBreaker.isFailure(kind))
        }
    }
}

/// A breaker and the calls of a test.
private struct Subject {
    var breaker: CircuitBreaker

    init(_ policy: CircuitBreakerPolicy) { breaker = CircuitBreaker(policy) }

    /// One call after the other: `f` fails, `s` succeeds.
    mutating func calls(_ results: String, at uptime: TimeInterval) {
        for result in results {
            guard case .go(let admission) = breaker.admit(at: uptime) else { continue }
            breaker.record(success: result == "s", of: admission, at: uptime)
        }
    }

    /// Whether a call, of which nothing more is heard, goes out.
    mutating func goes(at uptime: TimeInterval) -> Bool {
        if case .go = breaker.admit(at: uptime) { true } else { false }
    }

    mutating func openUntil(at uptime: TimeInterval) -> TimeInterval? {
        if case .open(let until) = breaker.admit(at: uptime) { until } else { nil }
    }

    mutating func admission(at uptime: TimeInterval, line: UInt = #line) -> CircuitBreaker.Admission {
        guard case .go(let admission) = breaker.admit(at: uptime) else {
            XCTFail("open", line: line)
            var other = CircuitBreaker(.standard)
            guard case .go(let admission) = other.admit(at: uptime) else { preconditionFailure() }
            return admission
        }
        return admission
    }
}
