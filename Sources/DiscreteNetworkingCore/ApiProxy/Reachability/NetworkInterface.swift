#if os(Linux)
    import Foundation

    /// An address of a network interface, as listed by getifaddrs(3).
    struct NetworkInterface: Sendable {
        let name: String
        /// The `IFF_` flags.
        let flags: Int
        /// 4 or 16 bytes in network byte order; empty for other address families.
        let address: [UInt8]

        /// Whether other machines may be reachable through the interface.
        var isUsable: Bool {
            let needed = Int(IFF_UP) | Int(IFF_RUNNING)
            guard flags & needed == needed, flags & Int(IFF_LOOPBACK) == 0 else { return false }
            switch address.count {
            // Link-local addresses: 169.254.0.0/16 (RFC 3927) and fe80::/10 (RFC 4291 section 2.5.6).
            case 4: return address[0] != 127 && address[0] != 0 && address[0...1] != [169, 254]
            case 16:
                return !(address[0] == 0xFE && address[1] & 0xC0 == 0x80)
                    && address.dropLast().contains { $0 != 0 }
            default: return false
            }
        }

        /// Returns all addresses of this machine.
        /// - Returns: `nil` if they are not accessible: getifaddrs needs netlink too.
        static func all() -> [NetworkInterface]? {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return nil }
            defer { freeifaddrs(first) }
            return sequence(first: first) { $0?.pointee.ifa_next }
                .prefix { $0 != nil }
                .compactMap { $0.map { NetworkInterface($0.pointee) } }
        }

        private init(_ entry: ifaddrs) {
            name = String(cString: entry.ifa_name)
            flags = Int(entry.ifa_flags)
            address = Self.bytes(of: entry.ifa_addr)
        }

        init(_ name: String, flags: Int, address: [UInt8]) {
            self.name = name
            self.flags = flags
            self.address = address
        }

        private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8] {
            guard let address else { return [] }
            // The address family determines the actual structure.
            let raw = UnsafeRawPointer(address)
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr, Array.init)
            case AF_INET6:
                return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr, Array.init)
            default: return []
            }
        }
    }
#endif
