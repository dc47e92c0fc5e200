import DiscreteNetworkingCore
import Foundation

// The canonical forms of AWS Signature Version 4, "Create a canonical request".

extension APIRequest {
    func awsPath(by rule: AWSSigner.PathRule) -> String {
        switch rule {
        case .normalized: PercentEncoding.unreservedPath.encode(Self.normalized(canonicalPath))
        // The server decodes the path, and encodes it in its own way.
        case .s3: PercentEncoding.unreservedPath.encode(PercentEncoding.decoded(canonicalPath.utf8))
        }
    }

    /// Removes empty segments and dot segments (RFC 3986 section 5.2.4).
    private static func normalized(_ path: String) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        let isFolder = path.hasSuffix("/") && !segments.isEmpty
        return "/" + segments.joined(separator: "/") + (isFolder ? "/" : "")
    }

    /// The values of a field, without spaces around them and without repeated spaces, joined by commas.
    func awsValue(of name: String) -> String {
        let values = headers.filter { $0.name.canonicalName == name }.map(\.value)
        guard name == "host", values.isEmpty else {
            return values.map {
                $0.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            }.joined(separator: ",")
        }
        return authority
    }

    /// The field `Host` as the transport writes it: with the port, unless it is the default port of the scheme.
    private var authority: String {
        let text = url.absoluteString
        guard let scheme = text.range(of: "://") else { return "" }
        var authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        if let user = authority.lastIndex(of: "@") { authority = String(authority[user...].dropFirst()) }
        let port = url.scheme?.lowercased() == "https" ? ":443" : ":80"
        return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
    }

    /// Writes a `+` in the query as `%20`.
    mutating func spellSpacesInQuery() throws(InvalidRequestError) {
        let text = url.absoluteString
        guard let start = text.firstIndex(of: "?") else { return }
        let end = text[start...].firstIndex(of: "#") ?? text.endIndex
        guard text[start..<end].contains("+") else { return }
        let query = text[start..<end].replacingOccurrences(of: "+", with: "%20")
        guard let url = URL(string: text[..<start] + query + text[end...]) else {
            throw InvalidRequestError("The query cannot be written with %20 for a space.")
        }
        self.url = url
    }
}
