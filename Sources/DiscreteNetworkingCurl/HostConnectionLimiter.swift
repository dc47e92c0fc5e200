#if os(Linux)
    /// The origins (RFC 6454) in use, and some that were used recently.
    struct HostConnectionLimiter {
        private var origins: [String: CurlOrigin] = [:]
        private let connections: Int
        /// The number of origins from which idle ones are removed.
        private let capacity: Int
        private var limit: Int

        /// - Parameters:
        ///   - connections: The maximum number of connections per origin.
        ///   - capacity: The maximum number of idle origins to keep.
        init(connections: Int, capacity: Int) {
            self.connections = connections
            self.capacity = max(1, capacity)
            limit = self.capacity
        }

        var count: Int { origins.count }

        /// - Parameter name: The scheme, host and port.
        subscript(name: String) -> CurlOrigin {
            mutating get {
                if let origin = origins[name] { return origin }
                if origins.count >= limit {
                    origins = origins.filter { !$0.value.isIdle }
                    // Amortizes the cost of the next cleanup.
                    limit = origins.count + capacity
                }
                let origin = CurlOrigin(connections: connections)
                origins[name] = origin
                return origin
            }
        }
    }

    /// Admits transfers to the connections of an origin in FIFO order, and tracks dead connections. Used on
    /// the loop's thread only.
    ///
    /// Streams that stay open are not limited: over HTTP/1.1 each takes a connection, for hours perhaps, and no other
    /// transfer may wait for that.
    ///
    /// libcurl has such a limit too, but examines all waiting transfers whenever a connection becomes free.
    final class CurlOrigin {
        /// The state of a transfer.
        enum Place: Equatable {
            case none
            case waiting(WaitingLine<CurlTransfer>.Ticket)
            case active
        }

        private let connectionLimit: Int
        private var active = 0
        private var openStreams = 0
        private var waiting = WaitingLine<CurlTransfer>()
        /// `nil` until the first response tells.
        private var isMultiplexed: Bool?
        private var connections: [Int32: CurlConnection] = [:]
        /// Whether a dead connection may still be in use.
        private var mayHaveDeadConnection = false

        init(connections: Int) { connectionLimit = connections }

        /// Whether a connection may have several exchanges at a time.
        var mayBeMultiplexed: Bool { isMultiplexed != false }

        var isIdle: Bool { active == 0 && openStreams == 0 && waiting.isEmpty }

        /// Whether a dead connection is in use. libcurl would multiplex new exchanges on it, so they need a
        /// new one.
        var hasDeadConnection: Bool {
            if mayHaveDeadConnection { mayHaveDeadConnection = connections.values.contains { $0.isDead } }
            return mayHaveDeadConnection
        }

        /// The number of transfers that may still start.
        private var room: Int {
            guard isMultiplexed == true else { return connectionLimit - active }
            guard hasDeadConnection else { return connectionLimit * 100 - active }
            // Each new transfer takes a connection, and those on dead ones only wait for their end.
            let stuck = connections.values.reduce(0) { $1.isDead ? $0 + $1.limited : $0 }
            return connectionLimit - (active - stuck)
        }

        // MARK: Admission

        /// - Returns: Whether the transfer may start; if not, it waits.
        func enter(_ transfer: CurlTransfer) -> Bool {
            guard !transfer.isOpenEnded else {
                transfer.place = .active
                openStreams += 1
                return true
            }
            guard room > 0 else {
                transfer.place = .waiting(waiting.append(transfer))
                return false
            }
            transfer.place = .active
            active += 1
            checkInvariants()
            return true
        }

        /// - Parameter isMultiplexed: Whether its connection supports multiplexing; `nil` if unknown.
        /// - Returns: The transfers that may start now.
        func leave(_ transfer: CurlTransfer, isMultiplexed: Bool?) -> [CurlTransfer] {
            defer { transfer.place = .none }
            disconnect(transfer)
            switch transfer.place {
            case .none: return []
            case .waiting(let ticket):
                waiting.remove(ticket)
                return []
            case .active: break
            }
            if transfer.isOpenEnded { openStreams -= 1 } else { active -= 1 }
            if let isMultiplexed { self.isMultiplexed = isMultiplexed }
            var next: [CurlTransfer] = []
            while room > 0, let transfer = waiting.popFirst() {
                transfer.place = .active
                active += 1
                next.append(transfer)
            }
            checkInvariants()
            return next
        }

        private func checkInvariants() {
            assert(active >= 0 && openStreams >= 0, "more transfers have left than have entered")
            assert(
                connections.values.allSatisfy { $0.exchanges > 0 && $0.limited >= 0 },
                "a connection without exchanges is kept")
        }

        // MARK: Connections

        /// Assigns a transfer to a connection, identified by its local port.
        func connect(_ transfer: CurlTransfer, port: Int32) {
            disconnect(transfer)
            let connection = connections[port] ?? CurlConnection(port: port)
            connections[port] = connection
            connection.exchanges += 1
            if !transfer.isOpenEnded { connection.limited += 1 }
            transfer.connection = connection
        }

        /// Records that a transfer was abandoned that has waited since a time.
        /// - Returns: Whether its connection is dead.
        func giveUp(_ transfer: CurlTransfer, since start: UInt64) -> Bool {
            guard let connection = transfer.connection else { return false }
            connection.noteSilence(since: start)
            if connection.isDead { mayHaveDeadConnection = true }
            return connection.isDead
        }

        func disconnect(_ transfer: CurlTransfer) {
            guard let connection = transfer.connection else { return }
            transfer.connection = nil
            connection.exchanges -= 1
            if !transfer.isOpenEnded { connection.limited -= 1 }
            if connection.exchanges == 0 { connections[connection.port] = nil }
        }
    }

    extension CurlTransfer {
        fileprivate var isOpenEnded: Bool { exchange.isOpenEnded }
    }

    /// A connection in use; with HTTP/2 by several exchanges.
    final class CurlConnection {
        let port: Int32
        fileprivate var exchanges = 0
        /// The number of exchanges that count for the limit.
        fileprivate var limited = 0
        /// When response data was last received; 0 if never.
        private var lastAnswer: UInt64 = 0
        /// Whether an exchange was abandoned while no other received data. The connection may be lost, or
        /// kept busy with frames that are no response.
        private(set) var isDead = false
        /// The last stream that the server processes, once it has said so.
        var lastStream: UInt32?

        init(port: Int32) { self.port = port }

        func noteAnswer(at now: UInt64) {
            lastAnswer = now
            isDead = false
        }

        /// Records that an exchange was abandoned that has waited since a time.
        fileprivate func noteSilence(since start: UInt64) { if lastAnswer <= start { isDead = true } }
    }

    /// A FIFO queue with removal in constant time.
    struct WaitingLine<Element> {
        /// Identifies an element of the queue.
        typealias Ticket = Int

        private var elements: [Ticket: Element] = [:]
        private var first: Ticket = 0
        private var next: Ticket = 0

        var isEmpty: Bool { elements.isEmpty }

        mutating func append(_ element: Element) -> Ticket {
            defer { next += 1 }
            elements[next] = element
            return next
        }

        mutating func remove(_ ticket: Ticket) { elements[ticket] = nil }

        mutating func popFirst() -> Element? {
            while !elements.isEmpty {
                defer { first += 1 }
                if let element = elements.removeValue(forKey: first) { return element }
            }
            return nil
        }
    }
#endif
