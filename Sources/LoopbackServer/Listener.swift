import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The socket at which a server's connections arrive.
///
/// iOS takes the sockets of a suspended app away (Apple, Technical Note TN2277): what polls such a listener is woken at
/// once, each time, and accepts nothing. It is then opened again at its port.
struct Listener {
    let port: UInt16
    private let ofAllInterfaces: Bool
    /// `nil` while the port cannot be bound.
    private var socket: Socket?

    /// - Throws: A `POSIXError` when the port cannot be bound.
    init(port: UInt16, ofAllInterfaces: Bool) throws {
        self.ofAllInterfaces = ofAllInterfaces
        let socket = try Socket.listening(on: port, ofAllInterfaces: ofAllInterfaces)
        self.socket = socket
        self.port = socket.port
    }

    /// Blocks until there is a connection; `nil` once the pipe is written to.
    mutating func next(or wake: WakePipe) -> Socket? {
        while true {
            guard let socket else {
                self.socket = try? Socket.listening(on: port, ofAllInterfaces: ofAllInterfaces)
                // Somebody else has the port, for the time being.
                guard self.socket != nil || !wake.isSignaled(within: 1000) else { return nil }
                continue
            }
            guard socket.awaitConnection(or: wake) == .woken else { return nil }
            if let connection = socket.acceptNext() { return connection }
            switch errno {
            case EAGAIN, EINTR: break
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // Until some descriptors are closed.
                if wake.isSignaled(within: 100) { return nil }
            default: close()
            }
        }
    }

    mutating func close() {
        socket?.discard()
        socket = nil
    }
}

extension WakePipe {
    /// Blocks until the pipe is written to, for at most some milliseconds.
    fileprivate func isSignaled(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
