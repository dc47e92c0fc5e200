import DiscreteNetworkingCore
import Foundation

/// Looks up, decodes and stores the cached responses of one call, and reports to the observers why there is none.
struct StoredResponses {
    let pending: PendingCall
    let store: ResponseStore

    private var proxy: ApiProxy { pending.proxy }

    /// - Parameters:
    ///   - extra: The seconds that a response may be stale.
    ///   - maxAge: The age that it may have, in seconds, in place of the freshness lifetime.
    func lookUp(
        _ attempt: Attempt, extra: TimeInterval = 0, maxAge: TimeInterval? = nil
    ) async -> CacheLookup {
        guard let place = attempt.cachePlace else { return .miss(nil) }
        let found = await store.response(
            for: place.key, place.policy, at: proxy.clock.now, extra: extra, maxAge: maxAge,
            refusal: place.refusal)
        // The user may have changed while the disk was read; then the response is removed.
        guard attempt.isForUserOfNow else {
            await store.remove(.key(place.key))
            return .miss(.removed)
        }
        return found
    }

    /// Looks a response up and decodes it, with the changes that are shown over it.
    func find(_ attempt: Attempt, extra: TimeInterval = 0, maxAge: TimeInterval? = nil) async -> StoredOutput
    {
        guard let key = attempt.cachePlace?.key else {
            return StoredOutput(stored: nil, response: nil, attempt: attempt)
        }
        while true {
            let layers = store.changes.layers(key)
            var found = StoredOutput(stored: nil, response: nil, attempt: attempt)
            switch await lookUp(attempt, extra: extra, maxAge: maxAge) {
            case .miss(let reason): found.reason = reason
            case .hit(let stored, let age):
                found.take(stored, await read(stored, age: age, attempt))
            }
            if found.apply(layers, key, store.changes) { return found }
        }
    }

    /// Whether no response of the call is on disk, and nothing changes what is in memory.
    func isOnlyInMemory(_ attempt: Attempt) -> Bool {
        guard let place = attempt.cachePlace else { return false }
        return place.policy.lives.disk == nil && !pending.changesResponses(of: attempt)
    }

    /// Finds a response that is only in memory, without a suspension.
    /// - Returns: `nil` if ``find(_:extra:maxAge:)`` has to find it: the user or the layers have changed.
    func findInMemory(_ attempt: Attempt, extra: TimeInterval) -> StoredOutput? {
        guard let place = attempt.cachePlace else { return nil }
        let changes = store.changes
        let layers = changes.layers(place.key)
        let lookup = store.responseInMemory(
            for: place.key, place.policy, at: proxy.clock.now, extra: extra, refusal: place.refusal)
        guard attempt.isForUserOfNow else { return nil }
        var found = StoredOutput(stored: nil, response: nil, attempt: attempt)
        switch lookup {
        case .miss(let reason): found.reason = reason
        case .hit(let stored, let age): found.take(stored, readUnchanged(stored, age: age, attempt))
        }
        return found.apply(layers, place.key, changes) ? found : nil
    }

    /// Decodes a cached response for a call; returns `nil` if its body can no longer be decoded.
    func read(_ stored: CachedResponse, age: TimeInterval, _ attempt: Attempt) async -> APIResponse? {
        guard pending.changesResponses(of: attempt), attempt.cachePlace?.isOutput(stored) != true else {
            return readUnchanged(stored, age: age, attempt)
        }
        var response = APIResponse(stored, of: attempt.call)
        response.age = age
        let changes = ResponseChanges(pending: pending, attempt: attempt)
        let limit = attempt.request?.value.timeout ?? attempt.plan.timeout
        if await changes.change(&response, within: limit) != nil { return nil }
        return try? ResponseReader(attempt.call, attempt.plan).read(response)
    }

    /// The same for a response that nothing changes.
    private func readUnchanged(
        _ stored: CachedResponse, age: TimeInterval, _ attempt: Attempt
    ) -> APIResponse? {
        var response = APIResponse(stored, of: attempt.call)
        response.age = age
        guard attempt.cachePlace?.isOutput(stored) == true else {
            return try? ResponseReader(attempt.call, attempt.plan).read(response)
        }
        response.output = try? StoredOutput.decode(attempt.call.outputType, from: stored.body, attempt)
        return response.output == nil ? nil : response
    }

    /// Stores a response after validation, unless it must not be stored.
    ///
    /// The response belongs to the user for whom the request was made. If that user has logged out, it is not stored.
    func store(_ response: APIResponse, _ attempt: Attempt) async {
        guard let place = attempt.cachePlace else { return }
        if response.isPartial { return noteStored(false, attempt) }
        guard !response.forbidsStoring, let version = place.version(forVary: response.headers) else {
            store.changes.forbid(place.key)
            return noteStored(false, attempt)
        }
        // As received: an encrypted body stays encrypted on disk.
        let wire = response.wire.value
        guard case .data(let body) = wire.body else { return }
        let stored = CachedResponse(
            url: wire.url, status: wire.status, headers: wire.headers, body: body, storedAt: proxy.clock.now,
            version: version)
        // A response that was on its way when a change was confirmed does not have it.
        guard await store.store(stored, for: place.key, place.policy, since: place.began) else {
            return
        }
        // Checked after storing: a logout first changes the user and then clears the cache, so one of the two removes the
        // response.
        if !attempt.isForUserOfNow { await store.remove(.key(place.key)) }
        noteStored(true, attempt)
    }

    // MARK: Misses

    /// Reports to the observers why no cached response is used. Without observers, it does nothing.
    func noteMiss(_ known: MissReason?, _ attempt: Attempt) {
        // A request that could not be built is the error of the attempt.
        guard pending.isObserved, let request = attempt.request?.value else { return }
        let reason =
            known ?? fingerprint(of: request, attempt).map(proxy.storedRequests.reason)
            ?? .incomparable("its body is a file or a stream")
        pending.emitMiss(.notInCache(reason), reason, of: attempt.call)
    }

    /// Remembers the request for later ones that find no response.
    private func noteStored(_ isStored: Bool, _ attempt: Attempt) {
        guard pending.isObserved, let request = attempt.request?.value,
            let fingerprint = fingerprint(of: request, attempt)
        else { return }
        proxy.storedRequests.note(fingerprint, isStored: isStored)
    }

    private func fingerprint(of request: APIRequest, _ attempt: Attempt) -> RequestFingerprint? {
        guard let place = attempt.cachePlace, let identity = RequestIdentity(request) else { return nil }
        let call = attempt.call
        return RequestFingerprint(
            identity, headers: request.headers, endpoint: [call.serviceIdentifier.rawValue, call.methodName],
            others: [(.environment, attempt.scope?.name ?? ""), (.cacheIdentity, place.cacheIdentity)])
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
