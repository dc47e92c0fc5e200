/// Reports network connectivity.
///
/// ```swift
/// for await isThere in SystemReachability.shared.changes {
///     banner.isHidden = isThere
/// }
/// ```
///
/// Connectivity does not mean that a server responds. A request is rejected only if it is certain to fail;
/// otherwise it is sent.
public protocol Reachability: Sendable {
    /// Returns whether a request to a host may succeed. Always `true` for the loopback host (`localhost`,
    /// 127.0.0.0/8 and `::1`) and for hosts of the local network: link-local and private addresses, names
    /// in `.local`, and names without a dot.
    func isReachable(host: String) -> Bool
    /// A new stream of connectivity: the current value, then each change. Buffers the latest hundred
    /// values.
    var changes: AsyncStream<Bool> { get }
    /// What is known of the network. Default: nothing.
    var path: NetworkPath { get }
    /// A new stream of paths: the current one, if known, then each change. Default: made of ``changes``.
    var paths: AsyncStream<NetworkPath> { get }
}

extension Reachability {
    public var path: NetworkPath { NetworkPath(isConnected: true) }

    public var paths: AsyncStream<NetworkPath> {
        let changes = changes
        return AsyncStream {
            // All iterators of a stream share its state.
            for await isConnected in changes { return NetworkPath(isConnected: isConnected) }
            return nil
        }
    }

    /// Whether a host may be reachable without network connectivity.
    static func needsNoNetwork(_ host: String) -> Bool {
        let host = HostName.normal(host)
        return HostName.isLoopback(host) || HostName.isLocal(host)
    }

    /// Returns whether a request to a host may succeed over a network that a policy allows. Hosts that need no network
    /// connectivity are always tried.
    public func isReachable(host: String, over policy: NetworkPolicy) -> Bool {
        isReachable(host: host) && (Self.needsNoNetwork(host) || path.isAllowed(by: policy))
    }

    /// Waits until a request to a host may succeed over a network that a policy allows, or the task is canceled.
    public func waitUntilReachable(host: String, over policy: NetworkPolicy = .any) async {
        guard !isReachable(host: host, over: policy) else { return }
        for await _ in paths where isReachable(host: host, over: policy) { return }
    }
}
