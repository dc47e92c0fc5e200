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

/// What a pinned key is compared by: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 section 2.4).
enum PublicKeyPin {
    /// The digest that a pin is written for, as in ``TLSPolicy/pinnedPublicKeys``; `nil` where it is no pin.
    static func digest(_ pin: String) -> Data? {
        let prefix = "sha256//"
        guard pin.hasPrefix(prefix), let digest = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            digest.count == 32
        else { return nil }
        return digest
    }
}

/// A public key as a certificate holds it (RFC 5280 section 4.1), in DER. Apple's Security framework gives
/// only the key inside.
enum SubjectPublicKeyInfo {
    /// An RSA key (RFC 3279 section 2.3.1).
    /// - Parameter key: modulus and exponent, as in RFC 8017 appendix A.1.1.
    static func rsa(_ key: Data) -> Data {
        sequence(
            sequence(objectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]) + null) + bits(key))
    }

    /// A key on one of the curves P-256, P-384 and P-521 (RFC 5480 section 2.1.1.1), which the length tells
    /// apart; `nil` where it is on another.
    /// - Parameter key: the point, uncompressed.
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

/// Certificates in a text file (RFC 7468).
enum PEM {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// The DER of every certificate, in order; what stands around them is left out. `nil` where one of them
    /// is broken.
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
