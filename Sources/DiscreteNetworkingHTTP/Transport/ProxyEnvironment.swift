import Foundation

/// The proxy settings in the process environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
package enum ProxyEnvironment {
    /// Whether a proxy is set. Asked for each exchange, so that it does not read the whole environment.
    package static var namesProxy: Bool {
        names.contains { name in getenv(name).map { $0.pointee != 0 } ?? false }
    }

    private static let names = [
        "http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
    ]

    /// Whether a host bypasses the proxy, because `no_proxy` has its name. `*` stands for all hosts where it stands alone, to
    /// the letter: libcurl takes it for a name otherwise.
    package static func excepts(_ host: String) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        if list == "*" { return true }
        return list.split { $0 == "," || $0 == " " }.contains { HostName.normal(String($0)) == host }
    }
}
