import Foundation

extension TypedAPIManager where Output == ByteStream {
    /// Server-sent events, without end: where the stream ends or the connection is lost, the manager asks
    /// again, with `Last-Event-ID`.
    ///
    /// ```swift
    /// for try await event in NewsManager().events() { print(event.data) }
    /// ```
    /// The time until then, by the proxy's clock, is what the server last said in `retry`, and never less than half a
    /// second. The loop ends where the server answers
    /// with 204. It throws an ``APIError`` where the server answers with any other status than 200 or with
    /// something else than `text/event-stream`, where the very first connection fails, and when its task is
    /// cancelled. Leaving the loop ends the traffic. The manager lives as long as the loop.
    /// - Parameters:
    ///   - params: the arguments of each call; without them the param source is asked each time.
    ///   - seconds: how long to wait before asking again, until the server says it; at least 0.5.
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

/// The events of ``TypedAPIManager/events(with:reconnectingAfter:)``. Each loop over it is a connection of
/// its own.
public struct EventSource: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    /// As ``ByteStream/lineLimit``, for each connection. Default: 1 MiB.
    public var lineLimit = 1 << 20
    /// As ``ByteStream/eventLimit``, for each connection. Default: 4 MiB.
    public var eventLimit = 4 << 20

    let manager: TypedAPIManager<ByteStream>
    let params: Params?
    let delay: TimeInterval
    let sleep: @Sendable (TimeInterval) async throws -> Void

    public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

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

        /// The least time between two connections: a server that says 0 would be asked thousands of times
        /// a second. Browsers hold to a minimum as well.
        private static let shortestPause: TimeInterval = 0.5

        private func pause() async throws {
            do {
                // Also where the time is not a number.
                try await source.sleep(delay >= Self.shortestPause ? delay : Self.shortestPause)
            } catch is CancellationError {
                throw error?(.cancelled) ?? CancellationError()
            }
        }

        /// The next event of the connection there is, or of a new one; `nil` at its end.
        private mutating func read() async throws(APIError) -> ServerSentEvent? {
            var reader: EventReader
            if let open = self.reader {
                reader = open
                // Two that hold the same buffers would copy them for each line.
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

        /// Keeps what the connection has taught.
        private mutating func close() {
            guard let last = reader?.parser else { return }
            lastEventID = last.lastEventID
            if let milliseconds = last.retry { delay = TimeInterval(milliseconds) / 1000 }
            reader = nil
        }

        /// - Returns: `nil` where the server wants no more of it.
        private mutating func connect() async throws(APIError) -> EventReader? {
            var headers = ["Accept": "text/event-stream", "Cache-Control": "no-store"]
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

        /// Every connection is for the users there were at the first one.
        private func load(_ headers: [String: String]) async throws(APIError) -> ByteStream {
            let (manager, params) = (source.manager, source.params)
            return try await UserWork.$current.withValue(users) { () async -> Result<ByteStream, APIError> in
                do throws(APIError) {
                    return .success(try await manager.load(with: params, headers: headers))
                } catch {
                    return .failure(error)
                }
            }.get()
        }

        private static func isLostConnection(_ kind: APIError.Kind) -> Bool {
            switch kind {
            case .timedOut, .notReachable: return true
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
