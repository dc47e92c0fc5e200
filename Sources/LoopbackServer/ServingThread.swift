import Foundation

/// Threads that serve a connection know its socket, so that a wait inside a handler can watch it.
enum ServingThread {
    private static let key = "LoopbackServer.socket"

    /// The connection served by the calling thread.
    static var socket: Socket? {
        (Thread.current.threadDictionary[key] as? Int32).map(Socket.init(descriptor:))
    }

    static func start(_ name: String, socket: Socket?, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            if let socket { Thread.current.threadDictionary[key] = socket.descriptor }
            body()
        }
        thread.name = name
        thread.stackSize = 512 << 10
        thread.start()
    }
}
