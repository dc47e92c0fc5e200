package import Foundation

/// A bounded buffer between a transport, which writes a response body, and its single reader.
///
/// The transport writes until the pipe is full; the reader takes the buffered data in one piece, and the
/// transport continues. If either side stops, the other is notified.
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

    /// The number of buffered bytes at which the transport has to pause.
    let capacity: Int
    private let state = Locked(State())
    private let onRoom: @Sendable () -> Void
    private let onAbandoned: @Sendable () -> Void

    /// - Parameters:
    ///   - onRoom: Called once each time a full pipe was emptied.
    ///   - onAbandoned: Called once if the reader stops before the end.
    package init(
        capacity: Int = 512 * 1024, onRoom: @escaping @Sendable () -> Void,
        onAbandoned: @escaping @Sendable () -> Void
    ) {
        self.capacity = capacity
        self.onRoom = onRoom
        self.onAbandoned = onAbandoned
    }

    // MARK: Writing

    /// Appends bytes. Call ``flush()`` to wake the reader, so that several writes wake it once.
    /// - Returns: `false` if the pipe is full. All bytes were accepted, but no more may be written before
    ///   `onRoom`.
    package func push(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard state.end == nil, !state.isAbandoned else { return true }
            if state.buffer.isEmpty { state.buffer.reserveCapacity(min(capacity, bytes.count * 8)) }
            state.buffer.append(contentsOf: bytes)
            state.isFull = state.buffer.count >= capacity
            return !state.isFull
        }
    }

    /// Wakes the reader if it waits and data is available.
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

    /// Ends the body, with an error or successfully. Later calls have no effect.
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

    // MARK: Reading

    /// Returns the body as a stream for one reader. Releasing it, or canceling the task that waits for it,
    /// abandons the body.
    func stream() -> AsyncThrowingStream<Data, any Error> { reader().stream() }

    /// Returns the body for a reader that decodes it; see ``stream()``.
    package func reader() -> any BodySource { Reader(self) }

    /// Abandons the pipe when the last reference to the stream is released.
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

    private static let cancelled = TransportError(.cancelled, message: "The reader of the body was released.")
    private static let hasReader = TransportError(
        .unsupported, message: "Another reader waits for this body; a body supports one reader.")

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

/// The pieces of a body, for one reader; `nil` at the end.
package protocol BodySource: Sendable {
    func next() async throws -> Data?
}

extension BodySource {
    package func stream() -> AsyncThrowingStream<Data, any Error> { AsyncThrowingStream { try await next() } }
}
