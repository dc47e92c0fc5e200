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
}

extension Reachability {
    /// Whether a host may be reachable without network connectivity.
    static func needsNoNetwork(_ host: String) -> Bool {
        let host = HostName.normal(host)
        return HostName.isLoopback(host) || HostName.isLocal(host)
    }

    /// Waits until a request to a host may succeed, or the task is canceled.
    public func waitUntilReachable(host: String) async {
        guard !isReachable(host: host) else { return }
        for await _ in changes where isReachable(host: host) { return }
    }
}
