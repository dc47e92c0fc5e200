import Foundation

/// What has to be known of a partial file to go on with it: whose bytes they are, and which version.
struct ResumePoint: Codable, Equatable, Sendable {
    /// The digest of the ``RequestIdentity``: what was asked, and by whom. Both may hold a secret.
    let source: String
    /// A strong validator for `If-Range` (RFC 9110 section 13.1.5): an entity tag or a date.
    let validator: String
    /// How many bytes the whole has.
    let total: Int64?

    /// - Returns: `nil` where a response does not say enough to go on with it later.
    init?(_ request: APIRequest, _ response: TransportResponse) {
        guard let validator = Self.validator(in: response.headers), !response.isEncoded,
            let source = Self.source(of: request)
        else { return nil }
        self.source = source
        self.validator = validator
        total = response.contentLength
    }

    /// Whether the bytes are of what a request asks for. The note lies in a file that others may have
    /// written to, so what goes into a header is looked at again.
    func fits(_ request: APIRequest) -> Bool {
        source == Self.source(of: request)
            && (try? HTTPFields([.init(name: "If-Range", value: validator)]).validate()) != nil
    }

    private static func source(of request: APIRequest) -> String? {
        RequestIdentity(request).map { MessageDigest(.sha256, of: $0.bytes).hexadecimal }
    }

    /// A weak entity tag promises nothing about bytes; a date does only where the file had not been changed
    /// within the second in which it was sent (RFC 9110 section 8.8.2.2).
    private static func validator(in headers: HTTPFields) -> String? {
        if let tag = headers["ETag"] {
            return tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag : nil
        }
        guard let modified = headers["Last-Modified"], let date = headers["Date"],
            let change = HTTPDate.seconds(modified), let sent = HTTPDate.seconds(date), sent > change
        else { return nil }
        return modified
    }

    /// Whether a part of the file may be put behind the bytes that are there.
    func continues(with part: ContentRange, _ headers: HTTPFields) -> Bool {
        if let total, let other = part.total, total != other { return false }
        guard validator.hasPrefix("\""), let tag = headers["ETag"] else { return true }
        return tag == validator
    }
}

extension TransportResponse {
    /// Whether the bytes that arrive are not those that the server counts.
    var isEncoded: Bool {
        guard let coding = headers["Content-Encoding"]?.trimmingCharacters(in: .whitespaces) else {
            return false
        }
        return !coding.isEmpty && coding.lowercased() != "identity"
    }

    /// The number of bytes in the body, where the server says it.
    var contentLength: Int64? {
        guard !isEncoded, headers["Transfer-Encoding"] == nil,
            let text = headers.values(of: "Content-Length").first
        else { return nil }
        return Int64(text).flatMap { $0 >= 0 ? $0 : nil }
    }
}
