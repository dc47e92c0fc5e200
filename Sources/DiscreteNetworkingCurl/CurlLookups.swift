#if os(Linux)
    /// Which transfers may have libcurl look up the name of their host, and which wait until another has.
    ///
    /// libcurl starts a thread for each look-up: without a limit, as many new hosts at once would be as many
    /// threads. One look-up serves all transfers to a host.
    struct CurlLookups {
        /// Where a transfer stands.
        enum Place: Equatable {
            case none
            case waiting(WaitingLine<CurlTransfer>.Ticket)
            /// It looks the name up, for the others to that host too.
            case running
        }

        private struct Host {
            var isRunning = false
            var waiting = WaitingLine<CurlTransfer>()
        }

        /// The most look-ups at a time.
        static let limit = 32
        /// Nanoseconds for which libcurl remembers an address (`CURLOPT_DNS_CACHE_TIMEOUT`), less a margin.
        private static let memory: UInt64 = 50_000_000_000
        /// How many addresses to remember that libcurl does.
        private static let capacity = 1024

        private var hosts: [String: Host] = [:]
        private var running = 0
        /// Names to be looked up as soon as there are less than ``limit``.
        private var names = WaitingLine<String>()
        /// Until when libcurl remembers an address.
        private var known: [String: UInt64] = [:]

        /// - Returns: whether the transfer may start; if not, it waits.
        mutating func enter(_ transfer: CurlTransfer, at now: UInt64) -> Bool {
            let name = transfer.host
            if transfer.lookup == .running || Self.isAddress(name) || known[name, default: 0] > now {
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

        /// Whether a host is written as its address (RFC 3986 section 3.2.2), so that there is nothing to look up.
        private static func isAddress(_ host: String) -> Bool {
            host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E } || host.utf8.contains(0x3A)
        }

        /// A name was found.
        /// - Returns: those who may start now.
        mutating func found(_ transfer: CurlTransfer, at now: UInt64) -> [CurlTransfer] {
            guard transfer.lookup == .running else { return [] }
            if known.count >= Self.capacity { known = known.filter { $0.value > now } }
            if known.count < Self.capacity { known[transfer.host] = now + Self.memory }
            return others(of: transfer) + leave(transfer)
        }

        /// Those who wait for the look-up of this transfer, and do so no longer.
        mutating func others(of transfer: CurlTransfer) -> [CurlTransfer] {
            guard transfer.lookup == .running else { return [] }
            var others: [CurlTransfer] = []
            while let other = hosts[transfer.host]?.waiting.popFirst() {
                other.lookup = .none
                others.append(other)
            }
            return others
        }

        /// The transfer needs no look-up any longer.
        /// - Returns: one that may start now.
        mutating func leave(_ transfer: CurlTransfer) -> [CurlTransfer] {
            defer { transfer.lookup = .none }
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
            // Another one to that host goes on with its look-up, or the host that waited longest has its turn.
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
