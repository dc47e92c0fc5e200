import DiscreteNetworkingCore
import Foundation

// The signature base string of OAuth 1.0a (RFC 5849 section 3.4.1).

extension APIRequest {
    /// Returns the text that is signed.
    /// - Parameter fields: The params of OAuth, without the signature.
    func oauthBaseString(_ fields: [SignedFields.Field]) -> String {
        let form = oauthForm.map { SignedFields(form: $0).fields } ?? []
        let params = SignedFields(fields + SignedFields(queryOf: url).fields + form)
            .percentEncoded().sorted().joined(separator: "&")
        return [method.rawValue.uppercased(), oauthAddress, params]
            .map(PercentEncoding.unreserved.encode).joined(separator: "&")
    }

    /// The form in the body; `nil` for a body of another type, a file and a stream.
    var oauthForm: Data? {
        guard case .data(let data) = uncompressed.body,
            let type = headers["Content-Type"]?.prefix(while: { $0 != ";" }),
            type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
        else { return nil }
        return data
    }

    /// The scheme, host and path, without the default port of the scheme (section 3.4.1.2).
    private var oauthAddress: String {
        let scheme = url.scheme?.lowercased() ?? ""
        let standard = scheme == "https" ? 443 : 80
        let host = url.host?.lowercased() ?? ""
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let port = url.port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(bracketed)\(port)\(canonicalPath)"
    }
}
