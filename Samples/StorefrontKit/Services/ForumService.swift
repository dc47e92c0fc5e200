import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let forum: Self = "forum"
}

/// The forum of the shop's customers: a web site, which knows who is there by a cookie.
final class ForumService: Service {
    /// The server that `--base-url` names.
    let developURL = Locked<URL?>(nil)
    let cookies: CookieJar? = CookieJar()

    var baseURL: URL { developURL.current ?? URL(string: "https://forum.shop.example.com/forum")! }
    /// Whoever names a server means it, be it on the developer's own network.
    var plainHTTPHosts: Set<String> { Set([developURL.current?.host].compactMap(\.self)) }

    func useServer(at url: URL) { developURL.current = url.appendingPathComponent("forum") }

    /// As web sites want it.
    func encoding(for call: APICall) -> any ParamEncoding { call.requestType == .get ? .query : .form }
}
