import Foundation

extension APICall {
    /// The proxy that dispatches the call, for the calls that a hook makes.
    ///
    /// ```swift
    /// func adapt(_ request: inout APIRequest, for call: APICall) async throws {
    ///     guard call.managerType != NonceManager.self else { return }
    ///     // Over call.proxy.
    ///     request.headers["X-Nonce"] = try await NonceManager().load().value
    /// }
    /// ```
    ///
    /// In hooks, a manager without a ``BaseAPIManager/proxy`` of its own uses the proxy of the call. Hooks are the methods of
    /// ``Service``, ``RequestSigner``, ``BodyTransform``, ``APIPlugin``, ``APICallObserver``, ``SessionLogin`` and
    /// ``Transport``, the closures of a ``TokenSession`` and a ``CSRFProtection``, and the tasks that they start. Assign the
    /// proxy to a manager where a hook leaves its task: in `Task.detached` and in callbacks of other libraries.
    ///
    /// A call does not retain its proxy. If the proxy was released, this is one without services.
    public var proxy: ApiProxy { .of(dispatcher) }
}

extension ApiProxy: CallDispatcher {
    /// The proxy that dispatches a call: the only dispatcher. `nil` is one that was released.
    static func of(_ dispatcher: (any CallDispatcher)?) -> ApiProxy { dispatcher as? ApiProxy ?? released }

    /// In place of a proxy that was released: its calls end with ``APIError/Kind/serviceNotRegistered``, and reach no server.
    fileprivate static let released = ApiProxy(transport: NoTransport(), services: ServiceFactory())

    private struct NoTransport: Transport {
        func send(_ request: APIRequest) async throws -> TransportResponse {
            throw TransportError(.unsupported, message: "The proxy of the call was released.")
        }
        func needsNetwork(for url: URL) -> Bool { false }
    }
}
