import Foundation

/// How many calls there were within a window of time, and how many failed. Counted by tenths of the window, so
/// that it takes the same small room however many there are.
struct RecentCalls: Sendable {
    private struct Tenth {
        let number: Int
        var calls = 0
        var failures = 0
    }

    private let width: TimeInterval
    private var tenths: [Tenth] = []

    init(window: TimeInterval) { width = window / 10 }

    var calls: Int { tenths.reduce(0) { $0 + $1.calls } }
    var failures: Int { tenths.reduce(0) { $0 + $1.failures } }

    mutating func add(failed: Bool, at uptime: TimeInterval) {
        forget(at: uptime)
        let number = number(at: uptime)
        // Should the time go back after all, the latest tenth is the right one.
        if tenths.last.map({ $0.number < number }) ?? true { tenths.append(Tenth(number: number)) }
        tenths[tenths.count - 1].calls += 1
        if failed { tenths[tenths.count - 1].failures += 1 }
    }

    /// Lets go of what is older than the window.
    mutating func forget(at uptime: TimeInterval) {
        let oldest = number(at: uptime) &- 9
        tenths.removeAll { $0.number < oldest }
    }

    /// 0 where the window has no length or the time is out of range: then nothing is forgotten.
    private func number(at uptime: TimeInterval) -> Int {
        Int(exactly: (uptime / width).rounded(.down)) ?? 0
    }
}
