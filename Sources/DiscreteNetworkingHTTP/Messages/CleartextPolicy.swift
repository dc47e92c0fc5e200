import Foundation

/// Which hosts may be asked by plain HTTP, where everybody on the way can read and change what is sent.
package struct CleartextPolicy: Sendable, Hashable {
    private let hosts: Set<String>

    /// - Parameter hosts: names or addresses, beside those of this machine.
    package init(hosts: Set<String> = []) { self.hosts = Set(hosts.map(HostName.normal)) }

    /// - Throws: ``InvalidRequest`` for a URL with the scheme `http` and a host that was not named.
    package func check(_ url: URL) throws(InvalidRequest) {
        guard url.scheme?.lowercased() == "http", let host = url.host.map(HostName.normal) else { return }
        guard hosts.contains(host) || HostName.isLoopback(host) else {
            throw InvalidRequest(
                "The request would go to \(host.debugDescription) by plain HTTP, which anybody on the way can read; use https, or name the host in the service's plainHTTPHosts."
            )
        }
    }
}
