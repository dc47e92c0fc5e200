import Foundation

// The content coding of a request body (RFC 9110 section 8.4).

extension APIRequest {
    /// Whether the framework has compressed the body.
    package var isCompressed: Bool { notes.uncompressed != nil }

    /// Compresses a body in memory with gzip, unless it is smaller than a size, would not get smaller, or a header field
    /// describes the bytes that are there.
    package mutating func compress(minimumSize: Int = 0) {
        guard case .data(let data) = body, data.count >= minimumSize,
            !Self.fieldsOfBytes.contains(where: { headers[$0] != nil }), let member = GzipMember(data)
        else { return }
        notes.uncompressed = data
        body = .data(member.data)
        headers["Content-Encoding"] = "gzip"
    }

    /// The request before its body was compressed: for what reads the body, and for what tells requests apart.
    package var uncompressed: APIRequest {
        guard let data = notes.uncompressed else { return self }
        var request = self
        request.notes.uncompressed = nil
        request.headers["Content-Encoding"] = nil
        request.body = .data(data)
        return request
    }

    /// An app that writes one of them has its own coding, or has computed it from the bytes (RFC 9530, RFC 3230, RFC 1864).
    private static let fieldsOfBytes: [HTTPFields.Name] = [
        "Content-Encoding", "Content-Digest", "Content-MD5", "Content-Range", "Digest", "Repr-Digest",
    ]
}
