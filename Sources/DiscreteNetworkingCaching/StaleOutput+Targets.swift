public import DiscreteNetworkingCore

extension StaleOutput {
    /// Names the cached responses of a manager.
    /// - Parameters:
    ///   - manager: A manager of the endpoint, such as `CartManager()`. It makes no call.
    ///   - params: The arguments of one request of the current user; `nil` for all requests of the endpoint.
    public init(_ manager: BaseAPIManager, with params: Params? = nil) {
        self.init { proxy in
            let call = manager.call(params.map(manager.prepared) ?? [:], over: proxy)
            let scope = CacheScope.endpoint(call.serviceIdentifier, methodName: call.methodName)
            let isOne = params != nil
            return { effect in
                guard effect.mayHaveActed else { return }
                // Of a user who has left meanwhile, the request is not known any more.
                let key = isOne ? await proxy.cacheKey(of: call, in: effect.scope) : nil
                await proxy.responses.invalidate(key.map { .key($0) } ?? scope)
            }
        }
    }
}
