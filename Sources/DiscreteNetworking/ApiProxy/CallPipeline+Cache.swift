import Foundation

/// Steps 6 and 14: what is kept instead of the network, and what is kept of it.
extension CallPipeline {
    /// Where the responses of a call are kept.
    struct CachePlace: Sendable {
        let key: CacheKey
        let policy: CachePolicy
        let version: String
    }

    /// `nil` where the manager keeps nothing.
    func cachePlace(of call: APICall, _ service: any Service) -> CachePlace? {
        let policy = call.overrides.cache
        guard !policy.keepsNothing, !call.isTransfer else { return nil }
        service.session?.forget(proxy.caches, of: call.serviceIdentifier)
        return CachePlace(
            key: call.cacheKey(service), policy: policy, version: service.cacheVersion + "/" + policy.version)
    }

    /// Ends the call with what is kept, where the policy puts that first.
    /// - Returns: whether it did.
    func answerFromCache(_ call: inout APICall, _ service: any Service) -> Bool {
        guard !call.overrides.ignoresCache, let place = cachePlace(of: call, service) else { return false }
        switch place.policy.mode {
        case .networkFirst: return false
        case .revalidate:
            // Whatever its age: the server says whether it is still good.
            if let (kept, _) = kept(place, extra: .infinity), read(kept, age: 0, of: call, service) != nil {
                call.toRevalidate = kept
            }
            return false
        case .cacheFirst: return answer(call, service, from: place)
        case .staleWhileRevalidate: return answer(call, service, from: place, asksAgain: true)
        }
    }

    /// Ends a call that has failed with what is kept, where the policy allows that for such a failure.
    func answerFromCache(_ call: APICall, _ service: any Service, after error: APIError) -> Bool {
        guard !call.overrides.ignoresCache, let place = cachePlace(of: call, service),
            place.policy.helpsAfterFailures, Self.mayBeStoodInFor(error.kind)
        else { return false }
        return answer(call, service, from: place, after: error)
    }

    /// Failures of the way and of the server, not of the call (RFC 5861 section 4).
    private static func mayBeStoodInFor(_ kind: APIError.Kind) -> Bool {
        switch kind {
        case .notReachable, .degraded, .timedOut, .transport: true
        case .http(let status): status >= 500
        default: false
        }
    }

    private func kept(_ place: CachePlace, extra: TimeInterval = 0) -> (CachedResponse, age: TimeInterval)? {
        proxy.caches.response(
            for: place.key, place.policy, version: place.version, at: proxy.clock.now, extra: extra)
    }

    private func answer(
        _ call: APICall, _ service: any Service, from place: CachePlace, after error: APIError? = nil,
        asksAgain: Bool = false
    ) -> Bool {
        let extra = error == nil ? 0 : place.policy.staleIfError
        guard let (kept, age) = kept(place, extra: extra),
            var response = read(kept, age: age, of: call, service)
        else { return false }
        response.asksAgain = asksAgain
        pending.events.emit(.servedFromCache(age: age), of: call)
        var call = call
        call.overrides.ignoresCache = true
        pending.accept(response) { [call] _ in
            // The validator lets it pass no more: as if it were not there.
            guard let error else { return await proceed(call, service) }
            await pending.report(error)
        }
        return true
    }

    /// A kept response as an answer to this call; `nil` where it is none by now, because the output has changed.
    func read(
        _ kept: CachedResponse, age: TimeInterval, of call: APICall, _ service: any Service
    ) -> APIResponse? {
        var response = APIResponse(
            requestID: call.requestID,
            response: TransportResponse(
                url: kept.url, status: kept.status, headers: kept.headers, body: .data(kept.body)))
        response.age = age
        return try? ResponseReader(call: call, service: service).read(response)
    }

    // MARK: Revalidation

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
    func revalidated(
        _ received: APIResponse, _ call: APICall, _ service: any Service
    ) -> APIResponse? {
        guard received.status == 304, var kept = call.toRevalidate else { return nil }
        var headers = received.headers
        headers["Content-Length"] = nil
        kept.headers.merge(headers)
        guard let response = read(kept, age: 0, of: call, service) else { return nil }
        pending.events.emit(.servedFromCache(age: 0), of: call)
        return response
    }

    // MARK: Keeping

    /// Keeps a response, once it has passed the validator; `nil` where it is not to be kept.
    ///
    /// It belongs to the user for whom the request was made. Where that is another one by now, nothing is kept: it
    /// would outlive the logout that came in between.
    func keeping(
        _ response: APIResponse, _ call: APICall, _ service: any Service
    ) -> (@Sendable () -> Void)? {
        guard let place = call.cachePlace, !response.forbidsStoring,
            !response.isFromCache || call.toRevalidate != nil
        else { return nil }
        let kept = CachedResponse(
            url: response.url, status: response.status, headers: response.headers, body: response.body,
            storedAt: proxy.clock.now, version: place.version)
        let caches = proxy.caches
        return {
            caches.store(kept, for: place.key, place.policy)
            // Asked afterwards: a logout changes the user first and forgets then, so that one of both sees the other.
            guard call.cacheKey(service) != place.key else { return }
            caches.memory.remove(.key(place.key))
            caches.disk.remove(.key(place.key))
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

    func cacheKey(_ service: any Service) -> CacheKey {
        CacheKey(
            service: serviceIdentifier, methodName: methodName,
            parts: [
                service.baseURL.absoluteString, service.apiVersion ?? "", requestType.rawValue,
                params.canonical, overrides.headers.sorted { $0.key < $1.key }.description,
                service.cacheIdentity(for: self),
            ])
    }
}
