import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// By which names other devices of the network reach this one.
enum DeviceNames {
    /// The IPv4 addresses of the device, then its Bonjour name, such as `my-iphone.local`.
    static var own: [String] { addresses + [bonjourName].compactMap(\.self) }

    /// The name of the device in multicast DNS (RFC 6762); `nil` if it has no name.
    static var bonjourName: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        return bonjourName(
            ofHost: String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// - Parameter host: The name of the host, with or without a domain.
    static func bonjourName(ofHost host: String) -> String? {
        let label = host.lowercased().split(separator: ".").first.map(String.init) ?? ""
        let isName =
            !label.isEmpty
            && label.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
        // Since iOS 16 the system says no more than this.
        return isName && label != "localhost" ? label + ".local" : nil
    }

    /// The IPv4 addresses of interfaces that are up, without loopback and link-local addresses (RFC 3927).
    static var addresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        let all = sequence(first: first) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap(\.self)
        return all.compactMap { interface in
            guard let address = interface.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                Int32(truncatingIfNeeded: interface.pointee.ifa_flags) & Int32(IFF_UP) != 0
            else { return nil }
            let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin_addr.s_addr) { Array($0) }
            }
            guard bytes[0] != 127, bytes[..<2] != [169, 254] else { return nil }
            return bytes.map(String.init).joined(separator: ".")
        }
    }
}
