#if os(Linux)
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A loopback port whose queue is full: whoever connects to it waits in vain.
    final class SilentPort: Sendable {
        let port: UInt16
        private let descriptors: [Int32]

        /// - Parameters:
        ///   - host: the last byte of the address 127.0.0.x.
        ///   - port: the port; 0 for a free one.
        init(host: UInt32 = 1, port: UInt16 = 0) throws {
            let listener = Self.socket()
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = (UInt32(0x7F00_0000) + host).bigEndian
            address.sin_port = port.bigEndian
            guard Self.call(bind, listener, &address) == 0, listen(listener, 0) == 0 else {
                throw POSIXError(.EADDRINUSE)
            }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
            }
            self.port = UInt16(bigEndian: address.sin_port)
            var all = [listener]
            // On the loopback interface a connection is made at once or not at all.
            var isFull = false
            while !isFull, all.count < 64 {
                let client = Self.socket()
                all.append(client)
                isFull = Self.call(connect, client, &address) != 0 && !Self.isConnected(client)
            }
            descriptors = all
        }

        deinit { stop() }

        func stop() {
            for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }

        /// How many connections are being made to it, without the one that fills the queue.
        var connecting: Int {
            // The columns: number, local address, remote address, state; 02 is SYN_SENT. There may be
            // thousands of lines, so they are not taken apart.
            let wanted = Data((" 0100007F:" + String(format: "%04X", port) + " 02 ").utf8)
            var rest = Self.connections()[...]
            var count = 0
            while let found = rest.range(of: wanted) {
                count += 1
                rest = rest[found.upperBound...]
            }
            return max(0, count - 1)
        }

        /// Read to its end: of such files Foundation takes a short read for the end.
        private static func connections() -> Data {
            let descriptor = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            var table = Data()
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
                while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                    table.append(contentsOf: buffer[..<count])
                }
            }
            return table
        }

        private static func socket() -> Int32 {
            #if canImport(Glibc)
                Glibc.socket(
                    AF_INET,
                    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
                        | Int32(SOCK_CLOEXEC.rawValue), 0)
            #else
                Musl.socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)
            #endif
        }

        private static func call(
            _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
            _ address: inout sockaddr_in
        ) -> Int32 {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        private static func isConnected(_ descriptor: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&entry, 1, 0) > 0
        }
    }
#endif
