/// A reachability that the app or a test controls.
///
/// ```swift
/// let network = ManualReachability(isConnected: false)
/// network.isConnected = true
/// ```
public final class ManualReachability: Reachability {
    private let board: ReachabilityBroadcaster

    /// Creates a reachability with an initial state.
    public init(isConnected: Bool = true) { board = ReachabilityBroadcaster(isConnected) }

    /// Whether hosts other than this machine are reachable.
    public var isConnected: Bool {
        get { board.isConnected ?? true }
        set { board.set(newValue) }
    }

    /// Whether ``changes`` has readers.
    var hasListeners: Bool { board.hasListeners }

    public func isReachable(host: String) -> Bool {
        isConnected || Self.needsNoNetwork(host)
    }

    public var changes: AsyncStream<Bool> { board.changes() }
}
