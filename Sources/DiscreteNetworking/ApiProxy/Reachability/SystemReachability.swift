/// What the device knows of its network.
///
/// On Apple platforms by `NWPathMonitor`, where a path that trying may bring up counts as there; not so on watchOS,
/// where it says nothing of what `URLSession` can reach (Apple's TN3135), and where nothing is known. On Linux the network is there when an interface other than the loopback
/// is up and running and has an address that is not link-local; changes come by netlink (rtnetlink(7)). Where a
/// sandbox forbids netlink, the system is asked each time, and every second while somebody reads ``changes``.
///
/// It costs nothing until it is first asked. As long as it does not know, it says that the network is there, so
/// that the request is sent and shows what is so.
public final class SystemReachability: Reachability {
    public static let shared = SystemReachability(monitor: systemMonitor, clock: SystemClock())

    private struct State {
        /// Whether the monitor tells of changes; `nil` before it was started.
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

    public var changes: AsyncStream<Bool> {
        let isTold = isTold()
        if !isTold { ask() }
        let changes = board.changes()
        if !isTold { keepAsking() }
        return changes
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
        if let isConnected = monitor.isConnected() { board.set(isConnected) }
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
            } while goesOn()
        }
    }

    private func goesOn() -> Bool {
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

    /// A platform of which nothing is known.
    private struct NoMonitor: NetworkMonitor {
        /// Would tell, if it ever knew: there is no use in asking it.
        func start(_ tell: @escaping @Sendable (Bool) -> Void) -> Bool { true }
        func isConnected() -> Bool? { nil }
    }
#endif
