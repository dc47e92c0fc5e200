import Foundation

extension BaseAPIManager {
    /// Removes cached responses of this endpoint from memory and disk; see ``cachePolicy``.
    ///
    /// ```swift
    /// await manager.removeCachedResponses(with: ["id": 7])
    /// ```
    ///
    /// - Parameter params: The params of one call of the current user; `nil` removes all responses of the
    ///   endpoint, for all users. The request is built to determine the cache key but not sent.
    public func removeCachedResponses(with params: Params? = nil) async {
        let call = call(prepared(params ?? [:]), headers: [:])
        let proxy = proxy
        guard params != nil else {
            return await proxy.caches.remove(
                .endpoint(call.serviceIdentifier, methodName: call.methodName))
        }
        guard let key = await proxy.cacheKey(of: call) else { return }
        await proxy.caches.remove(.key(key))
    }
}

extension BaseAPIManager {
    /// Describes a call over a proxy, unless the manager has one of its own.
    func call(_ params: Params, over proxy: ApiProxy) -> APICall {
        guard assignedProxy == nil else { return call(params) }
        assignedProxy = proxy
        defer { assignedProxy = nil }
        return call(params)
    }
}
