/// Whether the network is there.
///
/// ```swift
/// for await isThere in SystemReachability.shared.changes {
///     banner.isHidden = isThere
/// }
/// ```
///
/// That it is there does not mean that a server answers: only a request can tell. That it is not there means that
/// no request can reach another machine.
public protocol Reachability: Sendable {
    /// Whether a request to this host may be worth sending. Always so for this machine: `localhost`, 127.0.0.0/8
    /// and `::1`.
    func isReachable(host: String) -> Bool
    /// Whether the network is there: now, and then each time that changes. Every access begins a new stream; one
    /// who never reads keeps the latest hundred.
    var changes: AsyncStream<Bool> { get }
}

extension Reachability {
    /// Returns as soon as a request to the host may be worth sending, or the task is cancelled.
    public func waitUntilReachable(host: String) async {
        guard !isReachable(host: host) else { return }
        for await _ in changes where isReachable(host: host) { return }
    }
}
