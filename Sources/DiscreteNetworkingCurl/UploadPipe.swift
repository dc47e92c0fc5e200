#if os(Linux)
    import Foundation

    /// A bounded buffer between the task that produces a body and the thread that sends it.
    final class UploadPipe: Sendable {
        private struct State: Sendable {
            var buffer = PieceQueue()
            var isOver = false
            var error: TransportError?
            /// Whether the sender waits for data.
            var isStarving = false
            /// The producer, while the buffer is full.
            var maker: CheckedContinuation<Void, Never>?
            var task: Task<Void, Never>?
            /// The number of times the body was started; earlier producers are ignored.
            var round = 0
        }

        private static let capacity = 256 * 1024

        private let make: @Sendable () -> AsyncThrowingStream<Data, any Error>
        private let onMore: @Sendable () -> Void
        private let state = Locked(State())

        init(
            _ make: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>,
            onMore: @escaping @Sendable () -> Void
        ) {
            self.make = make
            self.onMore = onMore
            begin(round: 0)
        }

        private func begin(round: Int) {
            let task = Task { [weak self, make] in
                do {
                    for try await data in make() where !data.isEmpty {
                        guard let self else { return }
                        await push(data, round)
                    }
                    self?.end(round, nil)
                } catch let error as TransportError {
                    self?.end(round, error)
                } catch {
                    self?.end(
                        round,
                        TransportError(
                            .bodyUnavailable,
                            message: "The stream of the request body threw a \(type(of: error))."))
                }
            }
            let isCurrent = state.withLock { state in
                guard state.round == round else { return false }
                state.task = task
                return true
            }
            if !isCurrent { task.cancel() }
        }

        private func push(_ data: Data, _ round: Int) async {
            let wasStarving = state.withLock { state in
                guard state.round == round else { return false }
                state.buffer.append(data)
                defer { state.isStarving = false }
                return state.isStarving
            }
            if wasStarving { onMore() }
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    guard state.round == round, state.buffer.count >= Self.capacity else { return true }
                    state.maker = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        }

        private func end(_ round: Int, _ error: TransportError?) {
            let wasStarving = state.withLock { state in
                guard state.round == round else { return false }
                state.isOver = true
                state.error = error
                defer { state.isStarving = false }
                return state.isStarving
            }
            if wasStarving { onMore() }
        }

        func read(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Piece {
            let (piece, maker) = state.withLock {
                state -> (CurlUpload.Piece, CheckedContinuation<Void, Never>?) in
                if let error = state.error { return (.failed(error), nil) }
                guard !state.buffer.isEmpty else {
                    if state.isOver { return (.bytes(0), nil) }
                    state.isStarving = true
                    return (.later, nil)
                }
                let count = state.buffer.take(into: room)
                guard state.buffer.count < Self.capacity else { return (.bytes(count), nil) }
                defer { state.maker = nil }
                return (.bytes(count), state.maker)
            }
            maker?.resume()
            return piece
        }

        func restart() { begin(round: halt()) }

        func stop() { _ = halt() }

        /// Stops the current producer.
        /// - Returns: The number of the next round.
        private func halt() -> Int {
            let (task, maker, round) = state.withLock { state in
                defer { state = State(round: state.round + 1) }
                return (state.task, state.maker, state.round + 1)
            }
            task?.cancel()
            maker?.resume()
            return round
        }
    }

    /// A queue of bytes in pieces. Taking a part of a large piece copies only that part.
    struct PieceQueue: Sendable {
        private var pieces: [Data] = []
        /// The first remaining piece, and how much of it was taken.
        private var first = 0
        private var taken = 0
        private(set) var count = 0

        /// The size up to which pieces are joined, to limit the overhead of small ones.
        private static let joinedSize = 16 * 1024

        var isEmpty: Bool { count == 0 }

        mutating func append(_ data: Data) {
            count += data.count
            if let last = pieces.indices.last, last >= first,
                pieces[last].count + data.count <= Self.joinedSize
            {
                pieces[last].append(data)
            } else {
                pieces.append(data)
            }
        }

        /// Copies the first bytes and releases the pieces that were taken.
        /// - Returns: The number of bytes.
        mutating func take(into room: UnsafeMutableRawBufferPointer) -> Int {
            var filled = 0
            while filled < room.count, first < pieces.count {
                let piece = pieces[first]
                let size = min(room.count - filled, piece.count - taken)
                let start = piece.startIndex + taken
                piece.copyBytes(
                    to: UnsafeMutableRawBufferPointer(rebasing: room[filled...]), from: start..<start + size)
                filled += size
                taken += size
                guard taken == piece.count else { break }
                pieces[first] = Data()
                first += 1
                taken = 0
            }
            count -= filled
            if first * 2 >= pieces.count {
                pieces.removeFirst(first)
                first = 0
            }
            return filled
        }
    }
#endif
