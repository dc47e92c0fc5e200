import Foundation

extension BaseAPIManager {
    /// Starts a call; the delegate receives the outcome.
    /// - Parameters:
    ///   - params: The arguments; `nil` to call the param source.
    ///   - ignoringCache: Whether to bypass cached responses; see ``cachePolicy``.
    /// - Returns: The ID of the call, for cancellation.
    @discardableResult
    public func loadData(with params: Params? = nil, ignoringCache: Bool = false) -> RequestID {
        start(with: params, ignoringCache: ignoringCache, completion: nil).0.call.requestID
    }

    /// Returns the output converted by a reformer.
    public func fetchData<Reformed>(with reformer: any APIManagerReformer<Reformed>) -> Reformed {
        reformer.reform(self)
    }
}

/// The description of a manager's calls, and the checks before they start.
extension BaseAPIManager {
    /// Performs steps 2 and 3; returns why a call with these params may not start.
    func refusal(of params: Params) -> CallRefusal? {
        guard self is any APIManagerChild else {
            return CallRefusal(
                .invalidRequest(
                    reason:
                        "\(type(of: self)) does not declare its service, method name and request type; inherit from APIManager<Output>."
                ))
        }
        // One after the other: the manager's own hook may assign the other one.
        let own = self as? any APIManagerInterceptor
        if let own, !own.manager(self, shouldCallWith: params) { return .veto(by: own) }
        if let interceptor, interceptor !== own, !interceptor.manager(self, shouldCallWith: params) {
            return .veto(by: interceptor)
        }
        if case .invalid(let reason)? = validator?.validate(params: params, for: self) {
            return CallRefusal(.invalidParams(reason: reason))
        }
        return nil
    }

    /// Steps 2 to 4, with params that are not reformed any more.
    /// - Parameters:
    ///   - url: where the call goes, where that is not for the service to say.
    ///   - key: its idempotency key, where that is not for the manager to say.
    ///   - carrier: what sends its requests in place of the proxy.
    ///   - refusing: why the call may not go out, where that is known before anybody is asked.
    ///   - ending: What the outcome changes elsewhere.
    ///
    /// Not inlined: seven callers would have 6 KB of it each.
    @inline(never)
    func send(
        _ params: Params, at url: URL? = nil, headers extra: HTTPFields = [:],
        ignoringCache: Bool = false, key: IdempotencyKey? = nil, over carrier: (any CallCarrier)? = nil,
        refusing: APIError.Kind? = nil, ending: PendingCall.Ending? = nil,
        completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        let proxy = proxy
        let refusal = refusing.map { CallRefusal($0) } ?? refusal(of: params)
        var call = call(params, at: url, headers: extra, key: key, over: carrier)
        if ignoringCache { call = call.ignoringCache() }
        var pause: TimeInterval = 0
        if refusal == nil {
            switch loadPolicy {
            case .concurrent: break
            case .ignoreNew:
                for running in state.running
                where running.call.isEqual(to: call) && isShareable(running) {
                    if let listener = running.addListener(completion) { return (running, listener) }
                }
            case .cancelPrevious: cancelAllRequests()
            case .debounce(let seconds):
                cancelAllRequests()
                pause = seconds
            }
        }
        if refusal == nil, let rules = proxy.callRules.current {
            let ruled = rules.apply(to: call, mayMock: proxy.sampleMode != .forbidden)
            call = ruled.call
            pause += ruled.delay
        }
        var ending = ending
        let stale = refusal == nil ? invalidates(with: params) : []
        if !stale.isEmpty {
            let endings = (ending.map { [$0] } ?? []) + stale.map { $0.ending(proxy) }
            ending = { for end in endings { await end($0) } }
        }
        let pending = PendingCall(call, proxy: proxy, owner: self, ending: ending)
        let listener = pending.addListener(completion)
        state.add(pending)
        if let refusal {
            pending.fail(refusal.kind, hint: refusal.hint)
        } else {
            // A call that a delegate starts is not part of the current unit of work.
            // Nor is one that a hook starts in the scope of this one's deadline.
            let context = CallContext.current
            if context.work == nil, context.deadline == nil {
                pending.start(after: pause)
            } else {
                CallContext.$current.withValue(.with { ($0.work, $0.deadline) = (nil, nil) }) {
                    pending.start(after: pause)
                }
            }
            let requestID = call.requestID
            for interceptor in interceptors { interceptor.manager(self, didCall: requestID, with: params) }
        }
        return (pending, listener)
    }

    func call(
        _ params: Params, at url: URL? = nil, headers extra: HTTPFields = [:], key: IdempotencyKey? = nil,
        over carrier: (any CallCarrier)? = nil
    ) -> APICall {
        let (child, proxy) = (self as? any APIManagerChild, proxy)
        // A sample answers in place of the backend.
        let sample = sample.flatMap {
            proxy.sampleMode == .forbidden ? nil : ActiveSample($0, sampleMode ?? proxy.sampleMode)
        }
        let own = self.headers
        let headers = Result { () throws(InvalidRequestError) in
            guard !own.isEmpty else { return extra }
            var fields = extra
            fields.merge(try HTTPFields(validating: own))
            return fields
        }
        return APICall(
            serviceIdentifier: child?.serviceIdentifier ?? "",
            methodName: child?.methodName ?? "",
            requestType: child?.requestType ?? .get, params: params, tag: tag,
            overrides: .init(
                url: url, headers: headers, responseRules: responseRules, bodyTransform: bodyTransform,
                compression: requestCompression, sample: sample,
                encoding: encoding, timeout: timeout, deadline: deadline,
                deadlineScope: CallContext.current.deadline,
                sharesIdenticalRequests: sharesIdenticalRequests,
                download: download,
                // A sample is for nobody: it needs no login, and reads no token.
                usesSession: usesSession && sample == nil, hidesResponses: hidesResponses,
                requiresLogin: requiresLogin && sample == nil,
                cache: carrier == nil ? cachePolicy : .none, retry: retryPolicy,
                network: networkPolicy, concurrencyLimit: concurrencyLimit,
                rateLimit: rateLimit, priority: priority,
                idempotencyKey: key ?? idempotencyKey(with: params), carrier: carrier),
            outputType: outputType, managerType: ManagerType(type: Self.self), dispatcher: proxy)
    }

    /// The manager itself if it conforms, then the assigned interceptor.
    var interceptors: [any APIManagerInterceptor] {
        let own = self as? any APIManagerInterceptor
        guard let interceptor, interceptor !== own else { return own.map { [$0] } ?? [] }
        return own.map { [$0, interceptor] } ?? [interceptor]
    }

    /// Tells the interceptors, the delegate and the callers of a success.
    func conclude(
        _ pending: PendingCall, _ response: APIResponse, _ completions: PendingCall.Completions
    ) {
        state.finish(pending, response)
        if response.needsRevalidation { revalidate(pending) }
        let interceptors = interceptors
        for interceptor in interceptors { interceptor.manager(self, didReceive: response) }
        if interceptors.allSatisfy({ $0.manager(self, beforeSuccessWith: response) }) {
            delegate?.managerDidSucceed(self)
            completions(.success(response.output ?? NoContent()))
        } else {
            completions(.failure(pending.proxy.error(.swallowed, of: pending.call, response: response)))
        }
        for interceptor in interceptors { interceptor.manager(self, afterSuccessWith: response) }
        if pending.call.transfer?.isStream == true { state.releaseStream(of: response) }
    }

    /// The same for a failure.
    func conclude(
        _ pending: PendingCall, _ error: APIError, isSwallowed: Bool, _ completions: PendingCall.Completions
    ) {
        state.finish(pending, error, isSwallowed: isSwallowed)
        let interceptors = interceptors
        if let response = error.response {
            for interceptor in interceptors { interceptor.manager(self, didReceive: response) }
        }
        if interceptors.allSatisfy({ $0.manager(self, beforeFailureWith: error) }) {
            if !isSwallowed, error.kind != .vetoed { delegate?.managerDidFail(self) }
            completions(.failure(error))
        } else {
            completions(
                .failure(
                    pending.proxy.error(
                        .swallowed, of: pending.call, response: error.response, underlying: error)))
        }
        for interceptor in interceptors { interceptor.manager(self, afterFailureWith: error) }
    }
}
