import Foundation

/// Counts calls and failures within a sliding time window, in ten buckets of constant size.
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
        // If the time went backward, the latest bucket is used.
        if tenths.last.map({ $0.number < number }) ?? true { tenths.append(Tenth(number: number)) }
        tenths[tenths.count - 1].calls += 1
        if failed { tenths[tenths.count - 1].failures += 1 }
    }

    /// Removes buckets older than the window.
    mutating func forget(at uptime: TimeInterval) {
        let oldest = number(at: uptime) &- 9
        tenths.removeAll { $0.number < oldest }
    }

    /// 0 if the window is empty or the time out of range: then nothing is removed.
    private func number(at uptime: TimeInterval) -> Int {
        Int(exactly: (uptime / width).rounded(.down)) ?? 0
    }
}
