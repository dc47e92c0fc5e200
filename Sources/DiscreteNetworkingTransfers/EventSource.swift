public import DiscreteNetworkingCore
public import Foundation

extension TypedAPIManager where Output == ByteStream {
    /// Returns server-sent events and reconnects with `Last-Event-ID` when the stream ends or the
    /// connection is lost (WHATWG HTML section 9.2).
    ///
    /// ```swift
    /// for try await event in NewsManager().events() { print(event.data) }
    /// ```
    ///
    /// The delay before reconnecting is the last `retry` value of the server, measured by the proxy's
    /// clock, and at least 0.5 seconds. The loop ends when the server responds with 204. It throws an
    /// ``APIError`` if the status is not 200 or the media type not `text/event-stream`, if the first
    /// connection fails, and if its task is canceled. Leaving the loop closes the connection. The manager
    /// is retained by the loop.
    /// - Parameters:
    ///   - params: The arguments of each call; `nil` to call the param source each time.
    ///   - seconds: The delay before reconnecting until the server sends one, in seconds; at least 0.5.
    public func events(
        with params: Params? = nil, reconnectingAfter seconds: TimeInterval = 3
    ) -> EventSource {
        events(with: params, reconnectingAfter: seconds) { [clock = proxy.clock] seconds in
            try await clock.sleep(for: seconds)
        }
    }

    func events(
        with params: Params?, reconnectingAfter seconds: TimeInterval,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void
    ) -> EventSource {
        EventSource(manager: self, params: params, delay: seconds, sleep: sleep)
    }
}

/// The events of ``TypedAPIManager/events(with:reconnectingAfter:)``. Each loop opens its own connection.
public struct EventSource: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    /// The same as ``ByteStream/lineLimit``, for each connection. Default: 1 MiB.
    public var lineLimit = 1 << 20
    /// The same as ``ByteStream/eventLimit``, for each connection. Default: 4 MiB.
    public var eventLimit = 4 << 20

    let manager: TypedAPIManager<ByteStream>
    let params: Params?
    let delay: TimeInterval
    let sleep: @Sendable (TimeInterval) async throws -> Void

    public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    /// Reads the events one after the other, and connects again where needed.
    public struct Iterator: AsyncIteratorProtocol {
        private let source: EventSource
        private var reader: EventReader?
        private var lastEventID = ""
        private var delay: TimeInterval
        private var hasConnected = false
        private var isOver = false
        private var error: (@Sendable (APIError.Kind) -> APIError)?
        private let users = UserWork()

        init(source: EventSource) {
            self.source = source
            delay = source.delay
        }

        public mutating func next() async throws -> ServerSentEvent? {
            while !isOver {
                do throws(APIError) {
                    if let event = try await read() { return event }
                } catch {
                    guard hasConnected, Self.isLostConnection(error.kind) else {
                        isOver = true
                        throw error
                    }
                }
                guard !isOver else { break }
                close()
                try await pause()
            }
            return nil
        }

        /// The minimum delay between connections, in seconds, as in browsers: a `retry` of 0 would cause
        /// thousands of requests a second.
        private static let shortestPause: TimeInterval = 0.5

        private func pause() async throws {
            do {
                // The comparison is false for NaN too.
                try await source.sleep(delay >= Self.shortestPause ? delay : Self.shortestPause)
            } catch is CancellationError {
                throw error?(.cancelled) ?? CancellationError()
            }
        }

        /// Returns the next event, connecting if needed; `nil` at the end.
        private mutating func read() async throws(APIError) -> ServerSentEvent? {
            var reader: EventReader
            if let open = self.reader {
                reader = open
                // Moves the reader out and in: a second reference would copy its buffers for each line.
                self.reader = nil
            } else if let new = try await connect() {
                reader = new
            } else {
                isOver = true
                return nil
            }
            defer { self.reader = reader }
            return try await reader.next()
        }

        /// Saves the last event ID and delay of the connection.
        private mutating func close() {
            guard let last = reader?.parser else { return }
            lastEventID = last.lastEventID
            if let milliseconds = last.retry { delay = TimeInterval(milliseconds) / 1000 }
            reader = nil
        }

        /// - Returns: `nil` if the server asks the client not to reconnect.
        private mutating func connect() async throws(APIError) -> EventReader? {
            var headers: HTTPFields = ["Accept": "text/event-stream", "Cache-Control": "no-store"]
            if !lastEventID.isEmpty { headers["Last-Event-ID"] = lastEventID }
            let stream = try await load(headers)
            if stream.response.status == 204 { return nil }
            guard stream.response.status == 200 else {
                throw stream.pieces.error(.http(status: stream.response.status))
            }
            let type = stream.response.headers["Content-Type"]
            let essence = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            guard essence == "text/event-stream" else {
                throw stream.pieces.error(.transfer(.notAnEventStream(contentType: type)))
            }
            hasConnected = true
            error = stream.pieces.error
            return EventReader(
                LineReader(stream.pieces, limit: source.lineLimit),
                EventParser(lastEventID: lastEventID, limit: source.eventLimit))
        }

        /// Every connection belongs to the users of the first one.
        private func load(_ headers: HTTPFields) async throws(APIError) -> ByteStream {
            let (manager, params) = (source.manager, source.params)
            return try await users.run { () async throws(APIError) in
                try await manager.load(with: params, headers: headers)
            }
        }

        private static func isLostConnection(_ kind: APIError.Kind) -> Bool {
            switch kind {
            case .timedOut, .deadlineExceeded, .notReachable: return true
            case .transport(let error):
                switch error.kind {
                case .connectionLost, .cannotConnect, .cannotFindHost, .timedOut, .badResponse, .unknown:
                    return true
                default: return false
                }
            default: return false
            }
        }
    }
}
