import Foundation

/// Steps 6 and 14: what is stored instead of the network, and what is stored of it.
///
/// The key is the request as it goes out, so a call that may be answered from a cache makes its request first, once.
extension CallPipeline {
    /// Ends the call with what is stored, where the policy puts that first.
    /// - Returns: whether it did.
    func answerFromCache(_ context: inout CallContext) async -> Bool {
        let call = context.call
        guard call.isCacheable, !call.overrides.ignoresCache else { return false }
        switch call.overrides.cache.mode {
        case .networkFirst, .revalidate: return false
        case .cacheFirst: return await answer(&context)
        case .staleWhileRevalidate: return await answer(&context, needsRevalidation: true)
        }
    }

    /// Ends a call that has failed with what is stored, where the policy allows that for such a failure.
    func answerFromCache(_ context: CallContext, after error: APIError) async -> Bool {
        let call = context.call
        guard call.isCacheable, !call.overrides.ignoresCache, call.overrides.cache.allowsStaleAfterFailure,
            Self.allowsStaleResponse(after: error.kind)
        else { return false }
        var context = context
        return await answer(&context, after: error)
    }

    /// Failures of the way and of the server, not of the call (RFC 5861 section 4).
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
        guard let (stored, age) = await storedResponse(context, extra: extra),
            var response = read(stored, age: age, of: context)
        else { return false }
        response.needsRevalidation = needsRevalidation
        pending.events.emit(.servedFromCache(age: age), of: context.call)
        var other = context
        other.call = context.call.ignoringCache()
        pending.accept(response) { [other] _ in
            // The validator lets it pass no more: as if it were not there.
            guard let error else { return await proceed(other) }
            await pending.report(error)
        }
        return true
    }

    /// Makes the request that the call would send now, and looks up where its answer is stored. Where that cannot be
    /// made, the attempt says why.
    private func draft(_ context: inout CallContext) async {
        guard let request = try? await proxy.draft(&context) else { return }
        context.request = request
        context.cachePlace = CachePlace(of: request, context)
    }

    // MARK: Reading

    private func storedResponse(
        _ context: CallContext, extra: TimeInterval = 0
    ) async -> (CachedResponse, age: TimeInterval)? {
        guard let place = context.cachePlace else { return nil }
        let found = await proxy.caches.response(
            for: place.key, place.policy, at: proxy.clock.now, extra: extra
        ) { $0.version == place.version(forVary: $0.headers) }
        // Somebody else may have come while the disk was read; then it is gone, or should be.
        guard context.isForUserOfNow else {
            await proxy.caches.remove(.key(place.key))
            return nil
        }
        return found
    }

    /// A stored response as an answer to this call; `nil` where it is none by now, because the output has changed.
    private func read(
        _ stored: CachedResponse, age: TimeInterval, of context: CallContext
    ) -> APIResponse? {
        var response = APIResponse(stored, of: context.call)
        response.age = age
        return try? ResponseReader(context).read(response)
    }

    // MARK: Revalidation

    /// Looks up where the answer to a request is stored, and what is stored there and may still be good.
    func prepareCache(for request: APIRequest, of context: inout CallContext) async {
        context.toRevalidate = nil
        guard context.call.isCacheable else { return }
        context.cachePlace = CachePlace(of: request, context)
        guard context.call.overrides.cache.mode == .revalidate, !context.call.overrides.ignoresCache,
            // Whatever its age: the server says whether it is still good.
            let (stored, _) = await storedResponse(context, extra: .infinity),
            let response = read(stored, age: 0, of: context)
        else { return }
        context.toRevalidate = response
    }

    /// Asks only for what is newer than what is stored (RFC 9110 sections 13.1.2 and 13.1.3).
    func makeConditional(_ request: inout APIRequest, of context: CallContext) {
        guard let stored = context.toRevalidate else { return }
        if let tag = stored.headers["ETag"] {
            request.headers["If-None-Match"] = tag
        } else if let date = stored.headers["Last-Modified"] {
            request.headers["If-Modified-Since"] = date
        }
    }

    /// What is stored, where the server says that it is still good (RFC 9111 section 4.3.4).
    func revalidated(_ received: APIResponse, _ context: CallContext) -> APIResponse? {
        guard received.status == 304, let stored = context.toRevalidate else { return nil }
        var headers = received.headers
        headers["Content-Length"] = nil
        pending.events.emit(.servedFromCache(age: 0), of: context.call)
        return stored.updated(with: headers)
    }

    // MARK: Keeping

    /// Keeps a response, once it has passed the validator; `nil` where it is not to be stored.
    ///
    /// It belongs to the user for whom the request was made. Where that is another one by now, nothing is stored: it
    /// would outlive the logout that came in between.
    func storage(of response: APIResponse, _ context: CallContext) -> (@Sendable () async -> Void)? {
        guard let place = context.cachePlace, !response.forbidsStoring,
            let version = place.version(forVary: response.headers),
            !response.isFromCache || context.toRevalidate != nil
        else { return nil }
        let stored = CachedResponse(
            url: response.url, status: response.status, headers: response.headers, body: response.body,
            storedAt: proxy.clock.now, version: version)
        let caches = proxy.caches
        return {
            await caches.store(stored, for: place.key, place.policy)
            // Asked afterwards: a logout changes the user first and forgets then, so that one of both sees the other.
            if !context.isForUserOfNow { await caches.remove(.key(place.key)) }
        }
    }
}

extension APIResponse {
    /// RFC 9111 section 5.2.2.5
    fileprivate var forbidsStoring: Bool {
        headers.values(of: "Cache-Control").contains { value in
            value.split(separator: ",").contains {
                $0.trimmingCharacters(in: .whitespaces).lowercased() == "no-store"
            }
        }
    }
}

extension APICall {
    /// Whether the manager wants its responses stored, and they can be.
    fileprivate var isCacheable: Bool { !overrides.cache.storesNothing && !isTransfer }
}

extension CallContext {
    /// Whether the session's user is still the one for whom the request was made.
    fileprivate var isForUserOfNow: Bool {
        guard let session else { return true }
        return session.session.state.withLock { $0.isUser(of: call) && $0.subject == session.subject }
    }
}
