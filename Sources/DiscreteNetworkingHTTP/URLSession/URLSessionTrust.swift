import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// On Linux, `URLSession` does not support a TLS policy.
    struct URLSessionTrust: Sendable {
        init(
            _ policy: TLSPolicy, _ configuration: URLSessionConfiguration, _ debuggingProxy: DebuggingProxy?
        ) throws(TransportError) {
            // Why it is refused everywhere comes first.
            _ = try debuggingProxy?.url()
            _ = try debuggingProxy?.authority()
            guard policy != TLSPolicy() || debuggingProxy != nil else { return }
            let name = debuggingProxy == nil ? "TLSPolicy" : "DebuggingProxy"
            throw TransportError(
                .unsupported, message: "URLSession on Linux does not support a \(name); use CurlTransport.")
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
        /// The authorities of a debugging proxy, which are trusted in addition.
        private let addedAuthorities: [SecCertificate]
        /// The digests of the pinned keys; empty to accept any key.
        private let pins: Set<Data>
        /// The client identity.
        let clientCredential: URLCredential?

        /// Reads the files of a policy, and sets the configuration's minimum version and debugging proxy.
        init(
            _ policy: TLSPolicy, _ configuration: URLSessionConfiguration, _ debuggingProxy: DebuggingProxy?
        ) throws(TransportError) {
            if let debuggingProxy {
                configuration.connectionProxyDictionary = Self.settings(try debuggingProxy.url())
                addedAuthorities = try Self.authorities(of: debuggingProxy)
            } else {
                addedAuthorities = []
            }
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
        var judgesServers: Bool { authorities != nil || !addedAuthorities.isEmpty || !pins.isEmpty }

        /// Evaluations run here: they may fetch certificates and revocation lists, and the session's delegate queue serves
        /// all its tasks.
        private static let queue = DispatchQueue(label: "DiscreteNetworking.trust", qos: .userInitiated)

        /// Evaluates the server of a protection space, and returns at once.
        /// - Parameters:
        ///   - hostName: The name that the certificate needs; `nil` for the host of the protection space.
        ///   - end: Receives the reason why the server is not trusted; `nil` if it is. Called once.
        func evaluate(
            _ space: URLProtectionSpace, hostName: String?,
            then end: @escaping @Sendable (TransportError?) -> Void
        ) {
            Self.queue.async {
                guard let trust = space.serverTrust else {
                    let message = "The server sent no certificate."
                    return end(TransportError(.serverCertificateUntrusted, message: message))
                }
                guard anchor(trust), Self.expect(hostName, of: trust) else { return end(Self.untrusted(nil)) }
                // Has to be called on the queue that the result is for.
                let status = SecTrustEvaluateAsyncWithError(trust, Self.queue) { trust, isTrusted, error in
                    end(isTrusted ? pinFailure(of: trust) : Self.untrusted(error))
                }
                if status != errSecSuccess { end(Self.untrusted(nil)) }
            }
        }

        private func anchor(_ trust: SecTrust) -> Bool {
            guard authorities != nil || !addedAuthorities.isEmpty else { return true }
            let all = (authorities ?? []) + addedAuthorities
            return SecTrustSetAnchorCertificates(trust, all as CFArray) == errSecSuccess
                && SecTrustSetAnchorCertificatesOnly(trust, authorities != nil) == errSecSuccess
        }

        /// Has the certificate evaluated for a name, in place of the address in the URL.
        private static func expect(_ hostName: String?, of trust: SecTrust) -> Bool {
            guard let hostName else { return true }
            let policy = SecPolicyCreateSSL(true, hostName as CFString)
            return SecTrustSetPolicies(trust, policy) == errSecSuccess
        }

        private func pinFailure(of trust: SecTrust) -> TransportError? {
            guard !pins.isEmpty else { return nil }
            guard let key = SecTrustCopyKey(trust), let info = Self.publicKeyInfo(key) else {
                return TransportError(
                    .publicKeyNotPinned,
                    message:
                        "The type of the server's key cannot be pinned; use RSA, or EC on P-256, P-384 or P-521."
                )
            }
            guard pins.contains(Data(SHA256.hash(data: info))) else {
                return TransportError(
                    .publicKeyNotPinned, message: "The server's public key does not match a pin.")
            }
            return nil
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
            return try authorities(
                certificates, "\(file.lastPathComponent) of TLSPolicy.certificateAuthorities")
        }

        private static func authorities(
            of proxy: DebuggingProxy
        ) throws(TransportError) -> [SecCertificate] {
            try authorities(
                PEM.certificates(in: proxy.authority()) ?? [],
                "\(proxy.certificate.lastPathComponent) of DebuggingProxy.certificate")
        }

        private static func authorities(
            _ certificates: [Data], _ file: String
        ) throws(TransportError) -> [SecCertificate] {
            let authorities = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard authorities.count == certificates.count else {
                throw TransportError(
                    .serverCertificateUntrusted,
                    message: "The file \(file) contains an invalid certificate.")
            }
            return authorities
        }

        /// The keys of CFNetwork's proxy settings; those for HTTPS have constants on macOS only.
        private static func settings(_ proxy: URL) -> [AnyHashable: Any] {
            let (host, port) = (HostName.normal(proxy.host ?? ""), proxy.port ?? 0)
            return [
                "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
                "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
            ]
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
        /// Responds to a challenge with the policy or the credential, otherwise with the default handling. Proxy challenges
        /// always use the default handling.
        /// - Parameters:
        ///   - trust: The TLS policy.
        ///   - credential: The credential of the request. If the server rejects it, the 401 is the
        ///     response.
        ///   - hostName: The name of the host, if the URL has an address in its place.
        ///   - refuse: Receives the error if the policy rejects the server.
        ///   - answer: The completion handler of the challenge. Called once, for a server after its evaluation.
        func handle(
            _ trust: URLSessionTrust?, _ credential: HTTPCredential?, hostName: String?,
            refuse: @escaping @Sendable (TransportError) -> Void,
            answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard !protectionSpace.isProxy() else { return answer(.performDefaultHandling, nil) }
            let space = protectionSpace
            switch space.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust:
                guard let trust, trust.judgesServers || hostName != nil else { break }
                return trust.evaluate(space, hostName: hostName) { error in
                    if let error { refuse(error) }
                    if error == nil, let server = space.serverTrust {
                        answer(.useCredential, URLCredential(trust: server))
                    } else {
                        answer(.cancelAuthenticationChallenge, nil)
                    }
                }
            case NSURLAuthenticationMethodClientCertificate:
                if let identity = trust?.clientCredential { return answer(.useCredential, identity) }
            case NSURLAuthenticationMethodHTTPDigest:
                if case .digest(let user, let password)? = credential, previousFailureCount == 0 {
                    return answer(
                        .useCredential, URLCredential(user: user, password: password, persistence: .none))
                }
            default: break
            }
            answer(.performDefaultHandling, nil)
        }
    }
#endif
