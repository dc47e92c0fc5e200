#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    extension Conformance {
        /// A server with one of the authority's certificates, for the length of one test.
        func tlsServer(
            _ identity: KeyPath<TestAuthority, TestAuthority.Identity>, _ options: String...
        ) throws -> (url: URL, authority: TestAuthority) {
            let authority = try SharedServers.authority()
            let server = try OpenSSLServer(authority[keyPath: identity], options)
            addTeardownBlock { server.stop() }
            return (server.baseURL, authority)
        }

        /// What comes of a request under a policy.
        func outcome(_ url: URL, _ policy: TLSPolicy) async throws -> Result<
            TransportResponse, TransportError
        > {
            let transport: any Transport
            do {
                transport = try Self.subject.make(.init(tls: policy))
            } catch let error as TransportError {
                // A policy may be refused when the transport is made.
                return .failure(error)
            }
            return await transport.outcome(of: APIRequest(url: url, timeout: .infinity))
        }

        /// A policy that trusts the tests' own authority.
        func trusting(_ authority: TestAuthority, _ change: (inout TLSPolicy) -> Void = { _ in }) -> TLSPolicy
        {
            var policy = TLSPolicy()
            policy.certificateAuthorities = authority.root.certificate
            change(&policy)
            return policy
        }
    }

    /// Whom a transport trusts, and what it shows of itself, against `openssl s_server`.
    extension SecurityConformance {
        // MARK: The server's certificate

        func testAnAuthorityOfOnesOwnIsTrusted() async throws {
            let (url, authority) = try tlsServer(\.server)
            for host in ["localhost", "127.0.0.1"] {
                let byName = try XCTUnwrap(URL(string: "https://\(host):\(url.port ?? 0)/"))
                let outcome = try await outcome(byName, trusting(authority))
                XCTAssertEqual(outcome.success?.status, 200, "\(host): \(outcome)")
            }
        }

        func testAnUnknownAuthorityIsNotTrusted() async throws {
            let (url, _) = try tlsServer(\.server)
            let kind = try await outcome(url, TLSPolicy()).error?.kind
            XCTAssertEqual(kind, .serverCertificateUntrusted)
        }

        func testASelfSignedCertificateIsNotTrusted() async throws {
            let (url, authority) = try tlsServer(\.selfSigned)
            let kind = try await outcome(url, trusting(authority)).error?.kind
            XCTAssertEqual(kind, .serverCertificateUntrusted)
        }

        func testACertificateOfAnotherHostIsNotTrusted() async throws {
            let (url, authority) = try tlsServer(\.otherHost)
            let kind = try await outcome(url, trusting(authority)).error?.kind
            XCTAssertEqual(kind, .serverCertificateUntrusted)
        }

        func testACertificateOutOfDateIsNotTrusted() async throws {
            let (url, authority) = try tlsServer(\.expired)
            let kind = try await outcome(url, trusting(authority)).error?.kind
            XCTAssertEqual(kind, .serverCertificateUntrusted)
        }

        /// Without a policy, so that it holds for transports that know none.
        func testBadCertificatesAreNeverAccepted() async throws {
            for identity in [\TestAuthority.server, \.selfSigned, \.otherHost, \.expired] {
                let (url, _) = try tlsServer(identity)
                for delivery in Delivery.allCases {
                    let outcome = await transport.fetch(
                        APIRequest(url: url, timeout: .infinity), as: delivery)
                    XCTAssertNotNil(outcome.error, "\(identity)")
                }
            }
        }

        func testAuthoritiesThatCannotBeReadAreSaid() async throws {
            let (url, authority) = try tlsServer(\.server)
            let garbage = authority.folder.appendingPathComponent("garbage.pem")
            try Data("no certificate".utf8).write(to: garbage)
            for file in [garbage, authority.folder.appendingPathComponent("missing.pem")] {
                var policy = TLSPolicy()
                policy.certificateAuthorities = file
                let kind = try await outcome(url, policy).error?.kind
                XCTAssertNotNil(kind, file.lastPathComponent)
                XCTAssertNotEqual(kind, .unknown, file.lastPathComponent)
                XCTAssertNotEqual(kind, .cannotConnect, file.lastPathComponent)
            }
        }

        // MARK: Versions

        func testTheOldestVersionThatIsSpoken() async throws {
            let (old, authority) = try tlsServer(\.server, "-tls1_2")
            let (new, _) = try tlsServer(\.server, "-tls1_3")
            let cases: [(URL, TLSPolicy.Version, Bool)] = [
                (old, .tls12, true), (new, .tls12, true), (new, .tls13, true), (old, .tls13, false),
            ]
            for (url, version, isSpoken) in cases {
                let outcome = try await outcome(url, trusting(authority) { $0.minimumVersion = version })
                let place = "\(version) with \(url == old ? "an old" : "a new") server: \(outcome)"
                if isSpoken {
                    XCTAssertTrue(
                        outcome.success?.text.contains(url == old ? "TLSv1.2" : "TLSv1.3") == true, place)
                } else {
                    XCTAssertEqual(outcome.error?.kind, .secureConnectionFailed, place)
                }
            }
        }

        func testTLS11IsNeverSpoken() async throws {
            let (url, authority) = try tlsServer(\.server, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
            let outcome = try await outcome(url, trusting(authority))
            XCTAssertNotNil(outcome.error)
        }

        // MARK: Pins

        func testAPinThatMatches() async throws {
            let (url, authority) = try tlsServer(\.server)
            let (right, wrong) = (
                try TestAuthority.pin(authority.server), try TestAuthority.pin(authority.client)
            )
            for pins in [[right], [wrong, right]] {
                let outcome = try await outcome(url, trusting(authority) { $0.pinnedPublicKeys = pins })
                XCTAssertEqual(outcome.success?.status, 200, "\(outcome)")
            }
        }

        func testAPinThatDoesNotMatch() async throws {
            let (url, authority) = try tlsServer(\.server)
            let wrong = try TestAuthority.pin(authority.client)
            for delivery in Delivery.allCases {
                let transport = try Self.subject.make(
                    .init(tls: trusting(authority) { $0.pinnedPublicKeys = [wrong] }))
                let outcome = await transport.fetch(APIRequest(url: url, timeout: .infinity), as: delivery)
                XCTAssertEqual(outcome.error?.kind, .publicKeyNotPinned)
            }
        }

        func testAPinDoesNotReplaceTrust() async throws {
            let (url, authority) = try tlsServer(\.server)
            var policy = TLSPolicy()
            policy.pinnedPublicKeys = [try TestAuthority.pin(authority.server)]
            let kind = try await outcome(url, policy).error?.kind
            XCTAssertEqual(kind, .serverCertificateUntrusted)
        }

        func testAPinThatIsNoneIsNotTakenForOne() async throws {
            let (url, authority) = try tlsServer(\.server)
            for pin in ["", "sha256//", "sha256//not base64", "md5//abc", "nonsense"] {
                do {
                    let outcome = try await outcome(url, trusting(authority) { $0.pinnedPublicKeys = [pin] })
                    XCTAssertNotNil(outcome.error, "\(pin) lets every key pass")
                } catch {
                    XCTAssertTrue(error is TransportError, "\(error)")
                }
            }
        }

        // MARK: The client's certificate

        func testAClientCertificateIsShown() async throws {
            let (url, authority) = try tlsServer(
                \.server, "-Verify", "1", "-CAfile", try SharedServers.authority().root.certificate.path)
            let (client, locked) = (authority.client, authority.lockedClient)
            for certificate in [
                TLSPolicy.ClientCertificate.pem(certificate: client.certificate, key: client.key),
                .pem(certificate: locked.certificate, key: locked.key, passphrase: TestAuthority.passphrase),
                .pkcs12(authority.clientPKCS12, passphrase: TestAuthority.passphrase),
            ] {
                let outcome = try await outcome(
                    url, trusting(authority) { $0.clientCertificate = certificate })
                XCTAssertEqual(outcome.success?.status, 200, "\(outcome)")
            }
        }

        func testAClientCertificateThatIsMissingOrStrange() async throws {
            let root = try SharedServers.authority().root.certificate.path
            for version in ["-tls1_2", "-tls1_3"] {
                let (url, authority) = try tlsServer(
                    \.server, version, "-Verify", "1", "-verify_return_error", "-CAfile", root)
                let strange = TLSPolicy.ClientCertificate.pem(
                    certificate: authority.strangeClient.certificate, key: authority.strangeClient.key)
                for certificate in [nil, strange] {
                    let outcome = try await outcome(
                        url, trusting(authority) { $0.clientCertificate = certificate })
                    // Before TLS 1.3 a server only says that the handshake failed where a certificate is missing.
                    guard
                        certificate != nil || version == "-tls1_3"
                            || outcome.error?.kind != .secureConnectionFailed
                    else { continue }
                    XCTAssertEqual(outcome.error?.kind, .clientCertificateRejected, "\(version): \(outcome)")
                }
            }
        }

        func testAClientCertificateThatCannotBeRead() async throws {
            let (url, authority) = try tlsServer(\.server)
            let (client, locked) = (authority.client, authority.lockedClient)
            let missing = authority.folder.appendingPathComponent("missing")
            for certificate in [
                TLSPolicy.ClientCertificate.pem(certificate: missing, key: client.key),
                .pem(certificate: client.certificate, key: missing),
                .pem(certificate: client.certificate, key: authority.server.key),
                .pem(certificate: locked.certificate, key: locked.key, passphrase: "wrong"),
                .pkcs12(authority.clientPKCS12, passphrase: "wrong"), .pkcs12(missing, passphrase: ""),
            ] {
                let outcome = try await outcome(
                    url, trusting(authority) { $0.clientCertificate = certificate })
                XCTAssertEqual(outcome.error?.kind, .clientCertificateRejected, "\(outcome)")
                XCTAssertFalse("\(outcome)".contains("wrong"))
            }
        }

        // MARK: Never from https to http

        func testARedirectFromHTTPSToHTTPIsRefused() async throws {
            let (nginx, authority) = (try SharedServers.nginx(), try SharedServers.authority())
            let down = nginx.secureURL.appendingPathComponent("downgrade")
            let outcome = try await outcome(down, trusting(authority))
            XCTAssertEqual(outcome.error?.kind, .plainHTTPRefused, "\(outcome)")
        }
    }
#endif
