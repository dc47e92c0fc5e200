import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// On Linux, `URLSession` does not support a TLS policy.
    struct URLSessionTrust: Sendable {
        init(_ policy: TLSPolicy, _ configuration: URLSessionConfiguration) throws(TransportError) {
            guard policy != TLSPolicy() else { return }
            throw TransportError(
                .unsupported, message: "URLSession on Linux does not support a TLSPolicy; use CurlTransport.")
        }
    }
#else
    import CryptoKit
    import Security

    /// Applies a TLS policy to the challenges of a `URLSession`.
    ///
    /// `@unchecked Sendable`: certificates and credentials of the Security framework are immutable but not
    /// declared `Sendable`.
    struct URLSessionTrust: @unchecked Sendable {
        /// The only trusted authorities; `nil` for the system's.
        private let authorities: [SecCertificate]?
        /// The digests of the pinned keys; empty to accept any key.
        private let pins: Set<Data>
        /// The client identity.
        let clientCredential: URLCredential?

        /// Reads the files of a policy and sets the configuration's minimum version.
        init(_ policy: TLSPolicy, _ configuration: URLSessionConfiguration) throws(TransportError) {
            authorities =
                if let file = policy.certificateAuthorities { try Self.authorities(in: file) } else { nil }
            pins = try Self.digests(policy.pinnedPublicKeys)
            clientCredential =
                if let certificate = policy.clientCertificate { try Self.credential(certificate) } else {
                    nil
                }
            let minimum: tls_protocol_version_t =
                switch policy.minimumVersion {
                case .tls12: .TLSv12
                case .tls13: .TLSv13
                }
            if configuration.tlsMinimumSupportedProtocolVersion.rawValue < minimum.rawValue {
                configuration.tlsMinimumSupportedProtocolVersion = minimum
            }
        }

        // MARK: Server trust

        /// Whether the policy evaluates servers; if not, the system does.
        var judgesServers: Bool { authorities != nil || !pins.isEmpty }

        func check(_ trust: SecTrust) throws(TransportError) {
            if let authorities {
                guard SecTrustSetAnchorCertificates(trust, authorities as CFArray) == errSecSuccess,
                    SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
                else { throw Self.untrusted(nil) }
            }
            var error: CFError?
            guard SecTrustEvaluateWithError(trust, &error) else { throw Self.untrusted(error) }
            guard !pins.isEmpty else { return }
            guard let key = SecTrustCopyKey(trust), let info = Self.publicKeyInfo(key) else {
                throw TransportError(
                    .publicKeyNotPinned,
                    message:
                        "The type of the server's key cannot be pinned; use RSA, or EC on P-256, P-384 or P-521."
                )
            }
            guard pins.contains(Data(SHA256.hash(data: info))) else {
                throw TransportError(
                    .publicKeyNotPinned, message: "The server's public key does not match a pin.")
            }
        }

        private static func untrusted(_ error: CFError?) -> TransportError {
            // The error's text is omitted: it names the host and the certificate's owner.
            TransportError(
                .serverCertificateUntrusted,
                message:
                    "The server's certificate is not trusted: unknown authority, wrong host, or expired.",
                code: error.map { CFErrorGetCode($0) })
        }

        private static func publicKeyInfo(_ key: SecKey) -> Data? {
            guard let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?,
                let attributes = SecKeyCopyAttributes(key) as? [String: Any],
                let type = attributes[kSecAttrKeyType as String] as? String
            else { return nil }
            if type == kSecAttrKeyTypeRSA as String { return SubjectPublicKeyInfo.rsa(bytes) }
            if type == kSecAttrKeyTypeECSECPrimeRandom as String {
                return SubjectPublicKeyInfo.ellipticCurve(bytes)
            }
            return nil
        }

        // MARK: Reading the policy

        private static func authorities(in file: URL) throws(TransportError) -> [SecCertificate] {
            guard let text = try? String(contentsOf: file, encoding: .utf8),
                let certificates = PEM.certificates(in: text), !certificates.isEmpty
            else {
                throw TransportError(
                    .serverCertificateUntrusted,
                    message:
                        "The file \(file.lastPathComponent) of TLSPolicy.certificateAuthorities is unreadable or contains no PEM certificates."
                )
            }
            let authorities = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard authorities.count == certificates.count else {
                throw TransportError(
                    .serverCertificateUntrusted,
                    message:
                        "The file \(file.lastPathComponent) of TLSPolicy.certificateAuthorities contains an invalid certificate."
                )
            }
            return authorities
        }

        private static func digests(_ pins: [String]) throws(TransportError) -> Set<Data> {
            let digests = pins.compactMap(PublicKeyPin.digest)
            guard digests.count == pins.count else {
                throw TransportError(
                    .publicKeyNotPinned,
                    message:
                        "TLSPolicy.pinnedPublicKeys contains an invalid pin; use \"sha256//\" and the Base64 encoding of 32 bytes."
                )
            }
            return Set(digests)
        }

        private static func credential(
            _ certificate: TLSPolicy.ClientCertificate
        ) throws(TransportError) -> URLCredential {
            guard case .pkcs12(let file, let passphrase) = certificate else {
                throw TransportError(
                    .unsupported,
                    message:
                        "URLSession supports client certificates in PKCS #12 files only; create one with \"openssl pkcs12 -export\"."
                )
            }
            var options: [String: Any] = [kSecImportExportPassphrase as String: passphrase]
            #if os(macOS)
                // On other platforms no keychain is involved; before macOS 15 it cannot be avoided.
                if #available(macOS 15, *) { options[kSecImportToMemoryOnly as String] = true }
            #endif
            var items: CFArray?
            guard let data = try? Data(contentsOf: file),
                SecPKCS12Import(data as CFData, options as CFDictionary, &items) == errSecSuccess,
                let item = (items as? [[String: Any]])?.first,
                let identity = item[kSecImportItemIdentity as String],
                CFGetTypeID(identity as CFTypeRef) == SecIdentityGetTypeID()
            else {
                throw TransportError(
                    .clientCertificateRejected,
                    message:
                        "The client certificate \(file.lastPathComponent) is unreadable, has another passphrase, contains no private key, or uses an encryption of OpenSSL 3 that Apple's importer does not support; export it with \"openssl pkcs12 -export -legacy\"."
                )
            }
            // The first certificate of the chain is the identity's own.
            let chain = item[kSecImportItemCertChain as String] as? [Any] ?? []
            return URLCredential(
                // The type was checked above; a conditional cast to a Core Foundation type never fails.
                identity: identity as! SecIdentity, certificates: Array(chain.dropFirst()),
                persistence: .forSession)
        }
    }
#endif

#if !canImport(FoundationNetworking)
    extension URLAuthenticationChallenge {
        /// Returns how to answer a challenge: with the policy or the credential, otherwise with the default
        /// handling. Proxy challenges always use the default handling.
        /// - Parameters:
        ///   - trust: The TLS policy.
        ///   - credential: The credential of the request. If the server rejects it, the 401 is the
        ///     response.
        ///   - refuse: Receives the error if the policy rejects the server.
        func answer(
            _ trust: URLSessionTrust?, _ credential: HTTPCredential?, refuse: (TransportError) -> Void
        ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard !protectionSpace.isProxy() else { return (.performDefaultHandling, nil) }
            switch protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust:
                guard let trust, trust.judgesServers else { break }
                do throws(TransportError) {
                    guard let server = protectionSpace.serverTrust else {
                        throw TransportError(
                            .serverCertificateUntrusted, message: "The server sent no certificate.")
                    }
                    try trust.check(server)
                    return (.useCredential, URLCredential(trust: server))
                } catch {
                    refuse(error)
                    return (.cancelAuthenticationChallenge, nil)
                }
            case NSURLAuthenticationMethodClientCertificate:
                if let identity = trust?.clientCredential { return (.useCredential, identity) }
            case NSURLAuthenticationMethodHTTPDigest:
                if case .digest(let user, let password)? = credential, previousFailureCount == 0 {
                    return (
                        .useCredential, URLCredential(user: user, password: password, persistence: .none)
                    )
                }
            default: break
            }
            return (.performDefaultHandling, nil)
        }
    }
#endif
