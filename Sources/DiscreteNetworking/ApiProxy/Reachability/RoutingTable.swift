#if os(Linux)
    import Foundation

    /// The kernel's routing tables as text, used if a sandbox forbids netlink.
    enum RoutingTable {
        /// Returns whether a route leads to another machine; `nil` if neither table is readable.
        static func leadsAnywhere() -> Bool? {
            let tables = (read("/proc/net/route"), read("/proc/net/ipv6_route"))
            guard tables.0 != nil || tables.1 != nil else { return nil }
            return leadsAnywhere(version4: tables.0 ?? "", version6: tables.1 ?? "")
        }

        /// - Parameters:
        ///   - version4: `/proc/net/route`: interface, destination, gateway and flags in hexadecimal, below
        ///     a header line.
        ///   - version6: `/proc/net/ipv6_route`: destination first, flags and interface last, without a
        ///     header line.
        static func leadsAnywhere(version4: String, version6: String) -> Bool {
            lines(of: version4).contains { fields in
                // The destination is in host byte order: 169.254.0.0 is 0000FEA9.
                fields.count >= 4 && isUsable(flags: fields[3], interface: fields[0])
                    && !fields[1].hasSuffix("FEA9")
            }
                || lines(of: version6).contains { fields in
                    fields.count >= 10 && isUsable(flags: fields[8], interface: fields[9])
                        && !["fe8", "fe9", "fea", "feb", "ff"].contains { fields[0].hasPrefix($0) }
                }
        }

        private static func isUsable(flags: Substring, interface: Substring) -> Bool {
            guard let flags = UInt32(flags, radix: 16) else { return false }
            return interface != "lo" && flags & up != 0 && flags & (reject | anycast | local) == 0
        }

        // From linux/route.h and linux/ipv6_route.h.
        private static let up: UInt32 = 0x1
        private static let reject: UInt32 = 0x200
        private static let anycast: UInt32 = 0x10_0000
        private static let local: UInt32 = 0x8000_0000

        private static func lines(of text: String) -> [[Substring]] {
            text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
        }

        private static func read(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif
