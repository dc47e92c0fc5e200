#if os(Linux)
    import CCurl

    /// The addresses that libcurl was given for hosts, which it keeps until they are removed (`CURLOPT_RESOLVE`).
    struct CurlHostTable {
        /// The maximum number of hosts and ports for which libcurl keeps addresses.
        static let capacity = 512

        private var places = LRUList<String, Bool>()

        var count: Int { places.count }

        /// Returns the lines that an exchange needs. Each exchange sets its addresses again: they apply from then on.
        mutating func lines(for exchange: CurlExchange) -> [String] {
            guard let host = exchange.resolved else { return [] }
            return lines(host.addresses, of: "\(host.name):\(host.port)")
        }

        /// - Parameters:
        ///   - addresses: Valid addresses; empty if the system has to resolve the host.
        ///   - place: The host and port.
        mutating func lines(_ addresses: [String], of place: String) -> [String] {
            guard !addresses.isEmpty else {
                guard places.use(place) != nil else { return [] }
                places.remove(place)
                return ["-" + place]
            }
            places.insert(true, cost: 1, for: place)
            let list = addresses.map { IPAddress.isVersion6($0) ? "[\($0)]" : $0 }.joined(separator: ",")
            let line = "\(place):\(list)"
            guard places.count > Self.capacity, let oldest = places.removeOldest() else { return [line] }
            return ["-" + oldest, line]
        }
    }

    /// The lines of a ``CurlHostTable`` for libcurl, which does not copy them.
    final class CurlHostLines {
        private(set) var list: OpaquePointer?

        deinit { ccurl_list_free(list) }

        /// - Returns: Whether the list has to be set. libcurl must then no longer use that before.
        func update(_ lines: [String]) -> Bool {
            guard list != nil || !lines.isEmpty else { return false }
            ccurl_list_free(list)
            list = nil
            for line in lines { list = ccurl_list_append(list, line) }
            return true
        }
    }
#endif
