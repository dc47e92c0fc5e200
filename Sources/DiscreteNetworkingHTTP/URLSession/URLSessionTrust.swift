import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// On Linux `URLSession` has no way to heed a policy.
    struct URLSessionTrust: Sendable {
        init(_ policy: TLSPolicy, _ configuration: URLSessionConfiguration) throws(TransportError) {
            guard policy != TLSPolicy() else { return }
            throw TransportError(
                .unsupported, message: "URLSession on Linux cannot heed a TLSPolicy; use CurlTransport.")
        }
    }
#else
    import CryptoKit
    import Security

    /// A policy as the challenges of a `URLSession` are answered by it.
    ///
    /// `@unchecked Sendable`: certificates and credentials of the Security framework are immutable, which the
    /// compiler is not told.
    struct URLSessionTrust: @unchecked Sendable {
        /// The only ones to trust; `nil` for those of the system.
        private let authorities: [SecCertificate]?
        /// The digests of the keys of which the server must have one; none for any key.
        private let pins: Set<Data>
        /// What is shown to a server that asks who we are.
        let clientCredential: URLCredential?

        /// Reads the files of a policy, and sets what the configuration can heed.
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

        // MARK: The server

        /// Whether the policy has a say about servers; the system decides alone where it has not.
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
                        "The server's key is of a kind that cannot be pinned; use RSA, or EC on P-256, P-384 or P-521."
                )
            }
            guard pins.contains(Data(SHA256.hash(data: info))) else {
                throw TransportError(
                    .publicKeyNotPinned, message: "The server's public key is none of the pinned ones.")
            }
        }

        private static func untrusted(_ error: CFError?) -> TransportError {
            // Its text is not shown: it names the host, and the certificate's owner.
            TransportError(
                .serverCertificateUntrusted,
                message:
                    "The server's certificate is not to be trusted: unknown authority, another host's, or out of date.",
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

        // MARK: Reading a policy

        private static func authorities(in file: URL) throws(TransportError) -> [SecCertificate] {
            guard let text = try? String(contentsOf: file, encoding: .utf8),
                let certificates = PEM.certificates(in: text), !certificates.isEmpty
            else {
                throw TransportError(
                    .serverCertificateUntrusted,
                    message:
                        "The file \(file.lastPathComponent) of TLSPolicy.certificateAuthorities cannot be read, or holds no certificates in PEM."
                )
            }
            let authorities = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard authorities.count == certificates.count else {
                throw TransportError(
                    .serverCertificateUntrusted,
                    message:
                        "The file \(file.lastPathComponent) of TLSPolicy.certificateAuthorities holds something that is no certificate."
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
                        "TLSPolicy.pinnedPublicKeys has one that is not \"sha256//\" and the base64 of 32 bytes."
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
                        "URLSession takes a client certificate from PKCS #12 only; make such a file with \"openssl pkcs12 -export\"."
                )
            }
            var options: [String: Any] = [kSecImportExportPassphrase as String: passphrase]
            #if os(macOS)
                // StoreChange no keychain is touched anyway; before macOS 15 there is no way to avoid it.
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
                        "The client certificate \(file.lastPathComponent) cannot be read, its passphrase is another, it holds no private key, or OpenSSL 3 encrypted it in a way that Apple's importer does not know; export it with \"openssl pkcs12 -export -legacy\"."
                )
            }
            // The first of the chain is the certificate of the identity itself.
            let chain = item[kSecImportItemCertChain as String] as? [Any] ?? []
            return URLCredential(
                // Its type was looked at above; a conditional cast to a Core Foundation type never fails.
                identity: identity as! SecIdentity, certificates: Array(chain.dropFirst()),
                persistence: .forSession)
        }
    }
#endif

#if !canImport(FoundationNetworking)
    extension URLAuthenticationChallenge {
        /// How a challenge is met: what a policy or a credential is for with that, all else as the system
        /// does. Proxies have certificates and passwords of their own.
        /// - Parameters:
        ///   - credential: That of the request. Where the server does not take it the 401 is the response.
        ///   - refuse: Told why, where the server is not the one that the policy asks for.
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
                            .serverCertificateUntrusted, message: "The server shows no certificate.")
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
