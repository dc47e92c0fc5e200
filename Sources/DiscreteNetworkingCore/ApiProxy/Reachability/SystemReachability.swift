/// The network connectivity of the device.
///
/// On Apple platforms reported by `NWPathMonitor`; a path that a request may activate counts as connected.
/// Unknown on watchOS, where the monitor does not reflect what `URLSession` can reach (Apple TN3135). On
/// Linux, connected if an interface other than loopback is up and running and has an address that is not
/// link-local; changes are reported by netlink (rtnetlink(7)). If a sandbox forbids netlink, the interfaces
/// are read on each access, and every second while ``changes`` or ``paths`` has readers. The type of interface, and whether
/// the network is expensive or constrained, are known on Apple platforms only.
///
/// Monitoring starts on first use. Unknown connectivity counts as connected, so that the request is sent.
public final class SystemReachability: Reachability {
    /// The reachability of the device.
    public static let shared = SystemReachability(monitor: systemMonitor, clock: SystemClock())

    private struct State {
        /// Whether the monitor reports changes; `nil` before it was started.
        var isTold: Bool?
        var isAsking = false
    }

    private let monitor: any NetworkMonitor
    private let clock: any APIClock
    private let board = ReachabilityBroadcaster()
    private let state = Locked(State())

    init(monitor: any NetworkMonitor, clock: any APIClock) {
        self.monitor = monitor
        self.clock = clock
    }

    public func isReachable(host: String) -> Bool {
        if Self.needsNoNetwork(host) { return true }
        if !isTold() { ask() }
        return board.isConnected ?? true
    }

    public var path: NetworkPath {
        if !isTold() { ask() }
        return board.path ?? NetworkPath(isConnected: true)
    }

    public var changes: AsyncStream<Bool> { listening { $0.changes() } }

    public var paths: AsyncStream<NetworkPath> { listening { $0.paths() } }

    private func listening<Stream>(_ listen: (ReachabilityBroadcaster) -> Stream) -> Stream {
        let isTold = isTold()
        if !isTold { ask() }
        let stream = listen(board)
        if !isTold { keepAsking() }
        return stream
    }

    private func isTold() -> Bool {
        state.withLock { state in
            if let isTold = state.isTold { return isTold }
            let isTold = monitor.start { [board] in board.set($0) }
            state.isTold = isTold
            return isTold
        }
    }

    private func ask() {
        if let isConnected = monitor.isConnected() { board.set(NetworkPath(isConnected: isConnected)) }
    }

    private func keepAsking() {
        let begins = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard begins else { return }
        Task {
            repeat {
                try? await clock.sleep(for: 1)
                ask()
            } while shouldContinue()
        }
    }

    private func shouldContinue() -> Bool {
        state.withLock { state in
            state.isAsking = board.hasListeners
            return state.isAsking
        }
    }
}

#if canImport(Network) && !os(watchOS)
    private let systemMonitor: any NetworkMonitor = PathMonitor()
#elseif os(Linux)
    private let systemMonitor: any NetworkMonitor = NetlinkMonitor()
#else
    private let systemMonitor: any NetworkMonitor = NoMonitor()

    /// A platform without network monitoring.
    private struct NoMonitor: NetworkMonitor {
        /// Claims to report changes, so that it is not polled.
        func start(_ tell: @escaping @Sendable (NetworkPath) -> Void) -> Bool { true }
        func isConnected() -> Bool? { nil }
    }
#endif

/// Monitors the network of a platform.
protocol NetworkMonitor: Sendable {
    /// Starts reporting the network, now and after each possible change, for the rest of the process.
    /// - Returns: Whether monitoring is supported; if not, poll ``isConnected()``.
    func start(_ tell: @escaping @Sendable (NetworkPath) -> Void) -> Bool
    /// Returns whether the network is available; `nil` if unknown or only reported.
    func isConnected() -> Bool?
}
