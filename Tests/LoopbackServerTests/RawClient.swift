import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket without manners: sends any bytes and shows any bytes.
final class RawClient {
    private var descriptor: Int32

    init(_ port: UInt16) {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM), 0)
        #endif
        precondition(descriptor >= 0, "no socket")
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(status == 0, "no connection")
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit {
        end()
    }

    func end() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// - Returns: Whether the connection takes what is sent.
    @discardableResult
    func write(_ text: String) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let bytes = Array(text.utf8)
        return send(descriptor, bytes, bytes.count, flags) >= 0
    }

    /// What one `recv` gives: nil after a failure, empty at the end.
    func read(_ limit: Int = 65536) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        return count < 0 ? nil : Array(buffer[..<count])
    }

    /// Everything up to `end`; less if the connection ends before.
    func read(until end: String) -> String {
        var bytes: [UInt8] = []
        while !bytes.ends(with: end.utf8), let next = read(1), !next.isEmpty { bytes += next }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything up to the end of the connection, and whether that end was orderly.
    func readToEnd() -> (text: String, isOrderly: Bool) {
        var bytes: [UInt8] = []
        while let next = read() {
            if next.isEmpty { return (String(decoding: bytes, as: UTF8.self), true) }
            bytes += next
        }
        return (String(decoding: bytes, as: UTF8.self), false)
    }
}

extension Array where Element == UInt8 {
    fileprivate func ends(with other: some Collection<UInt8>) -> Bool {
        suffix(other.count).elementsEqual(other)
    }
}
