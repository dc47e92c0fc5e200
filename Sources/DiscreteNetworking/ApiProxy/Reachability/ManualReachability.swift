/// A network that is there when the app or a test says so.
///
/// ```swift
/// let network = ManualReachability(isConnected: false)
/// network.isConnected = true
/// ```
public final class ManualReachability: Reachability {
    private let board: ReachabilityBroadcaster

    public init(isConnected: Bool = true) { board = ReachabilityBroadcaster(isConnected) }

    /// Whether hosts other than this machine are reachable.
    public var isConnected: Bool {
        get { board.isConnected ?? true }
        set { board.set(newValue) }
    }

    /// Whether somebody reads ``changes``.
    var hasListeners: Bool { board.hasListeners }

    public func isReachable(host: String) -> Bool {
        isConnected || Self.needsNoNetwork(host)
    }

    public var changes: AsyncStream<Bool> { board.changes() }
}
