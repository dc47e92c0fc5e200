import DiscreteNetworkingCore
import Foundation

extension CSRFProtection {
    /// Adds the header to a request that needs it.
    /// - Parameters:
    ///   - token: The fetched token; `nil` if none was fetched.
    ///   - hosts: The base URLs of the service. Only their origins may receive the token.
    func protect(_ request: inout APIRequest, with token: CSRFToken?, hosts: [URL]) {
        guard !request.method.isSafe, hosts.contains(where: request.url.isSameOrigin) else { return }
        if request.headers["Referer"] == nil { request.headers["Referer"] = Self.origin(of: request.url) }
        guard request.headers[header] == nil, let value = value(for: request, token) else { return }
        request.headers[header] = value
        request.notes.csrf = (header, token?.generation)
        request.notes.identity.varying.headers.insert(header)
    }

    private func value(for request: APIRequest, _ token: CSRFToken?) -> String? {
        guard let cookie else { return token?.value }
        return request.headers["Cookie"].flatMap { Self.cookie(cookie, in: $0) }
    }

    /// Returns the value of a cookie as JavaScript's clients read it: percent-decoded, unless that is no value of a header.
    static func cookie(_ name: String, in header: String) -> String? {
        for pair in header.split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name else { continue }
            var value = halves[1].trimmingCharacters(in: .whitespaces)
            if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            guard !value.isEmpty else { return nil }
            return value.removingPercentEncoding.flatMap { isValid($0) ? $0 : nil } ?? value
        }
        return nil
    }

    /// Whether a token can be the value of a header: visible ASCII characters, at most 8 KiB.
    static func isValid(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.count <= 8 << 10 && token.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private static func origin(of url: URL) -> String? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        parts.path = "/"
        return parts.string
    }
}
