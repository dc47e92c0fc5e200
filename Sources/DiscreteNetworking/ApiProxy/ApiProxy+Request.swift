import Foundation

extension ApiProxy {
    /// Performs step 8: builds the request of a call, including its session's authorization.
    func request(for context: inout CallContext) async throws(APIError) -> Box<APIRequest> {
        context.chooseBodyTransform()
        do {
            guard !context.isLimited else { return try await exemptRequest(for: context) }
            return try await request(for: context)
        } catch {
            throw self.error(ofBuilding: error, context)
        }
    }

    /// The calls that the service of a limited call makes for it do not wait for it.
    ///
    /// Not inlined, as the steps below, so that the async frame of a step does not reserve space for another.
    @inline(never)
    private func exemptRequest(for context: CallContext) async throws -> Box<APIRequest> {
        try await CallQueue.$isExempt.withValue(true) { try await request(for: context) }
    }

    @inline(never)
    private func request(for context: CallContext) async throws -> Box<APIRequest> {
        let host = try context.route?.alias()
        guard context.plugins.isEmpty, context.bodyTransform == nil else {
            return try await changedRequest(for: context, at: host)
        }
        return try await generator.request(
            for: context.call, context.configured, session: context.session, csrf: context.csrf, at: host)
    }

    /// Builds a request with what the app changes in it, within the time limit of an attempt.
    @inline(never)
    private func changedRequest(
        for context: CallContext, at host: HostAlias?
    ) async throws -> Box<APIRequest> {
        let changes = RequestChanges(
            plugins: context.isForeign ? [] : context.plugins,
            bodyTransform: context.bodyTransform)
        return try await within(context.call.overrides.timeout ?? context.configuration.timeout) {
            [generator] in
            try await generator.request(
                for: context.call, context.configured, session: context.session, csrf: context.csrf,
                at: host, changes)
        }
    }

    /// Returns the error of a call whose request cannot be built.
    @inline(never)
    private func error(ofBuilding error: any Error, _ context: CallContext) -> APIError {
        let kind: APIError.Kind =
            switch error {
            case is CancellationError: .cancelled
            case is TimeLimitExceeded: .timedOut
            case let error as APIError where error.isOfNesting: error.kind
            default: .invalidRequest(reason: String(describing: error))
            }
        let hint = kind == .timedOut ? timeoutHint(context) : nil
        let made = error as? APIError
        return self.error(
            kind, of: context.call, underlying: made, hint: made?.isOfNesting == true ? made?.hint : hint)
    }

    @inline(never)
    private func nestingError(of call: APICall) -> APIError {
        let chain = call.callers + ["\(call.serviceIdentifier)/\(call.methodName)"]
        return error(
            .nestedTooDeeply(limit: APICall.nestingLimit), of: call,
            hint:
                "The call is made in a hook of a call that is made in a hook, and so on: \(chain.joined(separator: " → ")). Let the hook make no call for the calls that it makes itself, for instance by their managerType."
        )
    }

    private func timeoutHint(_ context: CallContext) -> String {
        let seconds = context.call.overrides.timeout ?? context.service.timeout
        return
            "Building the request took longer than \(RequestLocation.text(ofSeconds: seconds)); see the timeout of the manager or its service, and its plugins and body transforms."
    }

    /// Returns the context of a call, before its first attempt.
    func context(of call: APICall) throws(APIError) -> CallContext {
        guard call.callers.count <= APICall.nestingLimit else { throw nestingError(of: call) }
        return CallContext(call, try instance(of: call), plugins: plugins)
    }

    /// Returns what sends the requests of a service: over its own transport, or over the proxy's.
    func follower(for configured: ConfiguredService) -> RedirectFollower {
        guard let own = configured.configuration.value.transport,
            !follower.transport.replacesServiceTransport(for: configured.service.baseURL)
        else { return follower }
        return RedirectFollower(
            transport: own, redaction: redaction,
            outside: .init(transport: follower.transport, hosts: configured.hosts))
    }

    /// Returns the request that a call would send now, with the session's current tokens. Does not refresh
    /// tokens or ask for a login.
    func draft(_ context: inout CallContext) async throws(APIError) -> Box<APIRequest> {
        if context.call.overrides.usesSession, let session = context.tokenSession {
            guard let snapshot = await session.snapshot(for: context.call) else {
                throw error(.loginRequired, of: context.call)
            }
            context.session = snapshot
        }
        await context.takeKnownCSRFToken()
        return try await request(for: &context)
    }

    /// Returns the request of a call that is not sent.
    @concurrent
    func draft(_ call: APICall) async throws(APIError) -> APIRequest {
        try await drafted(call) { context, request throws(APIError) in
            if context.call.overrides.requiresLogin {
                guard let session = context.tokenSession else { throw sessionMissing(for: call) }
                if await session.loadedSnapshot.tokens == nil { throw error(.loginRequired, of: call) }
            }
            return request.value
        }
    }

    /// Returns the cache key of a call; `nil` if its request cannot be built or cannot be compared.
    @concurrent
    func cacheKey(of call: APICall) async -> CacheKey? {
        let key = try? await drafted(call) { context, request in
            RequestIdentity(request.value).map {
                CacheKey($0, context.service.cacheIdentity(for: context.call), of: context)
            }
        }
        return key ?? nil
    }

    /// Builds the request of a call that is not sent, in the current environment of its service.
    private func drafted<Value: Sendable>(
        _ call: APICall,
        _ use: (CallContext, Box<APIRequest>) async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        var context = try context(of: call)
        context.begin(redaction)
        defer { context.pins?.end() }
        return try await MemoryStorage.within(services.memory) {
            await EnvironmentPins.within(context.pins) { () -> Result<Value, APIError> in
                do throws(APIError) {
                    let request = try await draft(&context)
                    return .success(try await use(context, request))
                } catch {
                    return .failure(error)
                }
            }
        }.get()
    }

    /// Returns the error for a manager that requires a login although its service has no session.
    func sessionMissing(for call: APICall) -> APIError {
        let reason =
            "\(call.managerType) requires a login, but its service has no session; give its ServiceConfiguration one."
        return error(.invalidRequest(reason: reason), of: call)
    }
}

extension CallContext {
    /// Asks for the body transform of an attempt.
    @inline(never)
    fileprivate mutating func chooseBodyTransform() {
        let bodyTransform = self.rules.bodyTransform
        if bodyTransform != nil || self.bodyTransform != nil { self.bodyTransform = bodyTransform }
    }
}
