#if os(Linux)
    import Foundation

    /// Memory of bodies that nobody holds any longer, for the bodies that come next.
    ///
    /// The C library gives a large block back to the system as soon as it is free, and makes the next one of fresh
    /// pages; that takes longer than to copy a body into it. What was not needed for a second goes back all the same.
    final class BodyBufferPool: Sendable {
        static let shared = BodyBufferPool()

        /// The bodies for which it is worth it, in bytes.
        static let sizes = 64 << 10...16 << 20
        /// How many bytes it keeps at most.
        static let byteLimit = 32 << 20

        /// Memory that one body at a time is written to.
        ///
        /// `@unchecked` because a pointer is not Sendable: whoever has taken a block is the only one to have it.
        struct Block: @unchecked Sendable {
            let start: UnsafeMutableRawPointer
            /// A power of two.
            let capacity: Int
        }

        private struct State: Sendable {
            var free: [Int: [Block]] = [:]
            var byteCount = 0
            /// The fewest bytes there were since the last trimming: nobody has needed them.
            var unneeded = 0
            var isTrimScheduled = false
        }

        private let state = Locked(State())

        /// How many bytes wait for a body.
        var byteCount: Int { state.withLock { $0.byteCount } }

        /// A block for a body, used or new. ``put(_:)`` takes it back.
        func take(_ size: Int) -> Block {
            let capacity = 1 << (Int.bitWidth - (max(size, 2) - 1).leadingZeroBitCount)
            let used = state.withLock { state -> Block? in
                guard let block = state.free[capacity]?.popLast() else { return nil }
                state.byteCount -= capacity
                state.unneeded = min(state.unneeded, state.byteCount)
                return block
            }
            return used
                ?? Block(start: .allocate(byteCount: capacity, alignment: 16), capacity: capacity)
        }

        func put(_ block: Block) {
            let (isKept, isTrimNeeded) = state.withLock { state in
                guard state.byteCount + block.capacity <= Self.byteLimit else { return (false, false) }
                state.free[block.capacity, default: []].append(block)
                state.byteCount += block.capacity
                defer { state.isTrimScheduled = true }
                return (true, !state.isTrimScheduled)
            }
            if !isKept { block.start.deallocate() }
            if isTrimNeeded { scheduleTrim() }
        }

        private func scheduleTrim() {
            _ = Deadlines.shared.schedule(after: 1) { [weak self] in self?.trim() }
        }

        /// Gives back what was not needed since the last time.
        func trim() {
            let (blocks, goesOn) = state.withLock { state in
                var blocks: [Block] = []
                for capacity in state.free.keys.sorted(by: >) {
                    while state.unneeded >= capacity, let block = state.free[capacity]?.popLast() {
                        blocks.append(block)
                        state.unneeded -= capacity
                        state.byteCount -= capacity
                    }
                }
                state.unneeded = state.byteCount
                state.isTrimScheduled = state.byteCount > 0
                return (blocks, state.isTrimScheduled)
            }
            for block in blocks { block.start.deallocate() }
            if goesOn { scheduleTrim() }
        }

        deinit {
            for blocks in state.current.free.values { for block in blocks { block.start.deallocate() } }
        }
    }

    /// The body of a response while it comes: in a block of a ``BodyBufferPool`` where its length is known and large.
    struct CurlBody: ~Copyable {
        private let pool: BodyBufferPool
        private var block: BodyBufferPool.Block?
        private var blockCount = 0
        private var data = Data()

        init(pool: BodyBufferPool = .shared) { self.pool = pool }

        deinit { if let block { pool.put(block) } }

        var count: Int { block == nil ? data.count : blockCount }

        /// Makes room for a body of so many bytes, as its server says.
        mutating func reserve(_ count: Int) {
            if BodyBufferPool.sizes.contains(count) {
                block = pool.take(count)
            } else {
                data.reserveCapacity(min(count, BodyBufferPool.sizes.upperBound))
            }
        }

        mutating func append(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress else { return }
            if let block, bytes.count <= block.capacity - blockCount {
                (block.start + blockCount).copyMemory(from: start, byteCount: bytes.count)
                blockCount += bytes.count
                return
            }
            // More than the server has said.
            if block != nil { data = take() }
            data.append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }

        /// The whole body. Its block goes back to the pool with the last copy of it.
        mutating func take() -> Data {
            guard let block else { return data }
            let pool = pool
            defer { self.block = nil }
            return Data(
                bytesNoCopy: block.start, count: blockCount,
                deallocator: .custom { _, _ in pool.put(block) })
        }
    }
#endif
