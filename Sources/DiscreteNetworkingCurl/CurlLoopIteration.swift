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
        /// The number of rounds since the first caller or reader has waited.
        private var rounds = 0

        func begin() { now = DispatchTime.now().uptimeNanoseconds }

        func time(after seconds: TimeInterval) -> UInt64 {
            seconds < 1e9 ? now + UInt64(max(seconds, 0) * 1e9) : .max
        }

        /// Sets the outcome of an exchange with the next ``flush()``.
        func willFulfil(_ exchange: CurlExchange, _ outcome: CurlExchange.Outcome) {
            outcomes.append((exchange, outcome))
        }

        /// Wakes the callers. Several are woken by one task: the thread that wakes for it serves all of them, and does not
        /// interrupt this one for each.
        private func fulfil() {
            guard outcomes.count > 1 else {
                for (exchange, outcome) in outcomes { exchange.fulfil(outcome) }
                return outcomes.removeAll(keepingCapacity: true)
            }
            let ended = outcomes
            outcomes = []
            Task { @concurrent in for (exchange, outcome) in ended { exchange.fulfil(outcome) } }
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

        /// Whether waking callers and readers may be delayed by another round, to wake them once for more.
        func mayWait() -> Bool {
            guard !outcomes.isEmpty || !filled.isEmpty else { return false }
            rounds += 1
            return rounds < 4
        }

        /// Wakes the callers and the readers.
        func flush() {
            rounds = 0
            fulfil()
            for pipe in filled { pipe.flush() }
            filled.removeAll(keepingCapacity: true)
        }
    }
#endif
