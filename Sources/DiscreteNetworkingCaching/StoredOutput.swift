import DiscreteNetworkingCore
import DiscreteNetworkingJSON
import Foundation

/// What is stored for the request of a call that is not sent.
struct StoredOutput: Sendable {
    /// As it is in the cache; `nil` if there is nothing.
    var stored: CachedResponse?
    /// The same, decoded.
    var response: APIResponse?
    let attempt: Attempt
    /// The version of the layers that were applied; `nil` for none.
    var layers: Int?
    /// Why there is nothing, if that is known.
    var reason: MissReason?

    /// Takes what is in the cache.
    /// - Parameter decoded: The same, decoded; `nil` if that is not possible any more.
    mutating func take(_ stored: CachedResponse, _ decoded: APIResponse?) {
        response = decoded
        if decoded == nil { reason = .unreadable } else { self.stored = stored }
    }

    /// Applies the layers that were over the response before it was read.
    /// - Returns: `false` if they have changed: they must belong to the response.
    mutating func apply(_ layers: CacheLayers?, _ key: CacheKey, _ changes: CacheChanges) -> Bool {
        guard layers?.version == changes.layers(key)?.version else { return false }
        if let layers, let output = response?.output {
            response?.output = CacheLayers.apply(layers.all, to: output)
            self.layers = layers.version
        }
        return true
    }

    /// Whether the user and the environment are still those for which it was read.
    var isCurrent: Bool { attempt.isForUserOfNow && !attempt.hasLeftEnvironment }
}

// MARK: Reading and storing without a call

extension ApiProxy {
    /// Reads what is stored for the request of a call.
    /// - Parameters:
    ///   - pending: The call, which is not started.
    ///   - maxAge: The age that the response may have, in seconds; `nil` for the freshness lifetime.
    ///   - observer: Receives changes from before the reading on.
    @concurrent
    func storedOutput(
        of pending: PendingCall, maxAge: TimeInterval?, observer: CacheObserver? = nil
    ) async throws(APIError) -> StoredOutput {
        try await atPlace(of: pending) { attempt, place throws(APIError) in
            let stored = StoredResponses(pending: pending, store: responses)
            if let observer { responses.changes.observe(place.key, by: observer) }
            if responses.changes.isForbidden(place.key) {
                throw error(.notCached(.storingForbidden), of: attempt.call)
            }
            return await stored.find(attempt, maxAge: maxAge)
        }
    }

    /// Returns the cache key of a call; `nil` if its request cannot be built or cannot be compared.
    /// - Parameter scope: The environments; `nil` for the current ones.
    @concurrent
    func cacheKey(of call: APICall, in scope: EnvironmentScope? = nil) async -> CacheKey? {
        let key = try? await drafted(call.part(ofWorkIn: scope)) { attempt, request in
            let (call, scope) = (attempt.call, attempt.scope)
            return RequestIdentity(request.value).map {
                CacheKey($0, attempt.plan.service.cacheIdentity(for: call), of: call, in: scope)
            }
        }
        return key ?? nil
    }

    /// Finds the place of an output that a call may change.
    @concurrent
    func place(of pending: PendingCall) async throws(APIError) -> (Attempt, CacheKey) {
        try await atPlace(of: pending) { attempt, place throws(APIError) in
            try StoredOutput.checkDisk(attempt, self)
            return (attempt, place.key)
        }
    }

    /// Stores an output in place of a response.
    @concurrent
    func storeOutput(_ output: any Encodable & Sendable, for pending: PendingCall) async throws(APIError) {
        try await atPlace(of: pending) { attempt, place throws(APIError) in
            let body = try StoredOutput.encode(output, attempt, self)
            guard let url = attempt.request?.value.url else { return }
            let stored = CachedResponse(
                url: url, status: 200, headers: [:], body: body, storedAt: clock.now,
                version: place.outputVersion)
            await responses.store(stored, for: place.key, place.policy)
            // As for a response: a logout first changes the user and then clears the cache.
            if !attempt.isForUserOfNow { await responses.remove(.key(place.key)) }
        }
    }

    /// Finds the place of a call's response, in the current environment of its service and for its user.
    private func atPlace<Value: Sendable>(
        of pending: PendingCall, _ use: (Attempt, CachePlace) async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        let call = pending.call
        if let reason = call.reasonNotToStore { throw error(.notCached(reason), of: call) }
        return try await drafted(call) { drafted, request throws(APIError) in
            try await checkLogin(drafted)
            guard let place = CachePlace(of: request.value, drafted, responses.changes) else {
                throw error(.notCached(.incomparable("its body is a file or a stream")), of: call)
            }
            var attempt = drafted
            attempt.cachePlace = place
            return try await use(attempt, place)
        }
    }
}

// MARK: Coding

extension StoredOutput {
    /// Encodes an output so that ``decode(_:from:_:)`` returns it again, with any coders of the service: they are for
    /// the backend, and need not be the inverse of each other.
    /// - Throws: ``MissReason/notCacheable(_:)`` if the output cannot be stored.
    static func encode(
        _ output: any Encodable, _ attempt: Attempt, _ proxy: ApiProxy
    ) throws(APIError) -> Data {
        try checkDisk(attempt, proxy)
        do {
            let data = try data(of: output, attempt)
            _ = try decode(attempt.call.outputType, from: data, attempt)
            return data
        } catch {
            // The error's text is omitted: it may contain a value.
            throw refusal(
                "\(attempt.call.outputType) does not decode what it encodes: \(type(of: error))", attempt,
                proxy)
        }
    }

    /// A response is stored as received. An output would be on the disk in the clear.
    static func checkDisk(_ attempt: Attempt, _ proxy: ApiProxy) throws(APIError) {
        let call = attempt.call
        guard attempt.bodyTransform != nil, attempt.cachePolicy.lives.disk != nil else { return }
        throw refusal(
            "the bodies of \(call.managerType) are encrypted, and its policy stores on disk", attempt, proxy)
    }

    private static func refusal(_ reason: String, _ attempt: Attempt, _ proxy: ApiProxy) -> APIError {
        proxy.error(.notCached(.notCacheable(reason)), of: attempt.call)
    }

    private static func data(of output: any Encodable, _ attempt: Attempt) throws -> Data {
        switch output {
        case let data as Data: return data
        case let text as String: return Data(text.utf8)
        case let value as JSONValue: return value.canonicalData
        default: break
        }
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.userInfo = attempt.plan.decoder(of: attempt.call).userInfo
        return try encoder.encode(output)
    }

    static func decode(
        _ type: any (Decodable & Sendable).Type, from data: Data, _ attempt: Attempt
    ) throws -> any Sendable {
        if type == Data.self { return data }
        if type == String.self { return String(decoding: data, as: UTF8.self) }
        if type == JSONValue.self { return try JSONValue(parsing: data) }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        decoder.userInfo = attempt.plan.decoder(of: attempt.call).userInfo
        return try decoded(type, from: data, decoder)
    }

    private static func decoded<Output: Decodable & Sendable>(
        _ type: Output.Type, from data: Data, _ decoder: JSONDecoder
    ) throws -> any Sendable {
        try decoder.decode(type, fromUntrusted: data)
    }
}
