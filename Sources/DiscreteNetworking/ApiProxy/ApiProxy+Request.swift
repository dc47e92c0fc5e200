extension ApiProxy {
    /// Step 8 for a call that may go out: its request, with what its session gives it.
    func request(for context: CallContext) async throws(APIError) -> APIRequest {
        do {
            return try await generator.request(
                for: context.call, service: context.service, session: context.session)
        } catch is CancellationError {
            throw error(.cancelled, of: context.call)
        } catch {
            throw self.error(.invalidRequest(reason: String(describing: error)), of: context.call)
        }
    }

    /// The request that a call would send now, as its session's user of the moment. Nothing is refreshed, and nobody is
    /// asked to log in.
    func draft(_ context: inout CallContext) async throws(APIError) -> APIRequest {
        if context.call.overrides.usesSession, let session = context.service.session {
            guard let snapshot = await session.snapshot(for: context.call) else {
                throw error(.loginRequired, of: context.call)
            }
            context.session = snapshot
        }
        return try await request(for: context)
    }

    /// The same for a call that is not sent at all.
    @concurrent
    func draft(_ call: APICall) async throws(APIError) -> APIRequest {
        var context = CallContext(call, try service(of: call))
        if call.overrides.requiresLogin {
            guard let session = context.service.session else { throw sessionMissing(for: call) }
            if await session.loadedSnapshot.tokens == nil { throw error(.loginRequired, of: call) }
        }
        return try await draft(&context)
    }

    /// Where the response to a call would be stored now; `nil` where its request cannot be made, or is like no other.
    @concurrent
    func cacheKey(of call: APICall) async -> CacheKey? {
        guard let service = services.service(for: call.serviceIdentifier) else { return nil }
        var context = CallContext(call, service)
        guard let request = try? await draft(&context) else { return nil }
        return RequestIdentity(request).map { CacheKey($0, of: call, service) }
    }

    /// For a manager that requires a login where there is nothing to log in to.
    func sessionMissing(for call: APICall) -> APIError {
        let reason = "\(call.managerType) requires a login, but its service has no session; give it one."
        return error(.invalidRequest(reason: reason), of: call)
    }
}
