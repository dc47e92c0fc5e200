import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let map: Self = "map"
}

/// The backend of another team: another place, another envelope, a key instead of a login.
final class MapService: Service {
    /// The server that `--base-url` names.
    let developURL = Locked<URL?>(nil)

    var baseURL: URL { developURL.current ?? URL(string: "https://map.example.com/map")! }
    var apiVersion: String? { "v3" }
    /// Whoever names a server means it, be it on the developer's own network.
    var plainHTTPHosts: Set<String> { Set([developURL.current?.host].compactMap(\.self)) }

    func useServer(at url: URL) { developURL.current = url.appendingPathComponent("map") }

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
