#if canImport(CCurl)
    import CCurl
    import Foundation

    #if canImport(Musl)
        import Musl
    #endif

    /// The body of a request while libcurl sends it, for the loop's thread only.
    final class CurlUpload {
        enum Piece {
            case bytes(Int)
            /// Nothing yet; `CurlLoop.Command.goOnSending` comes when there is more.
            case later
            case failed(TransportError)
        }

        private enum Source {
            case data(Data)
            case file(Int32)
            case stream(UploadPipe)
        }

        /// Bytes in all; `nil` where that is known only at the end.
        let length: Int64?
        private let source: Source
        private var sent: Int64 = 0

        init(_ data: Data) {
            source = .data(data)
            length = Int64(data.count)
        }

        init(file: URL) throws(TransportError) {
            // A pipe would hold up the whole loop, here already without O_NONBLOCK.
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0, let status = FileStatus(descriptor: descriptor), status.isRegular else {
                if descriptor >= 0 { Self.close(descriptor) }
                throw TransportError(
                    .bodyUnavailable,
                    message:
                        "The file \(file.lastPathComponent) to be sent cannot be read, or is no regular file."
                )
            }
            source = .file(descriptor)
            length = status.size
        }

        init(
            length: Int64?, _ make: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>,
            onMore: @escaping @Sendable () -> Void
        ) {
            source = .stream(UploadPipe(make, onMore: onMore))
            self.length = length
        }

        deinit {
            switch source {
            case .data: break
            case .file(let descriptor): Self.close(descriptor)
            case .stream(let pipe): pipe.stop()
            }
        }

        /// The next bytes; none at the end.
        func read(into room: UnsafeMutableRawBufferPointer) -> Piece {
            let count: Int
            switch source {
            case .data(let data):
                count = min(room.count, data.count - Int(sent))
                let start = data.startIndex + Int(sent)
                data.copyBytes(to: room, from: start..<start + count)
            case .file(let descriptor):
                // A file that grows while it is sent is sent as long as it was.
                let left = Int(min(Int64(room.count), length.map { $0 - sent } ?? 0))
                count = left == 0 ? 0 : pread(descriptor, room.baseAddress, left, off_t(sent))
                if count < 0 {
                    return .failed(
                        TransportError(.bodyUnavailable, message: "The file to be sent cannot be read."))
                }
            case .stream(let pipe):
                switch pipe.read(into: room) {
                case .later: return .later
                case .failed(let error): return .failed(error)
                case .bytes(let read): count = read
                }
            }
            sent += Int64(count)
            if let length, sent > length || count == 0 && sent < length {
                return .failed(
                    TransportError(
                        .bodyUnavailable,
                        message: "The body to be sent has not the \(length) bytes that were announced."))
            }
            return .bytes(count)
        }

        /// Goes back to the first byte, where the body has to be sent again.
        func rewind() {
            sent = 0
            if case .stream(let pipe) = source { pipe.restart() }
        }

        private static func close(_ descriptor: Int32) {
            #if canImport(Musl)
                _ = Musl.close(descriptor)
            #else
                _ = Glibc.close(descriptor)
            #endif
        }
    }

    /// Bytes from a task that makes them to the thread that sends them, with a bound.
    final class UploadPipe: Sendable {
        private struct State: Sendable {
            var buffer = Data()
            var isOver = false
            var error: TransportError?
            /// Whether the sender found nothing and waits for word.
            var isStarving = false
            /// The maker, while the buffer is full.
            var maker: CheckedContinuation<Void, Never>?
            var task: Task<Void, Never>?
            /// How often the body was begun, so that an earlier maker is not listened to.
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
                            message: "The stream of the body to be sent threw a \(type(of: error))."))
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
                let count = min(room.count, state.buffer.count)
                state.buffer.copyBytes(to: room, count: count)
                // A copy: a slice would keep all that was ever sent, as long as the buffer never runs dry.
                let rest = state.buffer.startIndex + count..<state.buffer.endIndex
                state.buffer = rest.isEmpty ? Data() : state.buffer.subdata(in: rest)
                guard state.buffer.count < Self.capacity else { return (.bytes(count), nil) }
                defer { state.maker = nil }
                return (.bytes(count), state.maker)
            }
            maker?.resume()
            return piece
        }

        func restart() { begin(round: halt()) }

        func stop() { _ = halt() }

        /// Stops the maker there is.
        /// - Returns: the number of the next round.
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
#endif
