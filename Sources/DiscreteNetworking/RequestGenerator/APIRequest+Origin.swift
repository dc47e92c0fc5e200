extension APIRequest {
    /// Whose request it is, for a transport that goes by it; `nil` where no manager made it.
    public internal(set) var origin: Origin? {
        get { context as? Origin }
        set { context = newValue }
    }

    /// The call that a request belongs to: what a transport needs to treat endpoints differently, to count them or
    /// to answer for them in a test.
    ///
    /// ```swift
    /// func send(_ request: APIRequest) async throws -> TransportResponse {
    ///     if request.origin?.managerType == ProductManager.self { … }
    /// ```
    /// Identical GETs that share an exchange go out with the origin of the first. A redirect keeps it.
    public struct Origin: Sendable {
        /// The number that `loadData` returned.
        public let requestID: RequestID
        /// The service that the manager belongs to.
        public let serviceIdentifier: ServiceIdentifier
        /// The manager's method name, as written.
        public let methodName: String
        /// The manager's class.
        public let managerType: ManagerType
        /// 1 for the first attempt.
        public let attempt: Int
        /// The manager's tag.
        public let tag: RequestTag?

        init(_ call: APICall) {
            requestID = call.requestID
            serviceIdentifier = call.serviceIdentifier
            methodName = call.methodName
            managerType = call.managerType
            attempt = call.attempt
            tag = call.tag
        }
    }
}

extension APIRequest.Origin: SecretBearing {
    /// Service, method name as written, number and attempt; never a param.
    public var description: String { "\(serviceIdentifier)/\(methodName) \(requestID), attempt \(attempt)" }
}
