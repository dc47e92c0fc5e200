import Foundation

/// A response body on its way from a transport to its one reader, with a bound.
///
/// The transport pushes and stops when the pipe is full; the reader takes all that is there in one piece
/// and lets the transport go on. Whichever side leaves first tells the other.
final class BodyPipe: Sendable {
    private struct State {
        var buffer = Data()
        var isFull = false
        var end: Result<Void, TransportError>?
        var reader: CheckedContinuation<Data?, any Error>?
        var isAbandoned = false
    }

    /// Bytes that may wait before the transport has to stop.
    let capacity: Int
    private let state = Locked(State())
    private let onRoom: @Sendable () -> Void
    private let onAbandoned: @Sendable () -> Void

    /// - Parameters:
    ///   - onRoom: called once each time a full pipe was emptied.
    ///   - onAbandoned: called once, where the reader leaves before the end.
    init(
        capacity: Int = 256 * 1024, onRoom: @escaping @Sendable () -> Void,
        onAbandoned: @escaping @Sendable () -> Void
    ) {
        self.capacity = capacity
        self.onRoom = onRoom
        self.onAbandoned = onAbandoned
    }

    // MARK: The transport's side

    /// Adds bytes.
    /// - Returns: `false` where the pipe is full now: all was taken, but no more shall come before `onRoom`.
    func push(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        let (reader, data, hasRoom) = state.withLock {
            state -> (CheckedContinuation<Data?, any Error>?, Data, Bool) in
            guard state.end == nil, !state.isAbandoned else { return (nil, Data(), true) }
            if let reader = state.reader {
                state.reader = nil
                return (reader, Data(bytes), true)
            }
            if state.buffer.isEmpty { state.buffer.reserveCapacity(min(capacity, max(bytes.count, 65_536))) }
            state.buffer.append(contentsOf: bytes)
            state.isFull = state.buffer.count >= capacity
            return (nil, Data(), !state.isFull)
        }
        reader?.resume(returning: data)
        return hasRoom
    }

    /// Says that the body is complete, or why it never will be. The first word counts.
    func finish(_ error: TransportError? = nil) {
        let reader = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = error.map { .failure($0) } ?? .success(())
            defer { state.reader = nil }
            return state.reader
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
    }

    // MARK: The reader's side

    /// The body as a sequence for one reader. Letting go of it, or cancelling the task that waits for it,
    /// abandons the body.
    func stream() -> AsyncThrowingStream<Data, any Error> { reader().stream() }

    /// The same as ``stream()``, for somebody who decodes it first.
    func reader() -> any BodySource { Reader(self) }

    /// Abandons the pipe when the last copy of the stream is gone.
    private final class Reader: BodySource {
        let pipe: BodyPipe
        init(_ pipe: BodyPipe) { self.pipe = pipe }
        func next() async throws -> Data? { try await pipe.next() }
        deinit { pipe.abandon() }
    }

    private func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in take(continuation) }
        } onCancel: {
            abandon()
        }
    }

    private enum Taken {
        case waits
        case data(Data, hadNoRoom: Bool)
        case end(Result<Void, TransportError>)
    }

    private func take(_ continuation: CheckedContinuation<Data?, any Error>) {
        let taken = state.withLock { state -> Taken in
            if state.isAbandoned { return .end(.failure(Self.cancelled)) }
            if !state.buffer.isEmpty {
                defer {
                    state.buffer = Data()
                    state.isFull = false
                }
                return .data(state.buffer, hadNoRoom: state.isFull)
            }
            if let end = state.end { return .end(end) }
            state.reader = continuation
            return .waits
        }
        switch taken {
        case .waits: break
        case .data(let data, let hadNoRoom):
            if hadNoRoom { onRoom() }
            continuation.resume(returning: data)
        case .end(.success): continuation.resume(returning: nil)
        case .end(.failure(let error)): continuation.resume(throwing: error)
        }
    }

    private static let cancelled = TransportError(.cancelled, message: "The reader of the body left.")

    private func abandon() {
        let (isFirst, reader) = state.withLock { state -> (Bool, CheckedContinuation<Data?, any Error>?) in
            guard !state.isAbandoned else { return (false, nil) }
            state.isAbandoned = true
            state.buffer = Data()
            defer { state.reader = nil }
            return (state.end == nil, state.reader)
        }
        reader?.resume(throwing: Self.cancelled)
        if isFirst { onAbandoned() }
    }
}

/// The pieces of a body for one reader; `nil` at the end.
protocol BodySource: Sendable {
    func next() async throws -> Data?
}

extension BodySource {
    func stream() -> AsyncThrowingStream<Data, any Error> { AsyncThrowingStream { try await next() } }
}
