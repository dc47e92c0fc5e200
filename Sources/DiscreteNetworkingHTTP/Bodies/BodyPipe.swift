import Foundation

/// A response body on its way from a transport to its one reader, with a bound.
///
/// The transport pushes and stops when the pipe is full; the reader takes all that is there in one piece
/// and lets the transport go on. Whichever side leaves first tells the other.
package final class BodyPipe: Sendable {
    private typealias Continuation = CheckedContinuation<Data?, any Error>

    private struct State {
        var buffer = Data()
        var isFull = false
        var end: Result<Void, TransportError>?
        var reader: Continuation?
        var isAbandoned = false

        mutating func empty() {
            buffer = Data()
            isFull = false
        }
    }

    /// Bytes that may wait before the transport has to stop.
    let capacity: Int
    private let state = Locked(State())
    private let onRoom: @Sendable () -> Void
    private let onAbandoned: @Sendable () -> Void

    /// - Parameters:
    ///   - onRoom: called once each time a full pipe was emptied.
    ///   - onAbandoned: called once, where the reader leaves before the end.
    package init(
        capacity: Int = 512 * 1024, onRoom: @escaping @Sendable () -> Void,
        onAbandoned: @escaping @Sendable () -> Void
    ) {
        self.capacity = capacity
        self.onRoom = onRoom
        self.onAbandoned = onAbandoned
    }

    // MARK: The transport's side

    /// Adds bytes; the reader is told by ``flush()``, so that many pieces that come at once wake it once.
    /// - Returns: `false` where the pipe is full now: all was taken, but no more shall come before `onRoom`.
    package func push(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard state.end == nil, !state.isAbandoned else { return true }
            if state.buffer.isEmpty { state.buffer.reserveCapacity(min(capacity, bytes.count * 8)) }
            state.buffer.append(contentsOf: bytes)
            state.isFull = state.buffer.count >= capacity
            return !state.isFull
        }
    }

    /// Wakes the reader, where it waits and there is something for it.
    package func flush() {
        let (reader, data, wasFull) = state.withLock { state -> (Continuation?, Data, Bool) in
            guard let reader = state.reader, !state.buffer.isEmpty else { return (nil, Data(), false) }
            state.reader = nil
            defer { state.empty() }
            return (reader, state.buffer, state.isFull)
        }
        if wasFull { onRoom() }
        reader?.resume(returning: data)
    }

    /// Says that the body is complete, or why it never will be. The first word counts.
    package func finish(_ error: TransportError? = nil) {
        flush()
        let reader = state.withLock { state -> Continuation? in
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
    package func reader() -> any BodySource { Reader(self) }

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

    private func take(_ continuation: Continuation) {
        let taken = state.withLock { state -> Taken in
            if state.isAbandoned { return .end(.failure(Self.cancelled)) }
            if state.reader != nil { return .end(.failure(Self.hasReader)) }
            if !state.buffer.isEmpty {
                defer { state.empty() }
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
    private static let hasReader = TransportError(
        .unsupported, message: "Somebody else waits for the next piece of this body; it has one reader.")

    private func abandon() {
        let (isFirst, reader) = state.withLock { state -> (Bool, Continuation?) in
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
package protocol BodySource: Sendable {
    func next() async throws -> Data?
}

extension BodySource {
    package func stream() -> AsyncThrowingStream<Data, any Error> { AsyncThrowingStream { try await next() } }
}
