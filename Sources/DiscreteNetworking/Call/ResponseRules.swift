import Foundation

/// How the responses of one endpoint are treated where that differs from its service. What is `nil` is as the service
/// says.
///
/// ```swift
/// override var responseRules: ResponseRules { ResponseRules(envelope: .bare, statuses: [200, 404]) }
/// ```
public struct ResponseRules: Sendable {
    /// The wrapping around the payload, in place of ``Service/envelope(for:)``; ``Envelope/bare`` where there is none.
    public var envelope: Envelope?
    /// Decodes the payload, in place of ``Service/jsonDecoder(for:)``.
    public var decoder: JSONDecoder?
    /// The HTTP statuses that are a success, in place of ``Service/accepts(status:for:)``.
    public var statuses: Set<Int>?
    /// What to do about a redirect, in place of ``Service/redirectPolicy(for:)``.
    public var redirects: RedirectPolicy?

    public init(
        envelope: Envelope? = nil, decoder: JSONDecoder? = nil, statuses: Set<Int>? = nil,
        redirects: RedirectPolicy? = nil
    ) {
        self.envelope = envelope
        self.decoder = decoder
        self.statuses = statuses
        self.redirects = redirects
    }
}
