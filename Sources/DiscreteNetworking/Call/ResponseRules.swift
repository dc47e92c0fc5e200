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
    /// The decoder of the payload, instead of ``ServiceConfiguration/jsonDecoder``.
    public var decoder: JSONDecoder?
    /// Creates the decoder of the payload if it is not JSON, also in an envelope. It takes precedence over ``decoder`` and
    /// ``ServiceConfiguration/decoders``, regardless of the `Content-Type`.
    public var payloadDecoder: (@Sendable () -> any PayloadDecoder)?
    /// The status codes that mean success, instead of ``Service/accepts(status:for:)``.
    public var statuses: Set<Int>?
    /// The redirect policy, instead of ``Service/redirectPolicy(for:)``.
    public var redirects: RedirectPolicy?

    /// Creates rules. The service's rule is used for `nil`.
    public init(
        envelope: Envelope? = nil, decoder: JSONDecoder? = nil,
        payloadDecoder: (@Sendable () -> any PayloadDecoder)? = nil, statuses: Set<Int>? = nil,
        redirects: RedirectPolicy? = nil
    ) {
        self.envelope = envelope
        self.decoder = decoder
        self.payloadDecoder = payloadDecoder
        self.statuses = statuses
        self.redirects = redirects
    }
}
