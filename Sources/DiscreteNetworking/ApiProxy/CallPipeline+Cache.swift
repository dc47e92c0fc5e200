import Foundation

/// Steps 6 and 14: serving and storing responses (RFC 9111).
///
/// The cache key is derived from the request, so a call that may use the cache builds its request first.
extension CallPipeline {
    /// Serves a fresh stored response if the policy prefers the cache.
    /// - Returns: Whether the call ended.
    func answerFromCache(_ context: inout CallContext) async -> Bool {
        guard context.call.mayBeAnsweredFromCache else { return false }
        let revalidates = context.call.overrides.cache.mode == .staleWhileRevalidate
        return await answer(&context, needsRevalidation: revalidates)
    }

    /// Serves a stale response after a failure if the policy allows it.
    /// - Returns: Whether the call ended.
    func answerFromCache(_ context: CallContext, after error: APIError) async -> Bool {
        let call = context.call
        guard call.isCacheable, !call.ignoresCache, call.overrides.cache.allowsStaleAfterFailure,
            Self.allowsStaleResponse(after: error.kind)
        else { return false }
        var context = context
        return await answer(&context, after: error)
    }

    /// Whether `stale-if-error` applies: to failures of the network or server, not of the call (RFC 5861
    /// section 4).
    private static func allowsStaleResponse(after kind: APIError.Kind) -> Bool {
        switch kind {
        case .notReachable, .degraded, .timedOut, .transport: true
        case .http(let status): status >= 500
        default: false
        }
    }

    private func answer(
        _ context: inout CallContext, after error: APIError? = nil, needsRevalidation: Bool = false
    ) async -> Bool {
        if context.cachePlace == nil { await draft(&context) }
        let extra = error == nil ? 0 : context.call.overrides.cache.staleIfError
        let found = await storedResponse(context, extra: extra)
        guard case .hit(let stored, let age) = found, var response = await read(stored, age: age, of: context)
        else {
            // A policy that prefers the cache has told so before the call failed.
            if error == nil || !context.call.mayBeAnsweredFromCache { noteMiss(found, context) }
            return false
        }
        response.needsRevalidation = needsRevalidation
        pending.events.emit(.servedFromCache(age: age), of: context.call)
        var other = context
        other.call = context.call.ignoringCache()
        pending.accept(response) { [other] _, _ in
            // The validator now rejects the stored response: continue as without one.
            guard let error else { return await proceed(other) }
            var failed = other
            failed.resume()
            await EnvironmentPins.within(failed.pins) { await report(error, failed) }
            failed.pins?.end()
        }
        return true
    }

    /// Builds the request to look up its stored response. If that fails, the attempt reports the error.
    private func draft(_ context: inout CallContext) async {
        guard let request = try? await proxy.draft(&context) else { return }
        context.request = request
        context.cachePlace = CachePlace(of: request.value, context)
    }

    // MARK: Reading

    private func storedResponse(
        _ context: CallContext, extra: TimeInterval = 0
    ) async -> CacheLookup {
        guard let place = context.cachePlace else { return .miss(nil) }
        let found = await proxy.caches.response(
            for: place.key, place.policy, at: proxy.clock.now, extra: extra, refusal: place.refusal)
        // The user may have changed while the disk was read; then the response is removed.
        guard context.isForUserOfNow else {
            await proxy.caches.remove(.key(place.key))
            return .miss(.removed)
        }
        return found
    }

    /// Decodes a stored response for a call; returns `nil` if its body can no longer be decoded.
    @inline(never)
    private func read(
        _ stored: CachedResponse, age: TimeInterval, of context: CallContext
    ) async -> APIResponse? {
        var response = APIResponse(stored, of: context.call)
        response.age = age
        let limit = context.request?.value.timeout ?? context.configuration.timeout
        if context.changesResponses, await change(&response, context, within: limit) != nil { return nil }
        return try? ResponseReader(context).read(response)
    }

    // MARK: Revalidation

    /// Looks up the stored response to validate, if the policy is ``CachePolicy/Mode/revalidate``.
    func prepareCache(_ context: inout CallContext) async {
        context.toRevalidate = nil
        guard context.call.isCacheable, let request = context.request else { return }
        context.cachePlace = CachePlace(of: request.value, context)
        guard context.call.overrides.cache.mode == .revalidate, !context.call.ignoresCache else { return }
        // Regardless of its age: the server validates it.
        let found = await storedResponse(context, extra: .infinity)
        guard case .hit(let stored, _) = found, let response = await read(stored, age: 0, of: context) else {
            return noteMiss(found, context)
        }
        context.toRevalidate = response
    }

    /// Makes the request conditional on a stored response (RFC 9110 sections 13.1.2 and 13.1.3).
    func makeConditional(_ request: inout APIRequest, of context: CallContext) {
        guard let stored = context.toRevalidate else { return }
        let conditions: [(validator: HTTPFields.Name, name: HTTPFields.Name)] = [
            ("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since"),
        ]
        for condition in conditions {
            guard let value = stored.headers[condition.validator],
                // With a control character, the request could not be sent, and no later one.
                (try? HTTPFields([.init(name: condition.name, value: value)]).validate()) != nil
            else { continue }
            request.headers[condition.name] = value
            return
        }
    }

    /// Returns the stored response if the server validated it (RFC 9111 section 4.3.4).
    func revalidated(_ received: APIResponse, _ context: CallContext) -> APIResponse? {
        guard received.status == 304, let stored = context.toRevalidate else { return nil }
        var headers = received.headers
        headers["Content-Length"] = nil
        pending.events.emit(.servedFromCache(age: 0), of: context.call)
        return stored.updated(with: headers)
    }

    // MARK: Storing

    /// Returns the operation that stores a response after validation; `nil` if it must not be stored.
    ///
    /// The response belongs to the user for whom the request was made. If that user has logged out, it is
    /// not stored.
    func storage(of response: APIResponse, _ context: CallContext) -> (@Sendable () async -> Void)? {
        guard let place = context.cachePlace, !response.isFromCache || context.toRevalidate != nil else {
            return nil
        }
        guard !response.forbidsStoring, let version = place.version(forVary: response.headers) else {
            noteStored(false, context)
            return nil
        }
        // As received: an encrypted body stays encrypted on disk.
        let wire = response.wire.value
        guard case .data(let body) = wire.body else { return nil }
        let stored = CachedResponse(
            url: wire.url, status: wire.status, headers: wire.headers, body: body, storedAt: proxy.clock.now,
            version: version)
        let caches = proxy.caches
        return {
            await caches.store(stored, for: place.key, place.policy)
            // Checked after storing: a logout first changes the user and then clears the cache, so one of
            // the two removes the response.
            if !context.isForUserOfNow { await caches.remove(.key(place.key)) }
            noteStored(true, context)
        }
    }
}

extension APIResponse {
    /// Whether `Cache-Control: no-store` is set (RFC 9111 section 5.2.2.5).
    fileprivate var forbidsStoring: Bool {
        headers.values(of: "Cache-Control").contains { value in
            value.split(separator: ",").contains {
                $0.trimmingCharacters(in: .whitespaces).lowercased() == "no-store"
            }
        }
    }
}

extension APICall {
    /// Whether the manager has a cache policy and the response fits in memory.
    var isCacheable: Bool { !overrides.cache.storesNothing && !isTransfer && !isSample }

    /// Whether a stored response is used before the network.
    var mayBeAnsweredFromCache: Bool {
        guard isCacheable, !ignoresCache else { return false }
        switch overrides.cache.mode {
        case .cacheFirst, .staleWhileRevalidate: return true
        case .networkFirst, .revalidate: return false
        }
    }
}

extension CallContext {
    /// Whether the request was made for the session's current user.
    fileprivate var isForUserOfNow: Bool {
        guard let session = self.session else { return true }
        return session.session.state.withLock { $0.isUser(of: self.call) && $0.subject == session.subject }
    }
}
