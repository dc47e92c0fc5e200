import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Policies, credentials and metrics, as far as `URLSession` has them.
final class URLSessionTLSTests: XCTestCase {
    // MARK: Policies

    private static let file = URL(fileURLWithPath: "/nonexistent/s3cr3t-folder/file")

    private static func policy(_ change: (inout TLSPolicy) -> Void) -> TLSPolicy {
        var policy = TLSPolicy()
        change(&policy)
        return policy
    }

    /// Sends nothing under a policy, and says why.
    private func refusal(_ policy: TLSPolicy, line: UInt = #line) async throws -> TransportError {
        let server = try serve { _ in .text("ok") }
        let transports = [
            URLSessionTransport(tls: policy), URLSessionTransport(configuration: .ephemeral, tls: policy),
        ]
        var errors: [TransportError] = []
        for transport in transports {
            for _ in 0..<2 {
                let outcome = await transport.outcome(of: server.request())
                errors.append(try XCTUnwrap(outcome.error, line: line))
            }
        }
        XCTAssertEqual(Set(errors).count, 1, line: line)
        XCTAssertEqual(server.acceptedConnections, 0, "nothing was sent", line: line)
        let error = try XCTUnwrap(errors.first)
        XCTAssertFalse(error.message.contains("s3cr3t"), line: line)
        return error
    }

    #if os(Linux)
        func testAPolicyIsNeverIgnored() async throws {
            for policy in [
                Self.policy { $0.minimumVersion = .tls13 },
                Self.policy { $0.certificateAuthorities = Self.file },
                Self.policy {
                    $0.pinnedPublicKeys = ["sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="]
                },
                Self.policy { $0.clientCertificate = .pkcs12(Self.file, passphrase: "s3cr3t") },
                Self.policy { $0.clientCertificate = .pem(certificate: Self.file, key: Self.file) },
            ] {
                let error = try await refusal(policy)
                XCTAssertEqual(error.kind, .unsupported)
                XCTAssertTrue(error.message.contains("CurlTransport"), error.message)
            }
        }
    #else
        func testAPolicyThatCannotBeReadIsSaid() async throws {
            let policies: [(TLSPolicy, TransportError.Kind)] = [
                (Self.policy { $0.certificateAuthorities = Self.file }, .serverCertificateUntrusted),
                (Self.policy { $0.pinnedPublicKeys = ["sha256/AAAA"] }, .publicKeyNotPinned),
                (
                    Self.policy { $0.clientCertificate = .pkcs12(Self.file, passphrase: "s3cr3t") },
                    .clientCertificateRejected
                ),
                (
                    Self.policy { $0.clientCertificate = .pem(certificate: Self.file, key: Self.file) },
                    .unsupported
                ),
            ]
            for (policy, kind) in policies {
                let error = try await refusal(policy)
                XCTAssertEqual(error.kind, kind)
            }
        }
    #endif

    func testTheDefaultPolicyIsNoHindrance() async throws {
        let server = try serve { _ in .text("ok") }
        for transport in [
            URLSessionTransport(tls: TLSPolicy()),
            URLSessionTransport(configuration: .ephemeral, tls: TLSPolicy()),
        ] {
            let response = try await transport.send(server.request())
            XCTAssertEqual(response.text, "ok")
        }
    }

    // MARK: Credentials

    func testADigestThatIsNotTakenEndsAsThe401() async throws {
        let challenge = "Digest realm=\"shop\", nonce=\"abc\", qop=\"auth\", algorithm=MD5"
        let server = try serve { _ in .text("log in", status: 401).adding("WWW-Authenticate", challenge) }
        for destination in [ResponseDestination.memory(limit: 1000), .stream] {
            var request = server.request()
            request.destination = destination
            request.credential = .digest(user: "casa", password: "s3cr3t")
            let response = try await URLSessionTransport().send(request)
            XCTAssertEqual(response.status, 401)
            XCTAssertEqual(response.headers["WWW-Authenticate"], challenge)
        }
        #if os(Linux)
            // URLSession has no Digest there, so nothing is tried.
            XCTAssertEqual(server.requests.map { $0.header("Authorization") }, [nil, nil])
        #endif
    }

    // MARK: Metrics

    func testMetricsAreThereWhereThePlatformGivesThem() async throws {
        let server = try serve { _ in .text("ok") }
        let transport = URLSessionTransport()
        let first = try await transport.send(server.request()).metrics
        let second = try await transport.send(server.request()).metrics
        #if os(Linux)
            XCTAssertNil(first)
            XCTAssertNil(second)
        #else
            XCTAssertEqual(first?.reusedConnection, false)
            XCTAssertEqual(second?.reusedConnection, true)
            XCTAssertEqual(first?.protocolVersion, "HTTP/1.1")
            XCTAssertLessThanOrEqual(try XCTUnwrap(first?.connect), try XCTUnwrap(first?.firstByte))
            XCTAssertLessThanOrEqual(try XCTUnwrap(first?.firstByte), try XCTUnwrap(first?.end))
            XCTAssertGreaterThan(try XCTUnwrap(first?.bytesReceived), 2)
        #endif
    }

    // MARK: Errors

    private func kind(_ code: Int, _ text: String = "") -> TransportError.Kind {
        TransportError(
            NSError(domain: NSURLErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
        ).kind
    }

    func testTLSErrorsHaveAKindOfTheirOwn() {
        XCTAssertEqual(kind(NSURLErrorSecureConnectionFailed), .secureConnectionFailed)
        for code in [
            NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasBadDate,
            NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid,
        ] {
            XCTAssertEqual(kind(code), .serverCertificateUntrusted, "\(code)")
        }
        XCTAssertEqual(kind(NSURLErrorClientCertificateRejected), .clientCertificateRejected)
        XCTAssertEqual(kind(NSURLErrorClientCertificateRequired), .clientCertificateRejected)
    }

    func testErrorsOfFilesAndPoliciesHaveAKindOfTheirOwn() {
        XCTAssertEqual(kind(NSURLErrorFileDoesNotExist), .bodyUnavailable)
        XCTAssertEqual(kind(NSURLErrorFileIsDirectory), .bodyUnavailable)
        XCTAssertEqual(kind(NSURLErrorNoPermissionsToReadFile), .bodyUnavailable)
        XCTAssertEqual(kind(NSURLErrorAppTransportSecurityRequiresSecureConnection), .unsupported)
    }

    func testAnErrorThatSaysNothingIsUnknown() {
        XCTAssertEqual(kind(NSURLErrorUnknown), .unknown)
        XCTAssertEqual(kind(-9_999), .unknown)
        XCTAssertEqual(TransportError(NSError(domain: "Other", code: 1)).kind, .unknown)
    }

    #if os(Linux)
        /// There the code is "unknown", and the text is libcurl's.
        func testMessagesOfLibcurlHaveAKind() {
            let texts: [(String, TransportError.Kind)] = [
                ("SSL certificate problem: self-signed certificate", .serverCertificateUntrusted),
                ("SSL certificate problem: certificate has expired", .serverCertificateUntrusted),
                (
                    "SSL: no alternative certificate subject name matches target host name 'localhost'",
                    .serverCertificateUntrusted
                ),
                ("SSL peer certificate or SSH remote key was not OK", .serverCertificateUntrusted),
                (
                    "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
                    .clientCertificateRejected
                ),
                (
                    "OpenSSL/3.0.17: error:0A00042E:SSL routines::tlsv1 alert protocol version",
                    .secureConnectionFailed
                ),
                ("transfer closed with 500 bytes remaining to read", .connectionLost),
                ("Recv failure: Connection reset by peer", .connectionLost),
                ("Send failure: Broken pipe", .connectionLost),
                ("Received HTTP/0.9 when not allowed", .unknown),
            ]
            for (text, kind) in texts {
                XCTAssertEqual(self.kind(NSURLErrorUnknown, text), kind, text)
                XCTAssertEqual(self.kind(NSURLErrorTimedOut, text), .timedOut, "a code counts more")
            }
        }
    #endif
}
