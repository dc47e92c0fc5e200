import Foundation

/// Where the answer to a request is kept.
struct CachePlace: Sendable {
    let key: CacheKey
    let policy: CachePolicy
    private let version: String
    /// The lines that are not in the key by their own values: varying ones, and those of the session.
    private let unkeyed: HTTPFields

    /// - Returns: `nil` for a request that is like no other, because its body is only read while it is sent.
    init?(of request: APIRequest, _ context: CallContext) {
        guard let identity = RequestIdentity(request) else { return nil }
        let (call, service) = (context.call, context.service)
        key = CacheKey(identity, of: call, service)
        policy = call.overrides.cache
        version = service.cacheVersion + "/" + policy.version
        unkeyed = request.unkeyedFields
    }

    /// The version of a response to this request, with the values of the headers that its `Vary` names as far as the
    /// key does not hold them (RFC 9111 section 4.1).
    /// - Returns: `nil` where every request has an answer of its own, because it varies with more than headers.
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
