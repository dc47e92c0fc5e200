public import DiscreteNetworkingCore
public import Foundation

/// The body of a response as an asynchronous sequence of bytes.
///
/// ```swift
/// // LogManager is an APIManager<ByteStream>. Returns after the response head.
/// let stream = try await LogManager().load()
/// for try await line in stream.lines { print(line) }
/// ```
///
/// The body can be read once: by one loop over bytes, ``chunks``, ``lines`` or ``events``. A second
/// concurrent loop throws ``TransferFailure/streamInUse``. Data is received only as it is read. Leaving the
/// loop and releasing the stream closes the connection; the stream is independent of its manager, which
/// releases it after calling its delegate. Reading throws ``APIError``.
public struct ByteStream: Sendable {
    /// The status and header fields.
    public let response: APIResponse
    /// The maximum length of a line in ``lines`` and ``events``, in bytes without the terminator. Default:
    /// 1 MiB.
    public var lineLimit = 1 << 20
    /// The maximum data of one event in ``events``, in bytes. Default: 4 MiB.
    public var eventLimit = 4 << 20

    let pieces: BodyPieces

    /// The body as received, in non-empty chunks.
    public var chunks: Chunks { Chunks(pieces: pieces) }

    /// The chunks of a stream; see ``ByteStream/chunks-swift.property``.
    public struct Chunks: AsyncSequence, Sendable {
        public typealias Element = Data
        let pieces: BodyPieces

        public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }

        /// Reads the body piece by piece.
        public struct Iterator: AsyncIteratorProtocol {
            let pieces: BodyPieces

            public func next() async throws -> Data? { try await pieces.next() }
        }
    }
}

extension ByteStream: AsyncSequence {
    public typealias Element = UInt8

    public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }

    /// Reads the body piece by piece.
    public struct Iterator: AsyncIteratorProtocol {
        private let pieces: BodyPieces
        @usableFromInline var buffer: [UInt8] = []
        @usableFromInline var position = 0

        init(pieces: BodyPieces) { self.pieces = pieces }

        @inlinable
        public mutating func next() async throws -> UInt8? { try await next(isolation: nil) }

        /// Stays on the caller's actor: hopping for each byte would be a hundred times as expensive.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
            if position == buffer.count, try await !fill(isolation: actor) { return nil }
            defer { position += 1 }
            return buffer[position]
        }

        @usableFromInline
        mutating func fill(isolation actor: isolated (any Actor)?) async throws -> Bool {
            guard let piece = try await pieces.next() else { return false }
            buffer = Array(piece)
            position = 0
            return true
        }
    }
}

extension ByteStream: Decodable, PayloadDecodable, TransferredOutput {
    package static var isStream: Bool { true }
    package static var standardDownload: Download? { nil }
    package static var machinery: any PolicyMachinery {
        TransferMaker { pending, _ in StreamStep(pending: pending) }
    }

    /// Always throws: a stream is not decoded.
    public init(from decoder: any Decoder) throws { throw Self.isNoStream }

    /// Always throws: a response in memory cannot be streamed.
    public static func decode(_ payload: Data, of response: APIResponse) throws -> ByteStream {
        throw isNoStream
    }

    private static var isNoStream: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "The response cannot be streamed."))
    }
}

/// The chunks of a body, with the errors of its call.
struct BodyPieces: Sendable {
    let error: @Sendable (APIError.Kind) -> APIError
    private struct State: Sendable {
        var isBeingRead = false
        /// Why reading has failed. After an error or the cancellation of a reader, an `AsyncThrowingStream` ends for every
        /// reader as if the body were complete.
        var failure: APIError?
    }

    private let source: AsyncThrowingStream<Data, any Error>
    private let state = Locked(State())

    init(
        _ source: AsyncThrowingStream<Data, any Error>, error: @escaping @Sendable (APIError.Kind) -> APIError
    ) {
        self.source = source
        self.error = error
    }

    /// Returns the next non-empty chunk. Only one caller at a time: concurrent iteration of an
    /// `AsyncThrowingStream` traps or never returns.
    func next() async throws(APIError) -> Data? {
        let failure = state.withLock { state -> APIError? in
            if state.isBeingRead { return error(.transfer(.streamInUse)) }
            state.isBeingRead = state.failure == nil
            return state.failure
        }
        if let failure { throw failure }
        do throws(APIError) {
            let piece = try await read()
            // A task that was canceled while it read has ended the source, although it got a chunk.
            let failure = Task.isCancelled ? error(.cancelled) : nil
            state.withLock { $0 = State(failure: failure) }
            return piece
        } catch {
            state.withLock { $0 = State(failure: error) }
            throw error
        }
    }

    private func read() async throws(APIError) -> Data? {
        do {
            while let piece = try await source.next() {
                if !piece.isEmpty { return piece }
            }
            try Task.checkCancellation()
            return nil
        } catch let failure as TransportError {
            throw error(APIError.Kind(failure))
        } catch is CancellationError {
            throw error(.cancelled)
        } catch {
            throw self.error(
                .transfer(.unreadable(reason: "The transport's stream threw a \(type(of: error)).")))
        }
    }
}
