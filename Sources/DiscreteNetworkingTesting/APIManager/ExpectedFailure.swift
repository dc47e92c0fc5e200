import DiscreteNetworking

/// How a call has to fail.
///
/// ```swift
/// await assertFails(manager, .business(code: 1001))
/// await assertFails(manager, .http(status: 404))
/// await assertFails(manager, .decoding(at: "content.price"))
/// await assertFails(manager, .kind(.business(code: 1001, message: "商品不存在")))
/// ```
public struct ExpectedFailure: Sendable {
    let name: String
    let accepts: @Sendable (APIError.Kind) -> Bool

    /// Exactly this, texts and all.
    public static func kind(_ kind: APIError.Kind) -> ExpectedFailure {
        .init(name: "\(kind)") { $0 == kind }
    }

    /// The service's envelope has this code.
    /// - Parameter message: default: any.
    public static func business(code: JSONValue, message: String? = nil) -> ExpectedFailure {
        .init(name: "business(code: \(code)\(message.map { ", message: \"\($0)\"" } ?? ""))") {
            guard case .business(code, let actual) = $0 else { return false }
            return message == nil || message == actual
        }
    }

    /// The service does not accept this status.
    public static func http(status: Int) -> ExpectedFailure { .kind(.http(status: status)) }

    @available(*, deprecated, renamed: "http(status:)")
    public static func http(_ status: Int) -> ExpectedFailure { .http(status: status) }

    /// The exchange fails on the wire.
    /// - Parameter kind: default: any.
    public static func transport(_ kind: TransportError.Kind? = nil) -> ExpectedFailure {
        .init(name: "transport(\(kind.map { "\($0)" } ?? "any"))") {
            guard case .transport(let error) = $0 else { return false }
            return kind == nil || kind == error.kind
        }
    }

    /// The payload is not what the output says.
    /// - Parameter path: from the top of the body: `"content.items.0.price"`; default: any.
    public static func decoding(at path: String? = nil) -> ExpectedFailure {
        .init(name: "decoding(at: \(path ?? "any path"))") {
            guard case .decoding(let failure) = $0 else { return false }
            return path == nil || path == failure.path.joined(separator: ".")
        }
    }

    /// The validator refused the params.
    /// - Parameter reason: default: any.
    public static func invalidParams(_ reason: String? = nil) -> ExpectedFailure {
        .init(name: "invalidParams(\(reason ?? "any reason"))") {
            guard case .invalidParams(let actual) = $0 else { return false }
            return reason == nil || reason == actual
        }
    }

    /// The validator refused the response.
    /// - Parameter reason: default: any.
    public static func invalidResponse(_ reason: String? = nil) -> ExpectedFailure {
        .init(name: "invalidResponse(\(reason ?? "any reason"))") {
            guard case .invalidResponse(let actual) = $0 else { return false }
            return reason == nil || reason == actual
        }
    }

    /// The request could not be built.
    public static let invalidRequest = ExpectedFailure(name: "invalidRequest") {
        if case .invalidRequest = $0 { true } else { false }
    }
    /// The endpoint is not called for a while.
    public static let degraded = ExpectedFailure(name: "degraded") {
        if case .degraded = $0 { true } else { false }
    }
    /// There are no new tokens.
    public static let refreshFailed = ExpectedFailure(name: "refreshFailed") {
        if case .refreshFailed = $0 { true } else { false }
    }
    /// The services ask for each other in their `init`.
    public static let serviceCycle = ExpectedFailure(name: "serviceCycle") {
        if case .serviceCycle = $0 { true } else { false }
    }
    /// A file or stream failed on this side.
    public static let transfer = ExpectedFailure(name: "transfer") {
        if case .transfer = $0 { true } else { false }
    }
    /// An interceptor did not let the call go out.
    public static let vetoed = kind(.vetoed)
    /// There is no network.
    public static let notReachable = kind(.notReachable)
    /// The answer did not come in time.
    public static let timedOut = kind(.timedOut)
    /// The call was cancelled.
    public static let cancelled = kind(.cancelled)
    /// Nobody has logged in.
    public static let loginRequired = kind(.loginRequired)
    /// The user did not want to log in.
    public static let loginCancelled = kind(.loginCancelled)
    /// The service swallowed the failure, or an interceptor held the result back.
    public static let intercepted = kind(.intercepted)
    /// No service is registered under the manager's identifier.
    public static let serviceNotRegistered = kind(.serviceNotRegistered)
    /// Whatever went wrong.
    public static let any = ExpectedFailure(name: "any failure") { _ in true }
}
