#if os(Linux)
    import Foundation

    /// Reuses the memory of large bodies after their last reference was released.
    ///
    /// The C library returns a large block to the system when it is freed, and takes fresh pages for the next one,
    /// which costs more than copying a body into it. Blocks that were not needed for a second are freed.
    final class BodyBufferPool: Sendable {
        static let shared = BodyBufferPool()

        /// The sizes of bodies that use the pool, in bytes.
        static let sizes = 64 << 10...16 << 20
        /// The maximum number of free bytes.
        static let byteLimit = 32 << 20

        /// Memory for one body.
        ///
        /// `@unchecked Sendable`, because a pointer is not Sendable; a block is used only by whoever took it.
        struct Block: @unchecked Sendable {
            let start: UnsafeMutableRawPointer
            /// A power of two.
            let capacity: Int
        }

        private struct State: Sendable {
            var free: [Int: [Block]] = [:]
            var byteCount = 0
            /// The fewest free bytes since the last trim: they were not needed.
            var unneeded = 0
            var isTrimScheduled = false
        }

        private let state = Locked(State())

        /// The number of free bytes.
        var byteCount: Int { state.withLock { $0.byteCount } }

        /// Returns a free block or a new one; return it with ``put(_:)``.
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

        /// Frees the blocks that were not needed since the last trim.
        func trim() {
            let (blocks, needsTrim) = state.withLock { state in
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
            if needsTrim { scheduleTrim() }
        }

        deinit {
            for blocks in state.current.free.values { for block in blocks { block.start.deallocate() } }
        }
    }

    /// A response body being received: in a block of a ``BodyBufferPool`` if its length is known and large.
    struct CurlBody: ~Copyable {
        private let pool: BodyBufferPool
        private var block: BodyBufferPool.Block?
        private var blockCount = 0
        private var data = Data()
        /// The declared length of a body without a block.
        private var declared = 0

        init(pool: BodyBufferPool = .shared) { self.pool = pool }

        deinit { if let block { pool.put(block) } }

        var count: Int { block == nil ? data.count : blockCount }

        /// Reserves memory for a body with this `Content-Length`.
        mutating func reserve(_ count: Int) {
            if BodyBufferPool.sizes.contains(count) {
                block = pool.take(count)
            } else {
                declared = min(count, BodyBufferPool.sizes.upperBound)
            }
        }

        mutating func append(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress else { return }
            if let block, bytes.count <= block.capacity - blockCount {
                (block.start + blockCount).copyMemory(from: start, byteCount: bytes.count)
                blockCount += bytes.count
                return
            }
            // More than Content-Length says.
            if block != nil { data = take() }
            if data.isEmpty {
                if bytes.count >= declared {
                    // As small bodies do, it arrives in one piece.
                    data = Data(bytes: start, count: bytes.count)
                    return
                }
                data.reserveCapacity(declared)
            }
            data.append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }

        /// Returns the body. Its block returns to the pool when the last copy is released.
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
