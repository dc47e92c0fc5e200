/// A reachability that the app or a test controls.
///
/// ```swift
/// let network = ManualReachability(isConnected: false)
/// network.isConnected = true
/// network.path = NetworkPath(
///     isConnected: true, interfaces: [.cellular], isExpensive: true)
/// ```
public final class ManualReachability: Reachability {
    private let board: ReachabilityBroadcaster

    /// Creates a reachability with an initial state.
    public init(isConnected: Bool = true) {
        board = ReachabilityBroadcaster(NetworkPath(isConnected: isConnected))
    }

    /// Whether hosts other than this machine are reachable. Setting it keeps the rest of the ``path``.
    public var isConnected: Bool {
        get { path.isConnected }
        set {
            var path = path
            path.isConnected = newValue
            board.set(path)
        }
    }

    /// The network that requests would use.
    public var path: NetworkPath {
        get { board.path ?? NetworkPath(isConnected: true) }
        set { board.set(newValue) }
    }

    /// Whether ``changes`` or ``paths`` has readers.
    var hasListeners: Bool { board.hasListeners }

    public func isReachable(host: String) -> Bool {
        isConnected || Self.needsNoNetwork(host)
    }

    public var changes: AsyncStream<Bool> { board.changes() }

    public var paths: AsyncStream<NetworkPath> { board.paths() }
}
