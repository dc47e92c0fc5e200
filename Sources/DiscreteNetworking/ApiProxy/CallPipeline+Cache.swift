import Foundation

/// Steps 6 and 14: what is kept instead of the network, and what is kept of it.
///
/// The key is the request as it goes out, so a call that may be answered from a cache makes its request first, once.
extension CallPipeline {
    /// Ends the call with what is kept, where the policy puts that first.
    /// - Returns: whether it did.
    func answerFromCache(_ call: inout APICall, _ service: any Service) async -> Bool {
        guard call.mayBeKept, !call.overrides.ignoresCache else { return false }
        switch call.overrides.cache.mode {
        case .networkFirst, .revalidate: return false
        case .cacheFirst: return await answer(&call, service)
        case .staleWhileRevalidate: return await answer(&call, service, asksAgain: true)
        }
    }

    /// Ends a call that has failed with what is kept, where the policy allows that for such a failure.
    func answerFromCache(_ call: APICall, _ service: any Service, after error: APIError) async -> Bool {
        guard call.mayBeKept, !call.overrides.ignoresCache, call.overrides.cache.helpsAfterFailures,
            Self.mayBeStoodInFor(error.kind)
        else { return false }
        var call = call
        return await answer(&call, service, after: error)
    }

    /// Failures of the way and of the server, not of the call (RFC 5861 section 4).
    private static func mayBeStoodInFor(_ kind: APIError.Kind) -> Bool {
        switch kind {
        case .notReachable, .degraded, .timedOut, .transport: true
        case .http(let status): status >= 500
        default: false
        }
    }

    private func answer(
        _ call: inout APICall, _ service: any Service, after error: APIError? = nil, asksAgain: Bool = false
    ) async -> Bool {
        if call.cachePlace == nil { await draft(&call, service) }
        let extra = error == nil ? 0 : call.overrides.cache.staleIfError
        guard let (kept, age) = await kept(call, extra: extra),
            var response = read(kept, age: age, of: call, service)
        else { return false }
        response.asksAgain = asksAgain
        pending.events.emit(.servedFromCache(age: age), of: call)
        var other = call
        other.overrides.ignoresCache = true
        pending.accept(response) { [other] _ in
            // The validator lets it pass no more: as if it were not there.
            guard let error else { return await proceed(other, service) }
            await pending.report(error)
        }
        return true
    }

    /// Makes the request that the call would send now, and looks up where its answer is kept. Where that cannot be
    /// made, the attempt says why.
    private func draft(_ call: inout APICall, _ service: any Service) async {
        if call.overrides.usesSession, let session = service.session {
            guard let pass = await session.pass(for: call) else { return }
            call.pass = pass
        }
        guard case .success(let request) = await request(for: call, service) else { return }
        call.request = request
        call.cachePlace = CachePlace(of: request, call, service)
    }

    // MARK: Reading

    private func kept(
        _ call: APICall, extra: TimeInterval = 0
    ) async -> (CachedResponse, age: TimeInterval)? {
        guard let place = call.cachePlace else { return nil }
        let found = await proxy.caches.response(
            for: place.key, place.policy, at: proxy.clock.now, extra: extra
        ) { $0.version == place.version(forVary: $0.headers) }
        // Somebody else may have come while the disk was read; then it is gone, or should be.
        guard call.isForUserOfNow else {
            await proxy.caches.remove(.key(place.key))
            return nil
        }
        return found
    }

    /// A kept response as an answer to this call; `nil` where it is none by now, because the output has changed.
    private func read(
        _ kept: CachedResponse, age: TimeInterval, of call: APICall, _ service: any Service
    ) -> APIResponse? {
        var response = APIResponse(kept, requestID: call.requestID)
        response.age = age
        return try? ResponseReader(call: call, service: service).read(response)
    }

    // MARK: Revalidation

    /// Looks up where the answer to a request is kept, and what is kept there and may still be good.
    func prepareCache(for request: APIRequest, of call: inout APICall, _ service: any Service) async {
        call.toRevalidate = nil
        guard call.mayBeKept else { return }
        call.cachePlace = CachePlace(of: request, call, service)
        guard call.overrides.cache.mode == .revalidate, !call.overrides.ignoresCache,
            // Whatever its age: the server says whether it is still good.
            let (kept, _) = await kept(call, extra: .infinity),
            let response = read(kept, age: 0, of: call, service)
        else { return }
        call.toRevalidate = response
    }

    /// Asks only for what is newer than what is kept (RFC 9110 sections 13.1.2 and 13.1.3).
    func makeConditional(_ request: inout APIRequest, of call: APICall) {
        guard let kept = call.toRevalidate else { return }
        if let tag = kept.headers["ETag"] {
            request.headers["If-None-Match"] = tag
        } else if let date = kept.headers["Last-Modified"] {
            request.headers["If-Modified-Since"] = date
        }
    }

    /// What is kept, where the server says that it is still good (RFC 9111 section 4.3.4).
    func revalidated(_ received: APIResponse, _ call: APICall) -> APIResponse? {
        guard received.status == 304, let kept = call.toRevalidate else { return nil }
        var headers = received.headers
        headers["Content-Length"] = nil
        pending.events.emit(.servedFromCache(age: 0), of: call)
        return kept.updated(with: headers)
    }

    // MARK: Keeping

    /// Keeps a response, once it has passed the validator; `nil` where it is not to be kept.
    ///
    /// It belongs to the user for whom the request was made. Where that is another one by now, nothing is kept: it
    /// would outlive the logout that came in between.
    func keeping(_ response: APIResponse, _ call: APICall) -> (@Sendable () async -> Void)? {
        guard let place = call.cachePlace, !response.forbidsStoring,
            let version = place.version(forVary: response.headers),
            !response.isFromCache || call.toRevalidate != nil
        else { return nil }
        let kept = CachedResponse(
            url: response.url, status: response.status, headers: response.headers, body: response.body,
            storedAt: proxy.clock.now, version: version)
        let caches = proxy.caches
        return {
            await caches.store(kept, for: place.key, place.policy)
            // Asked afterwards: a logout changes the user first and forgets then, so that one of both sees the other.
            if !call.isForUserOfNow { await caches.remove(.key(place.key)) }
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
    /// Whether the response is a file or a stream.
    var isTransfer: Bool {
        overrides.download != nil || outputType is DownloadedFile.Type || outputType is ByteStream.Type
    }

    /// Whether the manager wants its responses kept, and they can be.
    fileprivate var mayBeKept: Bool { !overrides.cache.keepsNothing && !isTransfer }

    /// Whether the session's user is still the one for whom the request was made.
    fileprivate var isForUserOfNow: Bool {
        guard let pass else { return true }
        return pass.session.state.withLock { $0.isUser(of: self) && $0.subject == pass.subject }
    }
}
