/// The wait-for graph of renewals, to detect deadlocks between sessions.
package enum RenewalGraph {
    private static let waits = Locked<[RenewalMark: [RenewalMark: Int]]>([:])

    /// Records that a call of one renewal waits for another renewal.
    /// - Returns: `false` if waiting would cause a deadlock because the other renewal waits, directly or
    ///   indirectly, for the first.
    package static func add(_ waiting: RenewalMark?, waitsFor awaited: RenewalMark) -> Bool {
        guard let waiting else { return true }
        return waits.withLock { waits in
            var seen: Set<RenewalMark> = []
            var next = [awaited]
            while let mark = next.popLast() {
                guard mark != waiting else { return false }
                if seen.insert(mark).inserted, let others = waits[mark] { next += others.keys }
            }
            waits[waiting, default: [:]][awaited, default: 0] += 1
            return true
        }
    }

    package static func remove(_ waiting: RenewalMark?, waitsFor awaited: RenewalMark) {
        guard let waiting else { return }
        waits.withLock { waits in
            guard let count = waits[waiting]?[awaited] else { return }
            waits[waiting]?[awaited] = count > 1 ? count - 1 : nil
            if waits[waiting]?.isEmpty == true { waits[waiting] = nil }
        }
    }
}
