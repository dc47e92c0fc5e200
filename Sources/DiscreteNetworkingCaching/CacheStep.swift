import DiscreteNetworkingCore
import Foundation

/// Serves a fresh cached response before the exchange, or a stale one after a failure, and stores new responses
/// (RFC 9111, RFC 5861).
///
/// The cache key is derived from the request, so a call that may use the cache builds its request first.
struct CacheStep: CallStep {
    static let place = StepPlace.storedResponse
    /// It builds a request, too.
    static var uses: [any AttemptState.Type] { RequestStep.uses + [ResponsePlace.self] }
    let pending: PendingCall
    let store: ResponseStore

    private var stored: StoredResponses { StoredResponses(pending: pending, store: store) }

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        if attempt.plan.isForCacheOnly { return try await storedResponse(attempt) }
        if attempt.mayBeAnsweredFromCache {
            attempt.begin(pending.proxy.redaction)
            if let fresh = await answer(&attempt) { return fresh }
        }
        return try await sentResponse(&attempt, rest)
    }

    /// Sends the call, and stores its response.
    fileprivate func sentResponse(
        _ attempt: inout Attempt, _ rest: CallSteps
    ) async throws(Interruption) -> APIResponse {
        do throws(Interruption) {
            let response = try await rest(&attempt)
            await stored.store(response, attempt)
            return response
        } catch {
            // What the session or the service has refused is not the network's failure.
            guard case .failed(let failure) = error, attempt.allowsStaleResponse(after: failure.kind),
                let stale = await answer(&attempt, after: failure)
            else { throw error }
            return stale
        }
    }

    /// Returns the cached response of a call that is never sent.
    private func storedResponse(_ attempt: Attempt) async throws(Interruption) -> APIResponse {
        let call = attempt.call
        do throws(APIError) {
            let found = try await pending.proxy.storedOutput(of: pending, maxAge: nil)
            guard found.isCurrent, let response = found.response else {
                let reason = found.isCurrent ? found.reason ?? .nothingStored : .removed
                throw pending.proxy.error(.notCached(reason), of: call)
            }
            if let reason = await pending.rejectionReason(for: response) {
                throw pending.proxy.error(.invalidResponse(reason: reason), of: call, response: response)
            }
            pending.emit(.servedFromCache(age: response.age ?? 0), of: call)
            return response
        } catch {
            throw .refused(error)
        }
    }

    /// Returns a cached response that the manager's validator accepts: a fresh one, or after an error one of an age that the policy
    /// allows.
    private func answer(_ attempt: inout Attempt, after error: APIError? = nil) async -> APIResponse? {
        let isTimed = error == nil && attempt.plan.hasDeadline
        if isTimed { pending.noteWait(.storedResponse) }
        defer { if isTimed { pending.noteWait(nil) } }
        if attempt.scope == nil, !pending.validates { return await response(&attempt, after: error) }
        return await validResponse(&attempt, after: error)
    }

    private func validResponse(_ attempt: inout Attempt, after error: APIError?) async -> APIResponse? {
        let found = await EnvironmentScope.within(attempt.scope) { () async -> APIResponse? in
            await response(&attempt, after: error)
        }
        guard let found else { return nil }
        guard await pending.rejectionReason(for: found) != nil else { return found }
        attempt.call = attempt.call.ignoringCache()
        return nil
    }

    /// Returns a cached response. The lookup in memory does not suspend.
    private func response(_ attempt: inout Attempt, after error: APIError?) async -> APIResponse? {
        if attempt.cachePlace == nil { await draft(&attempt) }
        if let known = responseInMemory(attempt, after: error) { return known }
        return await anyResponse(attempt, after: error)
    }

    /// - Returns: `nil` if the response has to be found on disk, or changed.
    private func responseInMemory(_ attempt: Attempt, after error: APIError?) -> APIResponse?? {
        guard stored.isOnlyInMemory(attempt) else { return nil }
        return stored.findInMemory(attempt, extra: extra(attempt, after: error))
            .map { response(of: $0, attempt, after: error) }
    }

    private func anyResponse(_ attempt: Attempt, after error: APIError?) async -> APIResponse? {
        response(
            of: await stored.find(attempt, extra: extra(attempt, after: error)), attempt, after: error)
    }

    /// The seconds that the response may be stale.
    private func extra(_ attempt: Attempt, after error: APIError?) -> TimeInterval {
        error == nil ? 0 : attempt.cachePolicy.staleIfError
    }

    /// Returns what was found as the response of the call, and tells the observers.
    private func response(
        of found: StoredOutput, _ attempt: Attempt, after error: APIError?
    ) -> APIResponse? {
        guard var response = found.response else {
            // A policy that prefers the cache has told so before the call failed.
            if error == nil || !attempt.mayBeAnsweredFromCache { stored.noteMiss(found.reason, attempt) }
            return nil
        }
        response.needsRevalidation =
            error == nil && attempt.cachePolicy.mode == .staleWhileRevalidate
        pending.emit(.servedFromCache(age: response.age ?? 0), of: attempt.call)
        return response
    }

    /// Builds the request to look up its cached response. If that fails, the attempt reports the error.
    private func draft(_ attempt: inout Attempt) async {
        guard (try? await pending.proxy.draft(&attempt, plugins: pending.plugins)) != nil else { return }
        attempt.takeCachePlace(store.changes)
    }
}

extension CacheStep {
    /// Uses a stale response in place of the failure of a call that was given up.
    struct Substitute: CallStep {
        static let place = CacheStep.place
        static var uses: [any AttemptState.Type] { CacheStep.uses }
        let step: CacheStep

        func run(
            _ attempt: inout Attempt, _ rest: CallSteps
        ) async throws(Interruption) -> APIResponse {
            try await step.sentResponse(&attempt, rest)
        }
    }
}

extension Attempt {
    /// Notes where the response of the request is stored.
    mutating func takeCachePlace(_ changes: CacheChanges) {
        guard let request = self.request else { return }
        self.cachePlace = CachePlace(of: request.value, self, changes)
    }

    /// Whether a cached response is used before the network.
    fileprivate var mayBeAnsweredFromCache: Bool {
        guard self.plan.isCacheable, !ignoresCache else { return false }
        switch cachePolicy.mode {
        case .cacheFirst, .staleWhileRevalidate: return true
        case .networkFirst, .revalidate, .cacheOnly: return false
        }
    }

    /// Whether `stale-if-error` applies: to failures of the network or server, not of the call (RFC 5861 section 4).
    func allowsStaleResponse(after kind: APIError.Kind) -> Bool {
        guard !ignoresCache, cachePolicy.allowsStaleAfterFailure else { return false }
        switch kind {
        case .notReachable, .degraded, .timedOut, .deadlineExceeded, .transport: return true
        case .http(let status): return status >= 500
        default: return false
        }
    }
}

extension CachePolicy {
    /// Whether a cached response may be used after a failure.
    fileprivate var allowsStaleAfterFailure: Bool { mode == .networkFirst || staleIfError > 0 }
}
