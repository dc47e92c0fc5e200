#if os(Linux)
    import CPoll
    import Dispatch

    /// Hears by rtnetlink(7) that links, addresses or routes have changed, and then looks at the interfaces.
    ///
    /// Foundation has nothing of the kind on Linux, and without it a call that waits for the network would have to poll.
    struct NetlinkMonitor: NetworkMonitor {
        func start(_ tell: @escaping @Sendable (Bool) -> Void) -> Bool {
            let socket = cpoll_new_network_watch()
            guard socket >= 0 else { return false }
            // Looked at after the socket stands, so that no change falls in between.
            guard let isConnected = isConnected() else {
                cpoll_close(socket)
                return false
            }
            tell(isConnected)
            let queue = DispatchQueue(label: "DiscreteNetworking.NetlinkMonitor")
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
            source.setEventHandler {
                // What has changed is not read: after an overflow it would not be all.
                cpoll_drain(socket)
                if let isConnected = self.isConnected() { tell(isConnected) }
            }
            source.resume()
            // A source ends with its last reference; this one is wanted for the rest of the process.
            _ = Unmanaged.passRetained(source as AnyObject)
            return true
        }

        /// Which routes there are is not looked at beside the interfaces: they may be in any table, and an address
        /// brings one along.
        func isConnected() -> Bool? {
            NetworkInterface.all().map { $0.contains(where: \.isUsable) } ?? RoutingTable.leadsAnywhere()
        }
    }
#endif
