public import Foundation

/// Returns the addresses of hosts in place of the system's resolver, for instance by HTTPDNS.
///
/// ```swift
/// struct FixedAddresses: HostResolver {
///     func addresses(for host: String) async throws -> ResolvedAddresses {
///         ResolvedAddresses(["203.0.113.7", "2001:db8::7"], timeToLive: 60)
///     }
/// }
/// let names = HostResolution(FixedAddresses(), hosts: ["api.example.com"])
/// ApiProxy.shared = ApiProxy(
///     transport: PlatformTransport.make(resolution: names))
/// ```
///
/// A ``HostResolution`` asks it, and caches what it returns.
public protocol HostResolver: Sendable {
    /// Returns the addresses of a host.
    ///
    /// Requests that it makes are resolved by the system, so that it never waits for itself. Reach the service by its IP
    /// address if the system's resolver is what you avoid.
    /// - Parameter host: The name in lowercase, such as `api.example.com`; a name with other letters in Punycode.
    /// - Throws: Any error. The system then resolves the host.
    func addresses(for host: String) async throws -> ResolvedAddresses
}

/// The addresses of a host.
public struct ResolvedAddresses: Sendable, Hashable {
    /// IPv4 and IPv6 addresses in text, such as `203.0.113.7` and `2001:db8::7`, the preferred one first. The first eight are
    /// used. If there is none, the system resolves the host.
    public var addresses: [String]
    /// How long they may be used, in seconds. Less than 10 counts as 10, more than a day as a day.
    public var timeToLive: TimeInterval

    /// Creates a result.
    /// - Parameters:
    ///   - addresses: IPv4 and IPv6 addresses, the preferred one first.
    ///   - timeToLive: How long they may be used, in seconds.
    public init(_ addresses: [String], timeToLive: TimeInterval) {
        self.addresses = addresses
        self.timeToLive = timeToLive
    }
}
