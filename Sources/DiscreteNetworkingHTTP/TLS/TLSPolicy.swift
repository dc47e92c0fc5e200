import Foundation

/// Whom a transport trusts, and who it says it is (RFC 8446, RFC 5280).
///
/// ```swift
/// var tls = TLSPolicy()
/// tls.pinnedPublicKeys = ["sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="]
/// ```
public struct TLSPolicy: Sendable, Hashable {
    /// The oldest version that is spoken. Default: TLS 1.2.
    public var minimumVersion = Version.tls12
    /// A PEM file with the only authorities to trust. Default: those of the system.
    public var certificateAuthorities: URL?
    /// `sha256//` and the base64 of the SHA-256 of a public key (RFC 7469 section 2.4). Where there are any,
    /// the server's certificate must have one of these keys.
    public var pinnedPublicKeys: [String] = []
    /// What the client shows to a server that asks for a certificate.
    public var clientCertificate: ClientCertificate?

    public init() {}

    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        case tls12
        case tls13
    }

    /// A certificate and its private key.
    public enum ClientCertificate: Sendable, Hashable {
        /// Both in one PKCS #12 file (RFC 7292).
        case pkcs12(URL, passphrase: String)
        /// In two PEM files (RFC 7468). Not on Apple platforms.
        case pem(certificate: URL, key: URL, passphrase: String? = nil)
    }
}

extension TLSPolicy: SecretBearing {
    /// What is asked for; never a passphrase.
    public var description: String {
        let authorities =
            certificateAuthorities.map { "those of \($0.lastPathComponent)" } ?? "those of the system"
        return
            "\(minimumVersion) or later, authorities: \(authorities), \(pinnedPublicKeys.count) pinned keys, "
            + (clientCertificate.map { "client certificate: \($0)" } ?? "no client certificate")
    }
}

extension TLSPolicy.ClientCertificate: SecretBearing {
    /// The name of the file; never a passphrase.
    public var description: String {
        switch self {
        case .pkcs12(let file, _): file.lastPathComponent
        case .pem(let certificate, _, _): certificate.lastPathComponent
        }
    }
}
