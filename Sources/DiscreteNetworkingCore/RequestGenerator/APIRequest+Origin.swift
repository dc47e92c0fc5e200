public import Foundation

extension APIRequest {
    /// The call that the request belongs to; `nil` if it was not made by a manager.
    public internal(set) var origin: Origin? {
        get { notes.origin as? Origin }
        set { notes.origin = newValue }
    }

    /// The call that a request belongs to, for transports that treat endpoints differently, measure them or
    /// stub them in tests.
    ///
    /// ```swift
    /// struct ProductTransport: Transport {
    ///     let products, others: any Transport
    ///
    ///     func send(_ request: APIRequest) async throws -> TransportResponse {
    ///         let isProduct = request.origin?.managerType == ProductManager.self
    ///         return try await (isProduct ? products : others).send(request)
    ///     }
    /// }
    /// ```
    ///
    /// Coalesced GET requests are sent with the origin of the first one. A redirect keeps the origin.
    public struct Origin: Sendable {
        /// The request ID that `loadData` returned.
        public let requestID: RequestID
        /// The identifier of the manager's service.
        public let serviceIdentifier: ServiceIdentifier
        /// The manager's method name, with unfilled placeholders.
        public let methodName: String
        /// The manager's class.
        public let managerType: ManagerType
        /// The number of the attempt, starting with 1.
        public let attempt: Int
        /// When the request was built. For how long each phase of its exchange took, see ``TransportMetrics``.
        public let date = Date()
        /// The manager's tag.
        public let tag: RequestTag?
    }
}

extension APIRequest.Origin: SecretBearing {
    /// The service, method name, request ID and attempt; never a param.
    public var description: String {
        "\(serviceIdentifier)/\(Redaction.standard.redacted(text: methodName)) \(requestID), attempt \(attempt)"
    }
}
