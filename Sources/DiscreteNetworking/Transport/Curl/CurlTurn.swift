#if canImport(CCurl)
    import Dispatch
    import Foundation

    /// One turn of the loop: what time it is, and who has got bytes for a reader.
    final class CurlTurn {
        /// Nanoseconds of a clock that only goes forward.
        private(set) var now = DispatchTime.now().uptimeNanoseconds
        private var streaming: [CurlTransfer] = []

        func begin() { now = DispatchTime.now().uptimeNanoseconds }

        func time(after seconds: TimeInterval) -> UInt64 {
            seconds < 1e9 ? now + UInt64(max(seconds, 0) * 1e9) : .max
        }

        func willFlush(_ transfer: CurlTransfer) {
            // Pieces of one transfer mostly come one after the other.
            if streaming.last !== transfer { streaming.append(transfer) }
        }

        /// Wakes the readers, once for all that came.
        func flush() {
            for transfer in streaming { transfer.flush() }
            streaming.removeAll(keepingCapacity: true)
        }
    }
#endif
