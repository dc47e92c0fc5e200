import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let map: Self = "map"
}

/// The backend of another team: another place, another envelope, a key instead of a login.
final class MapService: Service {
    let address = Locked(URL(string: "https://map.example.com/map")!)

    var baseURL: URL { address.current }
    var apiVersion: String? { "v3" }

    func useServer(at url: URL) { address.current = url.appendingPathComponent("map") }

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
