import Foundation

/// Why an exchange failed on the wire.
///
/// It keeps no error of the platform: those carry the whole URL, with whatever secret is in it.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, in terms that do not depend on the transport.
    public enum Kind: Sendable, Hashable {
        /// The device has no connection to any network.
        case notConnectedToInternet
        /// The name of the host, or of the proxy, has no address.
        case cannotFindHost
        /// The host does not accept a connection.
        case cannotConnect
        /// The connection ended before the response was complete.
        case connectionLost
        /// A time limit passed: to connect, without a byte, or in all.
        case timedOut
        /// The task was cancelled, or the reader of a stream let go of it.
        case cancelled
        /// The TLS handshake failed.
        case secureConnectionFailed
        /// The server's certificate is not one to trust: unknown authority, another host's, out of date.
        case serverCertificateUntrusted
        /// None of the pinned keys is the server's (RFC 7469).
        case publicKeyNotPinned
        /// The client's certificate or key cannot be read, or the server does not take it.
        case clientCertificateRejected
        /// The body to be sent cannot be read, or is not as long as was announced.
        case bodyUnavailable
        /// The response is malformed (RFC 9112), or not what the request asked for.
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
        /// None of the others.
        case unknown
    }

    /// What went wrong.
    public let kind: Kind
    /// One sentence for a developer, without secrets.
    public let message: String
    /// The platform's error code, where there is one, such as `NSURLErrorDomain`'s -1004.
    public let code: Int?

    /// An error of a transport.
    /// - Parameter message: One sentence without secrets; it reaches logs.
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

    /// The message, with the code where there is one.
    public var description: String { code.map { "\(message) (\($0))" } ?? message }
}

/// Why a request could not be built; becomes ``APIError/Kind/invalidRequest(reason:)``.
public struct InvalidRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, in one sentence, without any parameter's value.
    public let reason: String

    /// - Parameter reason: One sentence, without any parameter's value.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}

extension TransportError {
    /// A request that no transport sends.
    package init(_ error: InvalidRequest) { self.init(.unsupported, message: error.reason) }
}
