import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let map: Self = "map"
}

/// The backend of another team: another place, another envelope, a key instead of a login.
final class MapService: Service {
    let hosts: [URL]
    let configuration: ServiceConfiguration

    convenience init() {
        self.init(hosts: [
            URL(string: "https://map.example.com/map")!, URL(string: "https://map2.example.com/map")!,
        ])
    }

    /// - Parameter hosts: The second one takes over when the first one fails. Those that `--base-url` names may be on the
    ///   developer's own network.
    init(hosts: [URL]) {
        self.hosts = hosts
        configuration = ServiceConfiguration(
            timeout: 10, failover: FailoverPolicy(to: Array(hosts.dropFirst())),
            plainHTTPHosts: Set(hosts.filter { $0.scheme == "http" }.compactMap(\.host)))
    }

    var baseURL: URL { hosts[0] }
    var apiVersion: String? { "v3" }
    /// The same hosts, with one in front that nothing listens at.
    static func withoutFirst(_ hosts: [URL]) -> [URL] {
        [URL(string: "http://127.0.0.1:9/map")!] + hosts.dropFirst()
    }

    func extraParams(for call: APICall) -> Params { ["key": "storefront-demo"] }

    /// All endpoints of this backend are GET, and want arrays as `1,2`.
    func encoding(for call: APICall) -> any ParamEncoding {
        .query(QueryEncoder(arrays: .commaSeparated))
    }

    /// `{"status":"1","info":"OK","regeocode":{…}}`: here a success is the string "1".
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "status", success: ["1"], message: "info", payload: "regeocode")
    }
}
