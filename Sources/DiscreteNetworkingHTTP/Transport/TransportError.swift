import Foundation

/// Why an exchange failed on the wire.
///
/// It keeps no error of the platform: those carry the whole URL, with whatever secret is in it.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, in terms that do not depend on the transport.
    public enum Kind: Sendable, Hashable {
        case notConnectedToInternet
        case cannotFindHost
        case cannotConnect
        case connectionLost
        case timedOut
        case cancelled
        case secureConnectionFailed
        /// The server's certificate is not one to trust: unknown authority, another host's, out of date.
        case serverCertificateUntrusted
        /// None of the pinned keys is the server's (RFC 7469).
        case publicKeyNotPinned
        /// The client's certificate or key cannot be read, or the server does not take it.
        case clientCertificateRejected
        /// The body to be sent cannot be read, or is not as long as was announced.
        case bodyUnavailable
        case badResponse
        /// The body has more bytes than were allowed in memory.
        case responseTooLarge(limit: Int)
        /// The redirect policy, or a rule that no policy can lift, forbids the redirect.
        case redirectRefused
        /// The redirect leads to plain HTTP; a call that meets it fails with
        /// ``APIError/Kind/invalidRequest(reason:)``.
        case plainHTTPRefused
        /// This transport cannot do what the request asks for.
        case unsupported
        case unknown
    }

    public let kind: Kind
    /// One sentence for a developer, without secrets.
    public let message: String
    /// The platform's error code, where there is one, such as `NSURLErrorDomain`'s -1004.
    public let code: Int?

    public init(_ kind: Kind, message: String, code: Int? = nil) {
        self.kind = kind
        self.message = message
        self.code = code
    }

    /// The error of a response with more bytes than are allowed in memory.
    package static func tooLarge(_ limit: Int) -> TransportError {
        TransportError(
            .responseTooLarge(limit: limit),
            message: "The response has more than \(limit) bytes; see Service.responseSizeLimit.")
    }

    /// The error of an exchange whose task was cancelled.
    package static let exchangeCancelled = TransportError(.cancelled, message: "The exchange was cancelled.")

    public var description: String { code.map { "\(message) (\($0))" } ?? message }
}
