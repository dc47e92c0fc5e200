import Foundation

extension BaseAPIManager {
    /// Forgets what is kept of this endpoint's responses, in memory and on the disk; see ``cache``.
    ///
    /// ```swift
    /// await manager.removeCachedResponses(with: ["id": 7])
    /// ```
    /// - Parameter params: those of one call, for the user of the moment; without them all of the endpoint's
    ///   responses, of all users. The request of such a call is made for it, by the steps of a call, and not sent.
    public func removeCachedResponses(with params: Params? = nil) async {
        let call = call(reform(params ?? [:]), headers: [:])
        let proxy = proxy
        guard params != nil else {
            return await proxy.caches.remove(
                .endpoint(call.serviceIdentifier, methodName: call.methodName))
        }
        guard let key = await proxy.cacheKey(of: call) else { return }
        await proxy.caches.remove(.key(key))
    }
}
