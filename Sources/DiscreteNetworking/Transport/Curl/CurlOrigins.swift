#if canImport(CCurl)
    /// Who may use the connections of an origin (RFC 6454), and who waits, first come, first served.
    ///
    /// libcurl has such a limit too, but looks at all that wait whenever one connection comes free.
    struct CurlOrigins {
        private struct Origin {
            var active = 0
            var waiting: ArraySlice<CurlTransfer> = []
            var isMultiplexed = false

            func limit(_ connections: Int) -> Int { isMultiplexed ? connections * 100 : connections }
        }

        private var origins: [String: Origin] = [:]

        /// Scheme, host and port, as written.
        static func name(of url: String) -> String {
            var slashes = 0
            let end = url.utf8.firstIndex { byte in
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            }
            return String(url[..<(end ?? url.endIndex)])
        }

        /// - Returns: whether the transfer may start; if not, it waits.
        mutating func enter(_ transfer: CurlTransfer, limit: Int) -> Bool {
            var origin = origins.removeValue(forKey: transfer.origin) ?? Origin()
            defer { origins[transfer.origin] = origin }
            guard origin.active < origin.limit(limit) else {
                transfer.place = .waiting
                origin.waiting.append(transfer)
                return false
            }
            transfer.place = .active
            origin.active += 1
            return true
        }

        /// - Returns: those who may start now.
        mutating func leave(_ transfer: CurlTransfer, isMultiplexed: Bool, limit: Int) -> [CurlTransfer] {
            // One that waits is passed over when its turn comes.
            defer { transfer.place = .none }
            guard transfer.place == .active, var origin = origins.removeValue(forKey: transfer.origin) else {
                return []
            }
            origin.active -= 1
            if isMultiplexed { origin.isMultiplexed = true }
            var next: [CurlTransfer] = []
            while origin.active < origin.limit(limit), let transfer = origin.waiting.popFirst() {
                guard transfer.place == .waiting else { continue }
                transfer.place = .active
                origin.active += 1
                next.append(transfer)
            }
            if origin.active > 0 || origin.isMultiplexed { origins[transfer.origin] = origin }
            return next
        }

        /// Where a transfer stands.
        enum Place {
            case none
            case waiting
            case active
        }
    }
#endif
