public import Foundation

/// The response handling of one endpoint, where it differs from its service. A property that is `nil` uses the
/// service's rule.
///
/// ```swift
/// override var responseRules: ResponseRules {
///     ResponseRules(envelope: .bare, statuses: [200, 404])
/// }
/// ```
public struct ResponseRules: Sendable {
    /// The envelope, instead of ``Service/envelope(for:)``; ``Envelope/bare`` for no envelope.
    public var envelope: Envelope?
    /// The decoder of JSON, instead of ``ServiceConfiguration/jsonDecoder``.
    public var jsonDecoder: JSONDecoder?
    /// The decoders of payloads that are not JSON, by media type, before ``ServiceConfiguration/decoders``. `"*/*"`
    /// decodes every payload, also in an envelope.
    public var decoders: [String: @Sendable () -> any PayloadDecoder]
    /// The status codes that mean success, instead of ``Service/accepts(status:for:)``.
    public var statuses: Set<Int>?
    /// The redirect policy, instead of ``Service/redirectPolicy(for:)``.
    public var redirects: RedirectPolicy?

    /// Creates rules. The service's rule is used for `nil`.
    public init(
        envelope: Envelope? = nil, jsonDecoder: JSONDecoder? = nil,
        decoders: [String: @Sendable () -> any PayloadDecoder] = [:], statuses: Set<Int>? = nil,
        redirects: RedirectPolicy? = nil
    ) {
        self.envelope = envelope
        self.jsonDecoder = jsonDecoder
        self.decoders = decoders
        self.statuses = statuses
        self.redirects = redirects
    }
}
