import Foundation

/// The proxy settings in the process environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
package enum ProxyEnvironment {
    /// Whether a proxy is set.
    package static var namesProxy: Bool {
        ProcessInfo.processInfo.environment.contains {
            !$0.value.isEmpty && ["http_proxy", "https_proxy", "all_proxy"].contains($0.key.lowercased())
        }
    }

    /// The hosts of `no_proxy`, which bypass the proxy.
    package static var exceptions: [String] {
        let environment = ProcessInfo.processInfo.environment
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return list.split { $0 == "," || $0 == " " }.map { HostName.normal(String($0)) }
    }
}
