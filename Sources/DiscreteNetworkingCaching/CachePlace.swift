import DiscreteNetworkingCore
import Foundation

/// The cache key and version under which the response to a request is stored.
final class CachePlace: Sendable {
    let key: CacheKey
    let policy: CachePolicy
    /// The result of ``Service/cacheIdentity(for:)``.
    let cacheIdentity: String
    /// The number of writes into the caches before the request was sent.
    let began: Int
    private let version: String
    /// The varying fields and the session's fields. Their values are not part of the key.
    private let unkeyed: HTTPFields

    /// Creates a place; returns `nil` for a request that cannot be compared, because its body is a stream.
    init?(of request: APIRequest, _ attempt: Attempt, _ changes: CacheChanges) {
        guard let identity = RequestIdentity(request) else { return nil }
        let call = attempt.call
        began = changes.writes
        cacheIdentity = attempt.plan.service.cacheIdentity(for: call)
        key = CacheKey(consume identity, cacheIdentity, of: call, in: attempt.scope)
        policy = attempt.cachePolicy
        version = attempt.plan.cacheVersion + "/" + policy.version
        unkeyed = request.unkeyedFields
    }

    /// Returns the version of a response, including the values of the headers in its `Vary` that are not
    /// part of the key (RFC 9111 section 4.1).
    /// - Returns: `nil` if the response varies on more than headers (`Vary: *`).
    func version(forVary headers: HTTPFields) -> String? {
        let names = headers.varyNames
        if names.contains("*") { return nil }
        let lines = lines(of: names)
        guard !lines.isEmpty else { return version }
        let text = JSONValue.array(lines.flatMap { [.string($0.name.canonicalName), .string($0.value)] })
        return version + "/" + MessageDigest(.sha256, of: text.canonicalData).hexadecimal
    }

    private func lines(of names: [String]) -> [HTTPFields.Field] {
        unkeyed.filter { line in names.contains { HTTPToken.isSame($0, line.name.rawName) } }
    }

    /// The version of an output that the app has stored. No response has it: a digest follows the slash of theirs.
    var outputVersion: String { version + "/output" }

    /// Whether the app has stored an output, in place of a response.
    func isOutput(_ stored: CachedResponse) -> Bool { stored.version == outputVersion }

    /// Returns why a response that is stored under the key is not for the request; `nil` if it is.
    func refusal(of stored: CachedResponse) -> MissReason? {
        guard !isOutput(stored), stored.version != version(forVary: stored.headers) else { return nil }
        // A version is followed by a digest if the response varies.
        let digest = stored.version.utf8.count - version.utf8.count
        guard stored.version.hasPrefix(version), digest == 0 || digest == 65 else { return .otherVersion }
        // Fields of the key are equal. Of the others, those that the request has, or none of them any more.
        let names = stored.headers.varyNames
        let own = Set(lines(of: names).map(\.name))
        let named = own.isEmpty ? Set(names.compactMap { try? HTTPFields.Name(validating: $0) }) : own
        return .varies(with: named.sorted { $0.canonicalName < $1.canonicalName }.map(RequestPart.header))
    }
}

extension HTTPFields {
    /// The names in `Vary`.
    fileprivate var varyNames: [String] {
        values(of: "Vary").flatMap { value in
            value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}

extension APIRequest {
    fileprivate var unkeyedFields: HTTPFields {
        let session = notes.identity.session?.fields ?? [:]
        guard !notes.identity.varying.headers.isEmpty else { return session }
        return HTTPFields(headers.filter { notes.identity.varying.headers.contains($0.name) } + session)
    }
}

extension Attempt {
    /// Where the response is stored; `nil` if it is not stored.
    var cachePlace: CachePlace? {
        get { self[ResponsePlace.self]?.value as? CachePlace }
        set { self[ResponsePlace.self] = newValue.map(ResponsePlace.init) }
    }
}
