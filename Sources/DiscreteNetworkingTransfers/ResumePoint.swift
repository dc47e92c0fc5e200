import DiscreteNetworkingCore
import Foundation

/// The metadata needed to resume a partial file: the source and version of its data.
struct ResumePoint: Codable, Equatable, Sendable {
    /// The digest of the ``RequestIdentity``: what was asked, and by whom. Both may hold a secret.
    let source: String
    /// The strong validator for `If-Range` (RFC 9110 section 13.1.5): an entity tag or a date.
    let validator: String
    /// The complete length; `nil` if unknown.
    let total: Int64?

    /// Creates the metadata; returns `nil` if the response does not allow resuming.
    init?(_ request: APIRequest, _ response: TransportResponse) {
        guard let validator = Self.validator(in: response.headers), !response.isEncoded,
            let source = Self.source(of: request)
        else { return nil }
        self.source = source
        self.validator = validator
        total = response.contentLength
    }

    /// Whether the data is the beginning of a request's response. The metadata is read from a file, so the
    /// value of the header field is validated again.
    func fits(_ request: APIRequest) -> Bool {
        source == Self.source(of: request)
            && (try? HTTPFields([.init(name: "If-Range", value: validator)]).validate()) != nil
    }

    private static func source(of request: APIRequest) -> String? {
        RequestIdentity(request).map { MessageDigest(.sha256, of: $0.bytes).hexadecimal }
    }

    /// Returns a strong validator. A weak entity tag does not guarantee identical bytes; a date does only
    /// if it is at least one second before the response date (RFC 9110 section 8.8.2.2).
    private static func validator(in headers: HTTPFields) -> String? {
        if let tag = headers["ETag"] {
            return tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag : nil
        }
        guard let modified = headers["Last-Modified"], let date = headers["Date"],
            let change = HTTPDate.seconds(modified), let sent = HTTPDate.seconds(date), sent > change
        else { return nil }
        return modified
    }

    /// Whether a range continues the existing data.
    func continues(with part: ContentRange, _ headers: HTTPFields) -> Bool {
        if let total, let other = part.total, total != other { return false }
        guard validator.hasPrefix("\""), let tag = headers["ETag"] else { return true }
        return tag == validator
    }
}

extension TransportResponse {
    /// Whether the body has a content coding.
    var isEncoded: Bool {
        guard let coding = headers["Content-Encoding"]?.trimmingCharacters(in: .whitespaces) else {
            return false
        }
        return !coding.isEmpty && coding.lowercased() != "identity"
    }

    /// The length of the body in bytes; `nil` if unknown.
    var contentLength: Int64? {
        guard !isEncoded, headers["Transfer-Encoding"] == nil else { return nil }
        // A transport refuses a malformed length, so this one did not need it to find the end of the body.
        return (try? headers.contentLength) ?? nil
    }
}
