#if os(Linux)
    /// The origins (RFC 6454) that exchanges go to, and some that they went to.
    struct HostConnectionLimiter {
        private var origins: [String: CurlOrigin] = [:]
        private let connections: Int
        /// From how many origins on those without an exchange are forgotten.
        private let capacity: Int
        private var limit: Int

        /// - Parameters:
        ///   - connections: the most connections to one origin.
        ///   - capacity: how many idle origins may be remembered.
        init(connections: Int, capacity: Int) {
            self.connections = connections
            self.capacity = max(1, capacity)
            limit = self.capacity
        }

        var count: Int { origins.count }

        /// - Parameter name: scheme, host and port.
        subscript(name: String) -> CurlOrigin {
            mutating get {
                if let origin = origins[name] { return origin }
                if origins.count >= limit {
                    origins = origins.filter { !$0.value.isIdle }
                    // So that the next look at all of them is as many new origins away.
                    limit = origins.count + capacity
                }
                let origin = CurlOrigin(connections: connections)
                origins[name] = origin
                return origin
            }
        }

        /// Scheme, host and port of a URL, as written.
        static func name(of url: String) -> String {
            var slashes = 0
            let end = url.utf8.firstIndex { byte in
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            }
            return String(url[..<(end ?? url.endIndex)])
        }
    }

    /// Who may use the connections of an origin, who waits, first come, first served, and which connections are
    /// not to be used any longer. For the loop's thread only.
    ///
    /// libcurl has such a limit too, but looks at all that wait whenever one connection comes free.
    final class CurlOrigin {
        /// Where a transfer stands.
        enum Place: Equatable {
            case none
            case waiting(WaitingLine<CurlTransfer>.Ticket)
            case active
        }

        private let connectionLimit: Int
        private var active = 0
        private var waiting = WaitingLine<CurlTransfer>()
        private var isMultiplexed = false
        private var connections: [Int32: CurlConnection] = [:]
        /// Whether a connection was found dead and perhaps is in use still.
        private var mayHaveDeadConnection = false

        init(connections: Int) { connectionLimit = connections }

        var isIdle: Bool { active == 0 && waiting.isEmpty }

        /// Whether a dead connection is in use: libcurl would give it new exchanges, so these need their own.
        var hasDeadConnection: Bool {
            if mayHaveDeadConnection { mayHaveDeadConnection = connections.values.contains { $0.isDead } }
            return mayHaveDeadConnection
        }

        /// How many exchanges more may start.
        private var room: Int {
            guard isMultiplexed else { return connectionLimit - active }
            guard hasDeadConnection else { return connectionLimit * 100 - active }
            // Each new one takes a connection, and those on dead ones only wait for their end.
            let stuck = connections.values.reduce(0) { $1.isDead ? $0 + $1.exchanges : $0 }
            return connectionLimit - (active - stuck)
        }

        // MARK: Places

        /// - Returns: whether the transfer may start; if not, it waits.
        func enter(_ transfer: CurlTransfer) -> Bool {
            guard room > 0 else {
                transfer.place = .waiting(waiting.append(transfer))
                return false
            }
            transfer.place = .active
            active += 1
            return true
        }

        /// - Parameter isMultiplexed: whether its connection could carry others too; `nil` where no answer told.
        /// - Returns: those who may start now.
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
            active -= 1
            if let isMultiplexed { self.isMultiplexed = isMultiplexed }
            var next: [CurlTransfer] = []
            while room > 0, let transfer = waiting.popFirst() {
                transfer.place = .active
                active += 1
                next.append(transfer)
            }
            return next
        }

        // MARK: Connections

        /// The transfer's request goes out on a connection, which its local port tells from the others.
        func connect(_ transfer: CurlTransfer, port: Int32) {
            disconnect(transfer)
            let connection = connections[port] ?? CurlConnection(port: port)
            connections[port] = connection
            connection.exchanges += 1
            transfer.connection = connection
        }

        /// A transfer is given up that has waited since the given time.
        /// - Returns: whether its connection is dead.
        func giveUp(_ transfer: CurlTransfer, since start: UInt64) -> Bool {
            guard let connection = transfer.connection else { return false }
            connection.noteSilence(since: start)
            if connection.isDead { mayHaveDeadConnection = true }
            return connection.isDead
        }

        private func disconnect(_ transfer: CurlTransfer) {
            guard let connection = transfer.connection else { return }
            transfer.connection = nil
            connection.exchanges -= 1
            if connection.exchanges == 0 { connections[connection.port] = nil }
        }
    }

    /// A connection while exchanges are on it: with HTTP/2 there may be many.
    final class CurlConnection {
        let port: Int32
        fileprivate var exchanges = 0
        /// When something of an answer last came; 0 where nothing has.
        private var lastAnswer: UInt64 = 0
        /// Whether an exchange was given up that waited for its answer while no other got any. The connection
        /// may be closed on the way, or kept busy with frames that are no answer.
        private(set) var isDead = false

        init(port: Int32) { self.port = port }

        func noteAnswer(at now: UInt64) {
            lastAnswer = now
            isDead = false
        }

        /// An exchange that has waited since the given time is given up.
        fileprivate func noteSilence(since start: UInt64) { if lastAnswer <= start { isDead = true } }
    }

    /// Those who wait for something, first come, first served. One that leaves the line is let go of at once.
    struct WaitingLine<Element> {
        /// A place in the line.
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
