import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

/// Random calls, results and pauses: the breaker says what a model says that remembers everything.
final class CircuitBreakerModelTests: XCTestCase {
    func testTheBreakerDoesWhatTheModelDoes() {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = FixedRandom(seed: seed)
            let policy = CircuitBreakerPolicy(
                window: .random(in: 1...100, using: &random), threshold: .random(in: 1...6, using: &random),
                ratio: [0, 0.25, 0.5, 1].randomElement(using: &random) ?? 0,
                openDuration: .random(in: 1...50, using: &random),
                halfOpenCalls: .random(in: 1...3, using: &random))
            if let problem = Self.difference(policy, &random) {
                return XCTFail("seed \(seed), \(policy): \(problem)")
            }
        }
    }

    private static func difference(_ policy: CircuitBreakerPolicy, _ random: inout FixedRandom) -> String? {
        var breaker = CircuitBreaker(policy)
        var model = Model(policy: policy)
        var calls: [(admission: CircuitBreaker.Admission, id: Int)] = []
        var uptime = TimeInterval.random(in: 0...1e6, using: &random)
        var isSick = false
        for step in 1...300 {
            uptime += [0, 0.01, 1, 7, 40].randomElement(using: &random) ?? 0
            if Int.random(in: 0..<40, using: &random) == 0 { isSick.toggle() }
            guard Bool.random(using: &random), !calls.isEmpty else {
                let expected = model.admit(id: step, at: uptime)
                switch breaker.admit(at: uptime) {
                case .go(let admission):
                    if let expected { return "step \(step): goes out, should be open until \(expected)" }
                    calls.append((admission, step))
                case .open(let until):
                    if expected != until { return "step \(step): open until \(until), not \(expected ?? 0)" }
                }
                continue
            }
            let call = calls.remove(at: .random(in: calls.indices, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                breaker.abandon(call.admission)
                model.end(call.id, failed: nil, at: uptime)
            case let chance:
                let failed = isSick ? chance < 8 : chance < 2
                breaker.record(success: !failed, of: call.admission, at: uptime)
                model.end(call.id, failed: failed, at: uptime)
            }
        }
        return nil
    }
}

/// Remembers every call by name and every result with its time.
private struct Model {
    let policy: CircuitBreakerPolicy
    /// Calls that went out while it was closed, since it last became so.
    var ordinary: Set<Int> = []
    /// Calls on trial.
    var trials: Set<Int> = []
    var results: [(time: TimeInterval, failed: Bool)] = []
    /// `nil` while it is closed.
    var openUntil: TimeInterval?
    var isHalfOpen = false

    /// - Returns: until when it is open; `nil` where the call goes out.
    mutating func admit(id: Int, at time: TimeInterval) -> TimeInterval? {
        guard let until = openUntil else {
            ordinary.insert(id)
            return nil
        }
        if isHalfOpen, trials.count < policy.halfOpenCalls {
            trials.insert(id)
            return nil
        }
        guard time >= until else { return until }
        isHalfOpen = true
        trials = [id]
        openUntil = time + policy.openDuration
        return nil
    }

    mutating func end(_ id: Int, failed: Bool?, at time: TimeInterval) {
        if trials.remove(id) != nil {
            guard let failed else { return }
            if failed { open(at: time) } else { close() }
        } else if ordinary.remove(id) != nil, let failed {
            results.append((time, failed))
            if failed, isTooMuch(at: time) { open(at: time) }
        }
    }

    private func isTooMuch(at time: TimeInterval) -> Bool {
        func tenth(_ time: TimeInterval) -> Double { (time / (policy.window / 10)).rounded(.down) }
        let recent = results.filter { tenth(time) - tenth($0.time) < 10 }
        let failures = recent.filter(\.failed).count
        return failures >= policy.threshold && Double(failures) >= policy.ratio * Double(recent.count)
    }

    private mutating func open(at time: TimeInterval) {
        close()
        openUntil = time + policy.openDuration
    }

    private mutating func close() {
        (ordinary, trials, results, openUntil, isHalfOpen) = ([], [], [], nil, false)
    }
}
