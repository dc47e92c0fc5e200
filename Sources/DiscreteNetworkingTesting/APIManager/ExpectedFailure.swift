public import DiscreteNetworkingCore

/// An expected failure.
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

    /// Exactly this kind, including its texts.
    public static func kind(_ kind: APIError.Kind) -> ExpectedFailure {
        .init(name: "\(kind)") { $0 == kind }
    }

    /// A business code.
    /// - Parameters:
    ///   - code: The code.
    ///   - message: The message. Default: any.
    public static func business(code: JSONValue, message: String? = nil) -> ExpectedFailure {
        .init(name: "business(code: \(code)\(message.map { ", message: \"\($0)\"" } ?? ""))") {
            guard case .business(code, let actual) = $0 else { return false }
            return message == nil || message == actual
        }
    }

    /// An unaccepted status code.
    public static func http(status: Int) -> ExpectedFailure { .kind(.http(status: status)) }

    /// A transport failure.
    /// - Parameter kind: The kind. Default: any.
    public static func transport(_ kind: TransportError.Kind? = nil) -> ExpectedFailure {
        .init(name: "transport(\(kind.map { "\($0)" } ?? "any"))") {
            guard case .transport(let error) = $0 else { return false }
            return kind == nil || kind == error.kind
        }
    }

    /// A decoding failure.
    /// - Parameter path: The path from the top of the body: `"content.items.0.price"`. Default: any.
    public static func decoding(at path: String? = nil) -> ExpectedFailure {
        .init(name: "decoding(at: \(path ?? "any path"))") {
            guard case .decoding(let failure) = $0 else { return false }
            return path == nil || path == failure.path.joined(separator: ".")
        }
    }

    /// Params rejected by the validator.
    /// - Parameter reason: The reason. Default: any.
    public static func invalidParams(_ reason: String? = nil) -> ExpectedFailure {
        .init(name: "invalidParams(\(reason ?? "any reason"))") {
            guard case .invalidParams(let actual) = $0 else { return false }
            return reason == nil || reason == actual
        }
    }

    /// A response rejected by the validator.
    /// - Parameter reason: The reason. Default: any.
    public static func invalidResponse(_ reason: String? = nil) -> ExpectedFailure {
        .init(name: "invalidResponse(\(reason ?? "any reason"))") {
            guard case .invalidResponse(let actual) = $0 else { return false }
            return reason == nil || reason == actual
        }
    }

    /// A request that could not be built.
    public static let invalidRequest = ExpectedFailure(name: "invalidRequest") {
        if case .invalidRequest = $0 { true } else { false }
    }
    /// A degraded endpoint.
    public static let degraded = ExpectedFailure(name: "degraded") {
        if case .degraded = $0 { true } else { false }
    }
    /// A failed refresh.
    public static let refreshFailed = ExpectedFailure(name: "refreshFailed") {
        if case .refreshFailed = $0 { true } else { false }
    }
    /// A dependency cycle of services.
    public static let serviceCycle = ExpectedFailure(name: "serviceCycle") {
        if case .serviceCycle = $0 { true } else { false }
    }
    /// ``/DiscreteNetworking/APIError/Kind/invalidService(reason:)``.
    public static let invalidService = ExpectedFailure(name: "invalidService") {
        if case .invalidService = $0 { true } else { false }
    }
    /// Calls in hooks of one another without end.
    public static let nestedTooDeeply = ExpectedFailure(name: "nestedTooDeeply") {
        if case .nestedTooDeeply = $0 { true } else { false }
    }
    /// A call that was not over at its deadline.
    public static let deadlineExceeded = ExpectedFailure(name: "deadlineExceeded") {
        if case .deadlineExceeded = $0 { true } else { false }
    }
    /// A failed local file or stream.
    public static let transfer = ExpectedFailure(name: "transfer") {
        if case .transfer = $0 { true } else { false }
    }
    /// A vetoed call.
    public static let vetoed = kind(.vetoed)
    /// A missing network connection.
    public static let notReachable = kind(.notReachable)
    /// An expired timeout.
    public static let timedOut = kind(.timedOut)
    /// A canceled call.
    public static let cancelled = kind(.cancelled)
    /// A missing login.
    public static let loginRequired = kind(.loginRequired)
    /// A canceled login.
    public static let loginCancelled = kind(.loginCancelled)
    /// A swallowed failure or a withheld outcome.
    public static let swallowed = kind(.swallowed)
    /// An unregistered service.
    public static let serviceNotRegistered = kind(.serviceNotRegistered)
    /// Any failure.
    public static let any = ExpectedFailure(name: "any failure") { _ in true }
}
