#if os(Linux)
    import Dispatch
    import Foundation

    /// An iteration of the loop: its time, the callers and readers to wake, and the resolved hosts.
    final class CurlLoopIteration {
        /// Nanoseconds of a monotonic clock.
        private(set) var now = DispatchTime.now().uptimeNanoseconds
        private var outcomes: [(exchange: CurlExchange, outcome: CurlExchange.Outcome)] = []
        private var filled: [BodyPipe] = []
        /// The exchanges that have finished their host lookup since the last ``takeFound()``.
        private var found: [CurlExchange] = []
        /// The number of rounds since the first reader has waited.
        private var rounds = 0

        func begin() { now = DispatchTime.now().uptimeNanoseconds }

        func time(after seconds: TimeInterval) -> UInt64 {
            seconds < 1e9 ? now + UInt64(max(seconds, 0) * 1e9) : .max
        }

        /// Sets the outcome of an exchange, before the loop sleeps.
        func willFulfil(_ exchange: CurlExchange, _ outcome: CurlExchange.Outcome) {
            outcomes.append((exchange, outcome))
        }

        /// Wakes the callers, one right after the other: a thread that wakes for the first one serves the others too,
        /// and most need no system call.
        func fulfil() {
            for (exchange, outcome) in outcomes { exchange.fulfil(outcome) }
            outcomes.removeAll(keepingCapacity: true)
        }

        func willFlush(_ pipe: BodyPipe) {
            // Consecutive pieces usually belong to the same body.
            if filled.last !== pipe { filled.append(pipe) }
        }

        func noteFound(_ exchange: CurlExchange) { found.append(exchange) }

        /// Takes the exchanges that have finished their host lookup since the last call.
        func takeFound() -> [CurlExchange] {
            guard !found.isEmpty else { return [] }
            defer { found = [] }
            return found
        }

        /// Whether waking the readers may be delayed by another round, to wake them once for more data.
        func mayWait() -> Bool {
            guard !filled.isEmpty else { return false }
            rounds += 1
            return rounds < 4
        }

        /// Wakes the readers.
        func flush() {
            rounds = 0
            for pipe in filled { pipe.flush() }
            filled.removeAll(keepingCapacity: true)
        }
    }
#endif
