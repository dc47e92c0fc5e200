import Foundation

/// The cache key and version under which the response to a request is stored.
struct CachePlace: Sendable {
    let key: CacheKey
    let policy: CachePolicy
    private let version: String
    /// The fields whose values are not part of the key: varying ones, and those of the session.
    private let unkeyed: HTTPFields

    /// Creates a place; returns `nil` for a request that cannot be compared, because its body is a stream.
    init?(of request: APIRequest, _ context: CallContext) {
        guard let identity = RequestIdentity(request) else { return nil }
        let call = context.call
        key = CacheKey(identity, of: context)
        policy = call.overrides.cache
        version = context.configuration.cacheVersion + "/" + policy.version
        unkeyed = request.unkeyedFields
    }

    /// Returns the version of a response, including the values of the headers in its `Vary` that are not
    /// part of the key (RFC 9111 section 4.1).
    /// - Returns: `nil` if the response varies on more than headers (`Vary: *`).
    func version(forVary headers: HTTPFields) -> String? {
        let names = headers.values(of: "Vary").flatMap { value in
            value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        if names.contains("*") { return nil }
        let lines = unkeyed.filter { line in names.contains { HTTPToken.isSame($0, line.name.rawName) } }
        guard !lines.isEmpty else { return version }
        let text = JSONValue.array(lines.flatMap { [.string($0.name.canonicalName), .string($0.value)] })
        return version + "/" + MessageDigest(.sha256, of: text.canonicalData).hexadecimal
    }
}

extension APIRequest {
    fileprivate var unkeyedFields: HTTPFields {
        let session = terms.session?.fields ?? [:]
        guard !terms.varying.headers.isEmpty else { return session }
        return HTTPFields(headers.filter { terms.varying.headers.contains($0.name) } + session)
    }
}
