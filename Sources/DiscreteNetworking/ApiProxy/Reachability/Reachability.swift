/// Whether the network is there.
///
/// ```swift
/// for await isThere in SystemReachability.shared.changes {
///     banner.isHidden = isThere
/// }
/// ```
///
/// That it is there does not mean that a server answers: only a request can tell. A request is refused only where
/// it is certain to fail; otherwise it is sent, and says what is so.
public protocol Reachability: Sendable {
    /// Whether a request to this host may be worth sending. Always so for this machine (`localhost`, 127.0.0.0/8
    /// and `::1`) and for hosts of the local network, which are there without a way to anywhere else: link-local and
    /// private addresses, names in `.local` and names without a dot.
    func isReachable(host: String) -> Bool
    /// Whether the network is there: now, and then each time that changes. Every access begins a new stream; one
    /// who never reads keeps the latest hundred.
    var changes: AsyncStream<Bool> { get }
}

extension Reachability {
    /// Whether a host can be reached without the network being there, as far as anybody can tell beforehand.
    static func needsNoNetwork(_ host: String) -> Bool {
        let host = HostName.normal(host)
        return HostName.isLoopback(host) || HostName.isLocal(host)
    }

    /// Returns as soon as a request to the host may be worth sending, or the task is cancelled.
    public func waitUntilReachable(host: String) async {
        guard !isReachable(host: host) else { return }
        for await _ in changes where isReachable(host: host) { return }
    }
}
