import Foundation

/// The proxies that the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the process name.
package enum ProxyEnvironment {
    /// Whether there is one.
    package static var namesProxy: Bool {
        ProcessInfo.processInfo.environment.contains {
            !$0.value.isEmpty && ["http_proxy", "https_proxy", "all_proxy"].contains($0.key.lowercased())
        }
    }

    /// The hosts of `no_proxy`, which are reached without one.
    package static var exceptions: [String] {
        let environment = ProcessInfo.processInfo.environment
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return list.split { $0 == "," || $0 == " " }.map { HostName.normal(String($0)) }
    }
}
