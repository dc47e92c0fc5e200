/// An endpoint, or all endpoints of a service.
struct EndpointPlace: Hashable, Sendable {
    let service: ServiceIdentifier
    /// The name of the service's environment; `nil` for a service without one, or for all.
    var environment: String?
    /// `nil` for all.
    var methodName: String?
}
