#if os(Linux)
    import Dispatch
    import Foundation

    /// One iteration of the loop: what time it is, which readers have bytes waiting, and whose hosts were found.
    final class CurlLoopIteration {
        /// Nanoseconds of a clock that only goes forward.
        private(set) var now = DispatchTime.now().uptimeNanoseconds
        private var filled: [BodyPipe] = []
        /// Exchanges whose hosts' names were found.
        private var found: [CurlExchange] = []
        /// Rounds since the first of them has waited.
        private var rounds = 0

        func begin() { now = DispatchTime.now().uptimeNanoseconds }

        func time(after seconds: TimeInterval) -> UInt64 {
            seconds < 1e9 ? now + UInt64(max(seconds, 0) * 1e9) : .max
        }

        func willFlush(_ pipe: BodyPipe) {
            // Pieces of one body mostly come one after the other.
            if filled.last !== pipe { filled.append(pipe) }
        }

        func noteFound(_ exchange: CurlExchange) { found.append(exchange) }

        /// Those whose names were found since the last time.
        func takeFound() -> [CurlExchange] {
            guard !found.isEmpty else { return [] }
            defer { found = [] }
            return found
        }

        /// Whether a reader waits for bytes, and may do so for another round: then one wake brings more of them.
        func mayWait() -> Bool {
            guard !filled.isEmpty else { return false }
            rounds += 1
            return rounds < 4
        }

        /// Wakes the readers, once for all that came.
        func flush() {
            rounds = 0
            for pipe in filled { pipe.flush() }
            filled.removeAll(keepingCapacity: true)
        }
    }
#endif
