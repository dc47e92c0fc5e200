import Foundation

// The parts of a request in forms that a server can make again from what it receives.

extension APIRequest {
    /// The path as on the wire, percent-encoded; `/` where it is empty.
    public var canonicalPath: String { RequestTarget(url).path }

    /// The pairs of the query, percent-encoded so that only unreserved characters (RFC 3986 section 2.3) stay,
    /// sorted, and joined by `&`.
    public var canonicalQuery: String {
        SignedFields(queryOf: url).percentEncoded().sorted().joined(separator: "&")
    }

    /// `name:value`, the name in lower case; several values joined by `", "`, without outer spaces.
    public func canonicalHeader(_ name: HTTPFields.Name) -> String {
        "\(name.canonicalName):\((headers[name] ?? "").trimmingCharacters(in: .whitespaces))"
    }
}

extension RequestBody {
    /// The fingerprint of the whole body; a file is read for it piece by piece.
    /// - Throws: ``InvalidRequest`` for a stream, which can only be read while it is sent.
    public func digest(_ algorithm: DigestAlgorithm) async throws -> MessageDigest {
        if case .stream = self {
            throw InvalidRequest(
                "The body is a stream, and cannot be signed before it is sent; send bytes or a file.")
        }
        var digester = Digester(algorithm)
        let pieces = pieces
        while let piece = try await pieces.next() { digester.update(piece) }
        return digester.finish()
    }
}
