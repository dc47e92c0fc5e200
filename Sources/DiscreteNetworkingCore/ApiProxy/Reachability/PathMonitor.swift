#if canImport(Network) && !os(watchOS)
    import Dispatch
    import Network

    /// Monitors the network with `NWPathMonitor`.
    struct PathMonitor: NetworkMonitor {
        func start(_ tell: @escaping @Sendable (NetworkPath) -> Void) -> Bool {
            let monitor = NWPathMonitor()
            // `.requiresConnection` is a path that a request may activate, such as an on-demand VPN.
            monitor.pathUpdateHandler = { path in tell(NetworkPath(path)) }
            monitor.start(queue: DispatchQueue(label: "DiscreteNetworking.PathMonitor"))
            // Retained for the rest of the process; releasing the monitor would end it.
            _ = Unmanaged.passRetained(monitor)
            return true
        }

        /// A path is known only after the first update.
        func isConnected() -> Bool? { nil }
    }

    extension NetworkPath {
        #if targetEnvironment(simulator)
            /// In a simulator the monitor stays unsatisfied after the network of the Mac has returned, so that it is
            /// no reason to refuse a call.
            fileprivate static let isSimulated = true
        #else
            fileprivate static let isSimulated = false
        #endif

        fileprivate init(_ path: NWPath) {
            let types: [(NWInterface.InterfaceType, NetworkPolicy.InterfaceType)] = [
                (.wifi, .wifi), (.cellular, .cellular), (.wiredEthernet, .wired), (.other, .other),
            ]
            self.init(
                isConnected: path.status != .unsatisfied || NetworkPath.isSimulated,
                interfaces: Set(types.filter { path.usesInterfaceType($0.0) }.map(\.1)),
                isExpensive: path.isExpensive, isConstrained: path.isConstrained)
        }
    }
#endif
