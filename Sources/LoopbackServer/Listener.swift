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
    private let system: System
    /// `nil` while the port cannot be bound.
    private var socket: Socket?

    /// The system calls of a listener.
    struct System: Sendable {
        var listen: @Sendable (_ port: UInt16, _ ofAllInterfaces: Bool) throws -> Socket = {
            try Socket.listening(on: $0, ofAllInterfaces: $1)
        }
        var awaitConnection: @Sendable (Socket, WakePipe) -> HoldEnd = { $0.awaitConnection(or: $1) }
        /// Returns `nil` with the cause in `errno`.
        var accept: @Sendable (Socket) -> Socket? = { $0.acceptNext() }
        /// Blocks until the pipe is written to, for at most some milliseconds, and returns whether it was.
        var pause: @Sendable (WakePipe, _ milliseconds: Int32) -> Bool = { $0.isSignaled(within: $1) }
    }

    /// - Throws: A `POSIXError` when the port cannot be bound.
    init(port: UInt16, ofAllInterfaces: Bool, system: System = System()) throws {
        self.ofAllInterfaces = ofAllInterfaces
        self.system = system
        let socket = try system.listen(port, ofAllInterfaces)
        self.socket = socket
        self.port = socket.port
    }

    /// Blocks until there is a connection; `nil` once the pipe is written to.
    mutating func next(or wake: WakePipe) -> Socket? {
        while true {
            guard let socket else {
                self.socket = try? system.listen(port, ofAllInterfaces)
                // Somebody else has the port, for the time being.
                guard self.socket != nil || !system.pause(wake, 1000) else { return nil }
                continue
            }
            guard system.awaitConnection(socket, wake) == .woken else { return nil }
            if let connection = system.accept(socket) { return connection }
            switch errno {
            case EAGAIN, EINTR: break
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // Until some descriptors are closed.
                if system.pause(wake, 100) { return nil }
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
