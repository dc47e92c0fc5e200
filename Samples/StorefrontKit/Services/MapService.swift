import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let map: Self = "map"
}

/// The backend of another team: another place, another envelope, a key instead of a login.
final class MapService: Service {
    /// The second one takes over when the first one fails.
    let hosts = Locked([
        URL(string: "https://map.example.com/map")!, URL(string: "https://map2.example.com/map")!,
    ])

    var baseURL: URL { hosts.current[0] }
    var failover: FailoverPolicy? { FailoverPolicy(to: [hosts.current[1]]) }
    var apiVersion: String? { "v3" }
    /// Whoever names a server by `--base-url` means it, be it on the developer's own network.
    var plainHTTPHosts: Set<String> {
        Set(hosts.current.filter { $0.scheme == "http" }.compactMap(\.host))
    }

    func useServer(at url: URL) {
        let map = url.appendingPathComponent("map")
        hosts.current = [map, map]
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

    var timeout: TimeInterval { 10 }
}
