import DiscreteNetworkingCore

extension ByteStream {
    /// The server-sent events of the body, until it ends. An incomplete event at the end is discarded. A
    /// line longer than ``lineLimit``, or an event with more data than ``eventLimit``, throws an error.
    ///
    /// Use ``TypedAPIManager/events(with:reconnectingAfter:)`` to reconnect when the body ends.
    public var events: Events { Events(pieces: pieces, lineLimit: lineLimit, eventLimit: eventLimit) }

    /// The server-sent events of a stream; see ``ByteStream/events-swift.property``.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = ServerSentEvent
        let pieces: BodyPieces
        let lineLimit: Int
        let eventLimit: Int

        public func makeAsyncIterator() -> Iterator {
            Iterator(
                reader: EventReader(LineReader(pieces, limit: lineLimit), EventParser(limit: eventLimit)))
        }

        /// Reads the events one after the other.
        public struct Iterator: AsyncIteratorProtocol {
            var reader: EventReader

            public mutating func next() async throws -> ServerSentEvent? { try await reader.next() }
        }
    }
}

/// Reads a body event by event.
struct EventReader {
    private var lines: LineReader
    private(set) var parser: EventParser

    init(_ lines: LineReader, _ parser: EventParser) {
        self.lines = lines
        self.parser = parser
    }

    mutating func next() async throws(APIError) -> ServerSentEvent? {
        while let line = try await lines.next(orRest: false) {
            do throws(EventParser.TooLong) {
                if let event = try parser.take(line) { return event }
            } catch {
                throw lines.error(.eventTooLong(limit: parser.limit))
            }
        }
        return nil
    }
}
