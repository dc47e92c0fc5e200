import DiscreteNetworkingCore
import Foundation
import LoopbackServer

/// Decides which requests are allowed.
///
/// The token keeps other programs of this machine out, which can connect as well. `Host` and `Origin` keep web pages
/// out. A page that makes its name resolve to this machine (DNS rebinding) sends its own name as `Host`. A page
/// elsewhere that sends requests here is named as their `Origin` (RFC 6454 section 7), or as another site in
/// `Sec-Fetch-Site`.
struct RequestGuard: Sendable {
    private let token: String
    private let names: Set<String>

    /// - Parameter others: The allowed names besides the names of this machine.
    init(token: String, others: [String]) {
        self.token = token
        names = Set(["127.0.0.1", "localhost"] + others)
    }

    /// A token of 128 random bits.
    static func makeToken() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Returns the path behind the token, or the refusal.
    func path(of request: LoopbackRequest) -> Result<String, Refusal> {
        guard let host = request.header("Host"), let name = Self.name(host), names.contains(name) else {
            return .failure(Refusal(status: 403, reason: "This host name is not served."))
        }
        if let origin = request.header("Origin"), origin != "http://" + host {
            return .failure(Refusal(status: 403, reason: "Pages of other origins are not served."))
        }
        // Browsers send it with every request (Fetch Metadata); `none` is the address bar.
        if let site = request.header("Sec-Fetch-Site"), !["same-origin", "none"].contains(site),
            request.method != "GET"
        {
            return .failure(Refusal(status: 403, reason: "Pages of other sites are not served."))
        }
        let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = request.path.dropFirst(token.count + 1)
        guard parts.count == 2, Self.areEqual(request.path.dropFirst().prefix(token.count), token),
            rest.hasPrefix("/")
        else {
            return .failure(
                Refusal(status: 404, reason: "There is nothing here; use the URL that the app has printed."))
        }
        return .success(String(rest.dropFirst()))
    }

    struct Refusal: Error {
        let status: Int
        let reason: String
    }

    /// The host name of a `Host` field, without the port; `nil` if the port is not a number (RFC 9110 section 7.2).
    private static func name(_ host: String) -> String? {
        guard let colon = host.lastIndex(of: ":") else { return host.lowercased() }
        let port = host[colon...].utf8.dropFirst()
        return port.allSatisfy { 0x30...0x39 ~= $0 } ? host[..<colon].lowercased() : nil
    }

    /// Compares in constant time, so that the time of a response tells nothing about the token.
    private static func areEqual(_ left: Substring, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
