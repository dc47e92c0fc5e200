/// Why a request could not be built; becomes ``APIError/Kind/invalidRequest(reason:)``.
public struct InvalidRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, in one sentence, without any parameter's value.
    public let reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
