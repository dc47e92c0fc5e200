public import Foundation

extension BaseAPIManager {
    /// Returns the request that a call would send now, without sending it.
    ///
    /// ```swift
    /// print(try await manager.request(with: ["id": 7]).curlCommand())
    /// ```
    ///
    /// Runs the same steps as a call: the param source, ``reform(_:)``, the interceptors, the validator,
    /// the service, its session's token and its signer. Does not refresh an expired token or ask for a
    /// login. A paged manager leaves out the params of a page, unless they are given.
    /// - Parameter params: The arguments; `nil` to call the param source.
    /// - Throws: The error that would end the call before it is sent: ``APIError/Kind/vetoed``,
    ///   ``APIError/Kind/invalidParams(reason:)``, ``APIError/Kind/serviceNotRegistered``,
    ///   ``APIError/Kind/loginRequired``, ``APIError/Kind/invalidRequest(reason:)``.
    public func request(with params: Params? = nil) async throws(APIError) -> APIRequest {
        let params = reform(params ?? paramSource?.params(for: self) ?? [:])
        let proxy = proxy
        return try await proxy.draft(try checkedCall(params, over: proxy))
    }

    /// Describes a call that may start.
    /// - Throws: Why it may not.
    private func checkedCall(_ params: Params, over proxy: ApiProxy) throws(APIError) -> APICall {
        let refusal = refusal(of: params)
        let call = call(params, over: proxy)
        if let refusal { throw proxy.error(refusal.kind, of: call, hint: refusal.hint) }
        return call
    }

    /// Describes a call over a proxy, unless the manager has one of its own.
    package func call(_ params: Params, over proxy: ApiProxy) -> APICall {
        guard assignedProxy == nil else { return call(params) }
        assignedProxy = proxy
        defer { assignedProxy = nil }
        return call(params)
    }

    /// Returns a call that is not sent, over the proxy of now.
    /// - Throws: Why it may not start.
    package func unsent(_ params: Params) throws(APIError) -> PendingCall {
        let proxy = proxy
        return PendingCall(try checkedCall(params, over: proxy), proxy: proxy, owner: self)
    }

    /// The same, whether or not it may start.
    package func unsent(_ params: Params, over proxy: ApiProxy) -> PendingCall {
        PendingCall(call(params, over: proxy), proxy: proxy, owner: self)
    }

    /// Shows an output that no call has brought.
    package func show(_ output: (any Sendable)?) { state.show(output) }

    /// Turns a value into params.
    /// - Parameters:
    ///   - value: A value that encodes to an object.
    ///   - encoder: The encoder; `nil` for the ``ServiceConfiguration/jsonEncoder`` of the manager's service.
    /// - Throws: ``InvalidRequestError`` where it does not encode to an object; what encoding throws.
    public func params(encoding value: some Encodable, encoder: JSONEncoder? = nil) throws -> Params {
        try Params(encoding: value, encoder: encoder ?? serviceEncoder ?? .standard)
    }

    private var serviceEncoder: JSONEncoder? {
        guard let child = self as? any APIManagerChild else { return nil }
        return (try? proxy.services.lookUp(child.serviceIdentifier))?.configuration.value.jsonEncoder
    }
}

/// Compares managers by identity.
extension BaseAPIManager: Hashable {
    nonisolated public static func == (left: BaseAPIManager, right: BaseAPIManager) -> Bool { left === right }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
