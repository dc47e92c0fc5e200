#if os(Linux)
    /// Limits concurrent name lookups.
    ///
    /// libcurl starts a thread for each lookup. One lookup serves all transfers to the same host.
    struct CurlLookups {
        /// The state of a transfer.
        enum Place: Equatable {
            case none
            case waiting(WaitingLine<CurlTransfer>.Ticket)
            /// It performs the lookup, also for others to the same host.
            case running
        }

        private struct Host {
            var isRunning = false
            var waiting = WaitingLine<CurlTransfer>()
        }

        /// The maximum number of concurrent lookups.
        static let limit = 32
        /// How long libcurl caches an address (`CURLOPT_DNS_CACHE_TIMEOUT`), less a margin, in nanoseconds.
        private static let memory: UInt64 = 50_000_000_000
        /// The maximum number of addresses assumed to be cached.
        private static let capacity = 1024

        private var hosts: [String: Host] = [:]
        private var running = 0
        /// Names waiting for a lookup.
        private var names = WaitingLine<String>()
        /// When libcurl's cached addresses expire.
        private var known: [String: UInt64] = [:]

        /// - Returns: Whether the transfer may start; if not, it waits.
        mutating func enter(_ transfer: CurlTransfer, at now: UInt64) -> Bool {
            let name = transfer.host
            if !transfer.exchange.needsLookup || transfer.lookup == .running || known[name, default: 0] > now
            {
                return true
            }
            if hosts[name] == nil {
                if running < Self.limit {
                    running += 1
                    hosts[name] = Host(isRunning: true)
                    transfer.lookup = .running
                    return true
                }
                hosts[name] = Host()
                _ = names.append(name)
            }
            transfer.lookup = (hosts[name]?.waiting.append(transfer)).map { .waiting($0) } ?? .none
            return false
        }

        private func checkInvariants() {
            assert(running == hosts.values.count { $0.isRunning }, "the lookups that run are not counted")
            assert(running >= 0 && running <= Self.limit, "too many lookups run")
            assert(
                running == Self.limit || hosts.values.allSatisfy(\.isRunning),
                "a name waits although there is room")
        }

        /// Records that a name was resolved.
        /// - Returns: The transfers that may start now.
        mutating func found(_ transfer: CurlTransfer, at now: UInt64) -> [CurlTransfer] {
            guard transfer.lookup == .running else { return [] }
            if known.count >= Self.capacity { known = known.filter { $0.value > now } }
            if known.count < Self.capacity { known[transfer.host] = now + Self.memory }
            return others(of: transfer) + leave(transfer)
        }

        /// Removes and returns the transfers that wait for the lookup of this transfer.
        mutating func others(of transfer: CurlTransfer) -> [CurlTransfer] {
            guard transfer.lookup == .running else { return [] }
            var others: [CurlTransfer] = []
            while let other = hosts[transfer.host]?.waiting.popFirst() {
                other.lookup = .none
                others.append(other)
            }
            return others
        }

        /// Records that a transfer needs no lookup any more.
        /// - Returns: A transfer that may start now.
        mutating func leave(_ transfer: CurlTransfer) -> [CurlTransfer] {
            defer {
                transfer.lookup = .none
                checkInvariants()
            }
            switch transfer.lookup {
            case .none: return []
            case .waiting(let ticket):
                hosts[transfer.host]?.waiting.remove(ticket)
                if let host = hosts[transfer.host], !host.isRunning, host.waiting.isEmpty {
                    hosts[transfer.host] = nil
                }
                return []
            case .running: break
            }
            running -= 1
            // Another transfer to that host takes over its lookup, or the host that has waited longest is
            // next.
            if let next = begin(transfer.host) { return [next] }
            hosts[transfer.host] = nil
            while let name = names.popFirst() {
                if hosts[name]?.isRunning == false, let next = begin(name) { return [next] }
            }
            return []
        }

        private mutating func begin(_ name: String) -> CurlTransfer? {
            guard let next = hosts[name]?.waiting.popFirst() else { return nil }
            hosts[name]?.isRunning = true
            running += 1
            next.lookup = .running
            return next
        }
    }
#endif
