import Foundation

// Canonical forms of a request's parts, which a server can reproduce from the received request.

extension APIRequest {
    /// The path as sent, percent-encoded; `/` if it is empty.
    public var canonicalPath: String { RequestTarget(url).path }

    /// The pairs of the query, sorted and joined by `&`, with all but unreserved characters (RFC 3986
    /// section 2.3) percent-encoded.
    public var canonicalQuery: String {
        RequestTarget.pairs(of: RequestTarget(url).query)
            .map {
                (PercentEncoding.unreserved.encode($0.name), PercentEncoding.unreserved.encode($0.value))
            }
            // By the bytes of the name, then of the value. All of them are ASCII now.
            .sorted { $0 < $1 }
            .map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Returns `name:value` with a lowercase name; multiple values are joined by `", "`, without
    /// surrounding spaces.
    public func canonicalHeader(_ name: HTTPFields.Name) -> String {
        "\(name.canonicalName):\((headers[name] ?? "").trimmingCharacters(in: .whitespaces))"
    }
}

extension RequestBody {
    /// Returns the digest of the body; a file is read in pieces.
    /// - Throws: ``InvalidRequestError`` for a stream, which can be read only while it is sent.
    public func digest(_ algorithm: DigestAlgorithm) async throws -> MessageDigest {
        if case .stream = self {
            throw InvalidRequestError(
                "A stream body cannot be signed before it is sent; send data or a file.")
        }
        var digester = Digester(algorithm)
        let pieces = pieces
        while let piece = try await pieces.next() { digester.update(piece) }
        return digester.finish()
    }
}
