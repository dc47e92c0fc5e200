import Dispatch
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a wait on a connection ended.
enum HoldEnd {
    case woken
    case elapsed
    case gone
}

extension Socket {
    /// Blocks until the wake pipe is signaled, the time is over or the client disconnects.
    ///
    /// A half-closed connection counts as disconnected: it is indistinguishable from a close.
    func hold(until wake: WakePipe? = nil, seconds: TimeInterval? = nil) -> HoldEnd {
        let deadline = seconds.map { DispatchTime.now().uptimeNanoseconds + UInt64(max(0, $0) * 1e9) }
        var interest = Int16(POLLIN) | Socket.peerFinished
        while true {
            var entries = [
                pollfd(fd: descriptor, events: interest, revents: 0),
                pollfd(fd: wake?.readEnd ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&entries, 2, Socket.milliseconds(until: deadline))
            if ready < 0 {
                if errno == EINTR { continue }
                return .gone
            }
            if entries[1].revents != 0 { return .woken }
            let events = entries[0].revents
            if events & ~Int16(POLLIN) != 0 { return .gone }
            if events != 0 {
                var byte: UInt8 = 0
                if recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0 { return .gone }
                // Pipelined bytes are waiting. Left in `interest` they would keep `poll` from blocking.
                interest = Socket.peerFinished
            }
            if let deadline, DispatchTime.now().uptimeNanoseconds >= deadline { return .elapsed }
        }
    }

    /// Blocks until there is something to receive, the end included; false if the time is over before.
    func awaitBytes(until deadline: UInt64) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = Socket.milliseconds(until: deadline)
            guard left > 0 else { return false }
            let ready = poll(&entry, 1, left)
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return false }
        }
    }

    /// Blocks until the listener has a connection to accept or the pipe is written to.
    func awaitConnection(or wake: WakePipe) -> HoldEnd {
        while true {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&entries, 2, -1)
            if ready < 0, errno != EINTR { return .gone }
            if ready > 0 { return entries[1].revents != 0 ? .gone : .woken }
        }
    }

    private static func milliseconds(until deadline: UInt64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        guard deadline > now else { return 0 }
        return Int32(clamping: (deadline - now + 999_999) / 1_000_000)
    }

    #if os(Linux)
        /// POLLRDHUP, which the C module hides behind a feature macro.
        private static let peerFinished: Int16 = 0x2000
    #else
        private static let peerFinished: Int16 = 0
    #endif
}
