public import Foundation

/// TLS trust and client identity (RFC 8446, RFC 5280).
///
/// ```swift
/// let tls = TLSPolicy(pinnedPublicKeys: [
///     "sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="
/// ])
/// ```
public struct TLSPolicy: Sendable, Hashable {
    /// The minimum protocol version. Default: TLS 1.2.
    public var minimumVersion: Version
    /// A PEM file with the only trusted certificate authorities. Default: `nil`; the system's.
    public var certificateAuthorities: URL?
    /// Public key pins: `sha256//` and the Base64 encoding of the SHA-256 digest of a public key (RFC 7469
    /// section 2.4). If not empty, the server's certificate must have one of these keys. Default: none.
    public var pinnedPublicKeys: [String]
    /// The client certificate for servers that request one. Default: `nil`.
    public var clientCertificate: ClientCertificate?

    /// Creates a policy; see the properties for each value.
    public init(
        minimumVersion: Version = .tls12, certificateAuthorities: URL? = nil, pinnedPublicKeys: [String] = [],
        clientCertificate: ClientCertificate? = nil
    ) {
        self.minimumVersion = minimumVersion
        self.certificateAuthorities = certificateAuthorities
        self.pinnedPublicKeys = pinnedPublicKeys
        self.clientCertificate = clientCertificate
    }

    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// A client certificate with its private key.
    public enum ClientCertificate: Sendable, Hashable {
        /// A PKCS #12 file (RFC 7292).
        case pkcs12(URL, passphrase: String)
        /// Two PEM files (RFC 7468). Not supported on Apple platforms.
        case pem(certificate: URL, key: URL, passphrase: String? = nil)
    }
}

extension TLSPolicy: SecretBearing {
    /// The requirements of the policy; never a passphrase.
    public var description: String {
        let authorities = certificateAuthorities?.lastPathComponent ?? "the system's"
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

/// Public key pins: SHA-256 digests of a SubjectPublicKeyInfo (RFC 7469 section 2.4).
enum PublicKeyPin {
    /// Returns the digest of a pin in the format of ``TLSPolicy/pinnedPublicKeys``; `nil` if it is invalid.
    static func digest(_ pin: String) -> Data? {
        let prefix = "sha256//"
        guard pin.hasPrefix(prefix), let digest = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            digest.count == 32
        else { return nil }
        return digest
    }
}

/// Encodes a SubjectPublicKeyInfo (RFC 5280 section 4.1) in DER. Apple's Security framework provides only
/// the raw key.
enum SubjectPublicKeyInfo {
    /// Encodes an RSA key (RFC 3279 section 2.3.1).
    /// - Parameter key: The modulus and exponent (RFC 8017 appendix A.1.1).
    static func rsa(_ key: Data) -> Data {
        sequence(
            sequence(objectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]) + null) + bits(key))
    }

    /// Encodes a key on the curve P-256, P-384 or P-521 (RFC 5480 section 2.1.1.1), determined by its
    /// length; returns `nil` for other curves.
    /// - Parameter key: The uncompressed point.
    static func ellipticCurve(_ key: Data) -> Data? {
        let curve: [UInt8]
        switch key.count {
        case 65: curve = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
        case 97: curve = [0x2B, 0x81, 0x04, 0x00, 0x22]
        case 133: curve = [0x2B, 0x81, 0x04, 0x00, 0x23]
        default: return nil
        }
        let algorithm = objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]) + objectIdentifier(curve)
        return sequence(sequence(algorithm) + bits(key))
    }

    // MARK: DER (X.690)

    private static let null = Data([0x05, 0x00])

    private static func sequence(_ content: Data) -> Data { element(0x30, content) }

    private static func objectIdentifier(_ bytes: [UInt8]) -> Data { element(0x06, Data(bytes)) }

    private static func bits(_ content: Data) -> Data { element(0x03, [0] + content) }

    private static func element(_ tag: UInt8, _ content: Data) -> Data {
        Data([tag]) + length(content.count) + content
    }

    private static func length(_ count: Int) -> Data {
        guard count >= 0x80 else { return Data([UInt8(count)]) }
        let bytes = withUnsafeBytes(of: count.bigEndian) { Data($0.drop { $0 == 0 }) }
        return Data([0x80 | UInt8(bytes.count)]) + bytes
    }
}

/// Certificates in PEM files (RFC 7468).
enum PEM {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Returns the DER data of all certificates, in order; `nil` if one of them is malformed. Text around
    /// them is ignored.
    static func certificates(in text: String) -> [Data]? {
        var certificates: [Data] = []
        for block in text.components(separatedBy: begin).dropFirst() {
            guard let length = block.range(of: end)?.lowerBound,
                let der = Data(
                    base64Encoded: block[..<length].filter { !$0.isWhitespace && !$0.isNewline }),
                !der.isEmpty
            else { return nil }
            certificates.append(der)
        }
        return certificates
    }
}
