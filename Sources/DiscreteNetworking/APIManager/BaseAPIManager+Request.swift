extension BaseAPIManager {
    /// Returns the request that a call would send now, without sending it.
    ///
    /// ```swift
    /// print(try await manager.request(with: ["id": 7]).curlCommand())
    /// ```
    ///
    /// Runs the same steps as a call: the param source, ``reform(_:)``, the interceptors, the validator,
    /// the service, its session's token and its signer. Does not refresh an expired token or ask for a
    /// login.
    /// - Parameter params: The arguments; `nil` to call the param source.
    /// - Throws: The error that would end the call before it is sent: ``APIError/Kind/vetoed``,
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
