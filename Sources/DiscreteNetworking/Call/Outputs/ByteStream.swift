import Foundation

/// The body of a response while it arrives.
///
/// ```swift
/// final class LogManager: APIManager<ByteStream> { … }
///
/// let stream = try await LogManager().load()     // returns as soon as the head was accepted
/// for try await line in stream.lines { print(line) }
/// ```
/// It is there once: for one loop over bytes, ``chunks``, ``lines`` or ``events``. A second loop that reads at
/// the same time gets ``TransferFailure/streamInUse``. What is not read is not fetched. Leaving the loop and letting go of the stream ends the traffic; the manager no longer matters,
/// and forgets the stream once its delegate was told. Errors while reading are ``APIError``.
public struct ByteStream: Sendable {
    /// Status and headers.
    public let response: APIResponse
    /// The most bytes a line may have, without its end, in ``lines`` and ``events``. Default: 1 MiB.
    public var lineLimit = 1 << 20
    /// The most bytes the data of one event may have in ``events``. Default: 4 MiB.
    public var eventLimit = 4 << 20

    let pieces: BodyPieces

    /// The bytes in the pieces they arrive in, none of them empty.
    public var chunks: Chunks { Chunks(pieces: pieces) }

    public struct Chunks: AsyncSequence, Sendable {
        public typealias Element = Data
        let pieces: BodyPieces

        public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }

        public struct Iterator: AsyncIteratorProtocol {
            let pieces: BodyPieces

            public func next() async throws -> Data? { try await pieces.next() }
        }
    }
}

extension ByteStream: AsyncSequence {
    public typealias Element = UInt8

    public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }

    public struct Iterator: AsyncIteratorProtocol {
        private let pieces: BodyPieces
        @usableFromInline var buffer: [UInt8] = []
        @usableFromInline var position = 0

        init(pieces: BodyPieces) { self.pieces = pieces }

        @inlinable
        public mutating func next() async throws -> UInt8? { try await next(isolation: nil) }

        /// Stays where the loop runs: leaving an actor and coming back for each byte costs a hundred times
        /// what the byte does.
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

extension ByteStream: Decodable, PayloadDecodable {
    /// Always throws: a stream comes from the wire.
    public init(from decoder: any Decoder) throws { throw Self.isNoStream }

    /// Always throws: what is in memory is no stream any longer.
    public static func decode(_ payload: Data, of response: APIResponse) throws -> ByteStream {
        throw isNoStream
    }

    private static var isNoStream: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "The response cannot be streamed."))
    }
}

/// The pieces of a body, with the errors of the call that it belongs to.
struct BodyPieces: Sendable {
    let error: @Sendable (APIError.Kind) -> APIError
    private let source: AsyncThrowingStream<Data, any Error>
    private let isBeingRead = Locked(false)

    init(
        _ source: AsyncThrowingStream<Data, any Error>, error: @escaping @Sendable (APIError.Kind) -> APIError
    ) {
        self.source = source
        self.error = error
    }

    /// The next piece, never an empty one. One caller at a time: to wait for a stream of Swift's twice is a
    /// trap with one kind of stream, and without end with the other.
    func next() async throws(APIError) -> Data? {
        let isFirst = isBeingRead.withLock { isBeingRead in
            defer { isBeingRead = true }
            return !isBeingRead
        }
        guard isFirst else { throw error(.transfer(.streamInUse)) }
        defer { isBeingRead.current = false }
        do {
            while let piece = try await source.next() {
                if !piece.isEmpty { return piece }
            }
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
