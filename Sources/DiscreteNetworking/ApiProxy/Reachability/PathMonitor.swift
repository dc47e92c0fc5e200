#if canImport(Network) && !os(watchOS)
    import Dispatch
    import Network

    /// Apple's `NWPathMonitor`.
    struct PathMonitor: NetworkMonitor {
        func start(_ tell: @escaping @Sendable (Bool) -> Void) -> Bool {
            let monitor = NWPathMonitor()
            // `.requiresConnection` is a path that a request may bring up, such as a VPN on demand.
            monitor.pathUpdateHandler = { path in tell(path.status != .unsatisfied) }
            monitor.start(queue: DispatchQueue(label: "DiscreteNetworking.PathMonitor"))
            // A monitor ends with its last reference; this one is wanted for the rest of the process.
            _ = Unmanaged.passRetained(monitor)
            return true
        }

        /// A path is only known once the handler was called.
        func isConnected() -> Bool? { nil }
    }
#endif
