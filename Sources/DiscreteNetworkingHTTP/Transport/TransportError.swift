import Foundation

/// The error of a failed exchange.
///
/// It does not contain the platform's error, which would include the URL and any secret in it.
///
/// ```swift
/// func explain(_ error: TransportError) {
///     switch error.kind {
///     case .serverCertificateUntrusted: print("Is there a proxy?")
///     case .cannotFindHost, .cannotConnect: print("Is the server up?")
///     default: print(error.message)
///     }
/// }
/// ```
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The category of a transport error, independent of the transport.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public enum Kind: Sendable, Hashable {
        /// The device is not connected to a network.
        case notConnectedToInternet
        /// The name of the host or proxy could not be resolved.
        case cannotFindHost
        /// The connection to the host was refused or failed.
        case cannotConnect
        /// The connection was lost before the response was complete.
        case connectionLost
        /// A connection, idle or total timeout expired.
        case timedOut
        /// The task was canceled, or the reader released the stream.
        case cancelled
        /// The TLS handshake failed.
        case secureConnectionFailed
        /// The server's certificate is not trusted: unknown authority, wrong host, or expired.
        case serverCertificateUntrusted
        /// The server's public key does not match a pin (RFC 7469).
        case publicKeyNotPinned
        /// The client certificate cannot be read, or the server rejected it.
        case clientCertificateRejected
        /// The request body cannot be read or does not have its declared length.
        case bodyUnavailable
        /// The response is malformed (RFC 9112) or does not match the request.
        case badResponse
        /// The body exceeds the limit in memory, in bytes.
        case responseTooLarge(limit: Int)
        /// The redirect is not allowed.
        case redirectRefused
        /// The redirect leads to cleartext HTTP; the call fails with
        /// ``APIError/Kind/invalidRequest(reason:)``.
        case plainHTTPRefused
        /// The transport does not support the request.
        case unsupported
        /// Another error.
        case unknown
    }

    /// The category of the error.
    public let kind: Kind
    /// What happened and what to do about it, for developers, without secrets.
    public let message: String
    /// The platform's error code, such as -1004 of `NSURLErrorDomain`; `nil` if there is none.
    public let code: Int?
    /// Whether a redirect came before the failure, so that a server has received the request.
    package var isAfterRedirect = false

    /// Creates an error.
    /// - Parameter message: One sentence without secrets; it is logged.
    public init(_ kind: Kind, message: String, code: Int? = nil) {
        self.kind = kind
        self.message = message
        self.code = code
    }

    /// Returns the error of a response that exceeds the limit in memory.
    package static func tooLarge(_ limit: Int) -> TransportError {
        TransportError(
            .responseTooLarge(limit: limit),
            message: "The response has more than \(limit) bytes; see ServiceConfiguration.responseSizeLimit.")
    }

    /// The error of a canceled exchange.
    package static let exchangeCancelled = TransportError(.cancelled, message: "The exchange was canceled.")

    /// The error of an exchange if the connection ends before the response is complete.
    package static let interrupted = TransportError(
        .connectionLost, message: "The connection was lost before the response was complete.")

    /// The error of an exchange after its request was sent. A connection that is refused then is a second one, after
    /// the first was closed, and the server may have received the request.
    package var afterSending: TransportError {
        switch kind {
        case .cannotConnect, .cannotFindHost:
            TransportError(
                .connectionLost, message: "The connection was lost before the response was complete.",
                code: code)
        default: self
        }
    }

    /// The message and the code.
    public var description: String { code.map { "\(message) (\($0))" } ?? message }
}

/// Why a request could not be built; becomes ``APIError/Kind/invalidRequest(reason:)``.
public struct InvalidRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, in one sentence, without any parameter's value.
    public let reason: String

    /// Creates an error.
    /// - Parameter reason: One sentence, without any parameter's value.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}

extension TransportError {
    /// A request that no transport sends.
    package init(_ error: InvalidRequestError) { self.init(.unsupported, message: error.reason) }
}
