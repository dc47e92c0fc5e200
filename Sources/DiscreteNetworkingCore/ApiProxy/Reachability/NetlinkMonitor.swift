#if os(Linux)
    import CPoll
    import Dispatch

    /// Monitors links, addresses and routes with rtnetlink(7), and then inspects the interfaces.
    ///
    /// Foundation has no such notification on Linux; without it, a call that waits for connectivity would have to poll.
    struct NetlinkMonitor: NetworkMonitor {
        func start(_ tell: @escaping @Sendable (NetworkPath) -> Void) -> Bool {
            let socket = cpoll_new_network_watch()
            guard socket >= 0 else { return false }
            // Read after the socket is open, so that no change is missed.
            guard let isConnected = isConnected() else {
                cpoll_close(socket)
                return false
            }
            tell(NetworkPath(isConnected: isConnected))
            let queue = DispatchQueue(label: "DiscreteNetworking.NetlinkMonitor")
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
            source.setEventHandler {
                // The messages are discarded: after an overflow they would be incomplete.
                cpoll_drain(socket)
                if let isConnected = self.isConnected() { tell(NetworkPath(isConnected: isConnected)) }
            }
            source.resume()
            // Retained for the rest of the process; releasing the source would end it.
            _ = Unmanaged.passRetained(source as AnyObject)
            return true
        }

        /// Routes are not read in addition to interfaces: they may be in any table, and an address implies
        /// one. Where a sandbox forbids to read them, nothing is known, and calls are sent.
        func isConnected() -> Bool? { NetworkInterface.all().map { $0.contains(where: \.isUsable) } }
    }
#endif
