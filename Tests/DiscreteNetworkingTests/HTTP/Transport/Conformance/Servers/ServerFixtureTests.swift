#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The servers of the suite themselves, as the `curl` command sees them.
    final class ServerFixtureTests: XCTestCase {
        private func curl(_ arguments: String...) throws -> String {
            String(
                decoding: try Tool.run("curl", ["-q", "-sS", "--noproxy", "*"] + arguments), as: UTF8.self)
        }

        /// Apple's platforms trust no server's certificate that is valid for longer or says nothing of servers.
        func testCertificatesAreSuchAsApplesPlatformsTake() throws {
            let authority = try SharedServers.authority()
            for identity in [authority.server, authority.otherHost, authority.selfSigned] {
                func x509(_ arguments: String...) throws -> String {
                    let text = try Tool.run(
                        "openssl", ["x509", "-noout", "-in", identity.certificate.path] + arguments)
                    return String(decoding: text, as: UTF8.self)
                }
                let name = identity.certificate.lastPathComponent
                XCTAssertTrue(
                    try x509("-ext", "extendedKeyUsage").contains("TLS Web Server Authentication"), name)
                XCTAssertThrowsError(
                    try x509("-checkend", "\(825 * 86_400)"), "\(name) is valid for too long")
                XCTAssertNoThrow(try x509("-checkend", "86400"), "\(name) ends too soon")
                let start = try x509("-startdate").split(separator: " ").suffix(2).first
                // Valid from now on, or from yesterday.
                let years = [Date(timeIntervalSinceNow: -86_400), Date()].map {
                    "\(Calendar(identifier: .gregorian).component(.year, from: $0))"
                }
                XCTAssertTrue(years.contains(String(start ?? "")), name)
            }
        }

        /// Apple's importer knows no AES in PKCS #12, which is what OpenSSL 3 takes by default.
        func testPKCS12IsEncryptedAsApplesImporterKnowsIt() throws {
            let file = try SharedServers.authority().clientPKCS12.path
            let line = "openssl pkcs12 -info -noout -in \"$0\" -passin \"pass:$1\" 2>&1"
            let text = String(
                decoding: try Tool.run("sh", ["-c", line, file, TestAuthority.passphrase]), as: UTF8.self)
            XCTAssertTrue(text.contains("MAC: sha1"), text)
            XCTAssertEqual(text.components(separatedBy: "pbeWithSHA1And3-KeyTripleDES-CBC").count, 3, text)
        }

        func testNginxServesOverEachProtocol() throws {
            let (nginx, authority) = (try SharedServers.nginx(), try SharedServers.authority())
            XCTAssertEqual(try curl(nginx.baseURL.absoluteString + "/protocol"), "HTTP/1.1")
            XCTAssertTrue(
                try Tool.run("curl", ["-sS", nginx.baseURL.absoluteString + "/file"]) == NginxServer.file)
            let secure = nginx.secureURL.absoluteString
            let trust = ["--cacert", authority.root.certificate.path]
            XCTAssertEqual(try curl(trust[0], trust[1], "--http2", secure + "/protocol"), "HTTP/2.0")
            XCTAssertEqual(try curl(trust[0], trust[1], "--http1.1", secure + "/protocol"), "HTTP/1.1")
            XCTAssertThrowsError(try curl(secure + "/protocol"), "an authority that nobody knows")
        }

        func testHypercornServesHTTP2() throws {
            let (server, authority) = (try SharedServers.hypercorn(), try SharedServers.authority())
            let echo = try curl(
                "--cacert", authority.root.certificate.path, "--http2", "-d", "abc",
                server.secureURL.absoluteString + "/echo")
            XCTAssertTrue(echo.contains(#""version": "2""#), echo)
            XCTAssertTrue(echo.contains(#""count": 3"#), echo)
        }

        func testOpenSSLServesOverTLS() throws {
            let authority = try SharedServers.authority()
            let server = try OpenSSLServer(authority.server, ["-tls1_3"])
            defer { server.stop() }
            let page = try curl(
                "--cacert", authority.root.certificate.path, "--pinnedpubkey",
                try TestAuthority.pin(authority.server),
                server.baseURL.absoluteString)
            XCTAssertTrue(page.contains("TLSv1.3"), page)
        }

        func testAServerThatDoesNotStartSaysWhy() throws {
            let folder = FileManager.default.temporaryDirectory
            defer { try? FileManager.default.removeItem(at: folder.appendingPathComponent("openssl-1.log")) }
            XCTAssertThrowsError(
                try ServerProcess("openssl", ["s_server", "-nonsense"], port: 1, folder: folder)
            ) {
                XCTAssertTrue("\($0)".contains("nonsense"), "\($0)")
            }
        }
    }
#endif
