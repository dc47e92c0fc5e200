extension BaseAPIManager {
    /// The request that a call would send now, made by the same steps, without sending anything.
    ///
    /// ```swift
    /// print(try await manager.request(with: ["id": 7]).curlCommand())
    /// ```
    /// The param source, ``reform(_:)``, the interceptors, the validator, the service, its session's token and its
    /// signer are all asked, so what they count or log they count and log. An expired token is not refreshed,
    /// and nobody is asked to log in.
    /// - Parameter params: the arguments; without them the param source is asked.
    /// - Throws: what the call would end with before it sends anything: ``APIError/Kind/vetoed``,
    ///   ``APIError/Kind/invalidParams(reason:)``, ``APIError/Kind/serviceNotRegistered``,
    ///   ``APIError/Kind/loginRequired``, ``APIError/Kind/invalidRequest(reason:)``.
    public func request(with params: Params? = nil) async throws(APIError) -> APIRequest {
        let params = reform(params ?? paramSource?.params(for: self) ?? [:])
        let refusal = refusal(of: params)
        let call = call(params)
        let proxy = proxy
        if let refusal { throw proxy.error(refusal, of: call) }
        return try await proxy.draft(call)
    }
}
