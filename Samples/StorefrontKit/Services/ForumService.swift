import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let forum: Self = "forum"
}

/// The forum of the shop's customers: a web site, which knows who is there by a cookie.
final class ForumService: Service {
    let baseURL: URL
    let configuration: ServiceConfiguration

    convenience init() { self.init(server: nil) }

    /// - Parameter server: The server that `--base-url` names. It may be on the developer's own network.
    init(server: URL?) {
        baseURL =
            server?.appendingPathComponent("forum") ?? URL(string: "https://forum.shop.example.com/forum")!
        configuration = ServiceConfiguration(
            plainHTTPHosts: Set([server?.host].compactMap(\.self)), cookies: CookieJar())
    }

    /// As web sites want it.
    func encoding(for call: APICall) -> any ParamEncoding { call.requestType == .get ? .query : .form }
}
