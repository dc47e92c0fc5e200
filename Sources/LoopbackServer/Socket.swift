import Dispatch
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A blocking TCP socket, by its file descriptor.
///
/// A plain value: whoever created the descriptor decides when to `discard` it.
struct Socket: Sendable {
    let descriptor: Int32

    // MARK: Opening

    /// A socket bound to 127.0.0.1 or to all interfaces; port 0 lets the system choose.
    static func bound(to port: UInt16, ofAllInterfaces: Bool = false) throws -> Socket {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw systemError() }
        let socket = Socket(descriptor: descriptor)
        socket.closeOnExec()
        socket.enable(SO_REUSEADDR, at: SOL_SOCKET)
        var address = loopbackAddress(port: port)
        if ofAllInterfaces { address.sin_addr.s_addr = 0 }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let error = systemError()
            socket.discard()
            throw error
        }
        return socket
    }

    /// A bound socket that takes connections and never blocks in `acceptNext`.
    static func listening(on port: UInt16, ofAllInterfaces: Bool) throws -> Socket {
        let socket = try bound(to: port, ofAllInterfaces: ofAllInterfaces)
        socket.setBlocking(false)
        guard listen(socket.descriptor, 1024) == 0 else {
            let error = systemError()
            socket.discard()
            throw error
        }
        return socket
    }

    /// The next waiting connection; nil, with the cause in `errno`, when it is gone already or cannot be accepted.
    func acceptNext() -> Socket? {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        let socket = Socket(descriptor: accepted)
        socket.closeOnExec()
        socket.setBlocking(true)
        socket.enable(TCP_NODELAY, at: Int32(IPPROTO_TCP))
        #if canImport(Darwin)
            socket.enable(SO_NOSIGPIPE, at: SOL_SOCKET)
        #endif
        return socket
    }

    /// The local port.
    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    // MARK: Bytes

    /// Blocks for the next bytes: how many came, 0 at the end of the stream, -1 on failure.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Sends everything; false when the peer is gone.
    func sendAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = send(descriptor, start, rest.count, Socket.sendFlags)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Sends what there is room for: how much that was, or nil when the peer is gone.
    func sendSome(_ bytes: UnsafeRawBufferPointer) -> Int? {
        while true {
            let count = send(
                descriptor, bytes.baseAddress, bytes.count, Socket.sendFlags | Int32(MSG_DONTWAIT))
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
            guard errno == EINTR else { return nil }
        }
    }

    /// Blocks until there is room to send or the peer is gone; false when neither came in time. A negative
    /// time has no end.
    func awaitRoom(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let ready = poll(&entry, 1, milliseconds)
            if ready >= 0 || errno != EINTR { return ready != 0 }
        }
    }

    /// Whether a plain close would turn into a reset, because the peer sent more than was read.
    var hasUnreadBytes: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Bytes handed to `sendAll` that the peer's system has not acknowledged yet.
    var unacknowledged: Int {
        var count: Int32 = 0
        #if canImport(Darwin)
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length)
        #else
            _ = ioctl(descriptor, UInt(TIOCOUTQ), &count)
        #endif
        return Int(count)
    }

    // MARK: Closing

    /// Ends both directions, waking every thread blocked on this socket, and keeps the descriptor.
    func sever() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends sending, then reads and forgets what still comes, so that no reset overtakes the last response.
    /// Gives up after two silent seconds, and after so many seconds or bytes in all.
    func drain(seconds: Int, bytes: Int) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
        let end = Self.deadline(seconds: seconds)
        var rest = bytes
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            while rest > 0, awaitBytes(until: min(end, Self.deadline(seconds: 2))) {
                let count = receive(into: buffer)
                guard count > 0 else { return }
                rest -= count
            }
        }
    }

    /// A time in the future, as the system's uptime in nanoseconds.
    static func deadline(seconds: Int) -> UInt64 {
        DispatchTime.now().uptimeNanoseconds + UInt64(clamping: seconds) * 1_000_000_000
    }

    /// Makes `discard` send a reset instead of an orderly end.
    func resetOnDiscard() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func discard() {
        _ = close(descriptor)
    }

    // MARK: Details

    func setBlocking(_ blocking: Bool) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    private func closeOnExec() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private func enable(_ option: Int32, at level: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func loopbackAddress(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        #if canImport(Darwin)
            address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func systemError() -> any Error {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    #if canImport(Glibc)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamType = Int32(SOCK_STREAM)
    #endif

    #if canImport(Darwin)
        private static let sendFlags: Int32 = 0  // SO_NOSIGPIPE is set on the socket
    #else
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif
}
