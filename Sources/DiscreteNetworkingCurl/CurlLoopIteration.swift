#if os(Linux)
    import Dispatch
    import Foundation

    /// One turn of the loop: what time it is, and who has got bytes for a reader, or an address.
    final class CurlLoopIteration {
        /// Nanoseconds of a clock that only goes forward.
        private(set) var now = DispatchTime.now().uptimeNanoseconds
        private var streaming: [CurlTransfer] = []
        /// Transfers whose hosts' names were found.
        private var found: [CurlTransfer] = []
        /// Rounds since the first of them has waited.
        private var rounds = 0

        func begin() { now = DispatchTime.now().uptimeNanoseconds }

        func time(after seconds: TimeInterval) -> UInt64 {
            seconds < 1e9 ? now + UInt64(max(seconds, 0) * 1e9) : .max
        }

        func willFlush(_ transfer: CurlTransfer) {
            // Pieces of one transfer mostly come one after the other.
            if streaming.last !== transfer { streaming.append(transfer) }
        }

        func noteFound(_ transfer: CurlTransfer) { found.append(transfer) }

        /// Those whose names were found since the last time.
        func takeFound() -> [CurlTransfer] {
            guard !found.isEmpty else { return [] }
            defer { found = [] }
            return found
        }

        /// Whether a reader waits for bytes, and may do so for another round: then one wake brings more of them.
        func mayWait() -> Bool {
            guard !streaming.isEmpty else { return false }
            rounds += 1
            return rounds < 4
        }

        /// Wakes the readers, once for all that came.
        func flush() {
            rounds = 0
            for transfer in streaming { transfer.flush() }
            streaming.removeAll(keepingCapacity: true)
        }
    }
#endif
