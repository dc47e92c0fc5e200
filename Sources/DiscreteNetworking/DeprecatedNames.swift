// Names of version 0.1, until the next version. The old members of ``Service`` are in ``MovedServiceMembers``.

/// The name of ``FailureContext`` in version 0.1. It is not deprecated: services name it in `intercept(_:)`.
public typealias APIFailure = FailureContext

/// The name of ``CircuitBreakerPolicy`` in version 0.1.
@available(*, deprecated, renamed: "CircuitBreakerPolicy")
public typealias BreakerPolicy = CircuitBreakerPolicy
/// The name of ``ParamLocation`` in version 0.1.
@available(*, deprecated, renamed: "ParamLocation")
public typealias ParamPlace = ParamLocation
/// The name of ``ParamValueConvertible`` in version 0.1.
@available(*, deprecated, renamed: "ParamValueConvertible")
public typealias ParamConvertible = ParamValueConvertible
/// The name of ``SignatureLocation`` in version 0.1.
@available(*, deprecated, renamed: "SignatureLocation")
public typealias SignaturePlace = SignatureLocation

extension SessionProblem {
    /// The name of ``invalid`` in version 0.1.
    @available(*, deprecated, renamed: "invalid")
    public static var illegal: Self { .invalid }
}

/// The old names of members that a manager may override. Reading them as requirements gives no warning.
@MainActor
protocol RenamedManagerMembers {
    var cache: CachePolicy { get }
    var retry: RetryPolicy? { get }
}

extension BaseAPIManager: RenamedManagerMembers {
    /// The manager, for its members with old names.
    var renamed: any RenamedManagerMembers { self }
}
