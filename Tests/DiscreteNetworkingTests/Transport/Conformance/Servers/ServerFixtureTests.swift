#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworking

    /// The servers of the suite themselves, as the `curl` command sees them.
    final class ServerFixtureTests: XCTestCase {
        override class func tearDown() {
            SharedServers.stop()
            super.tearDown()
        }

        private func curl(_ arguments: String...) throws -> String {
            String(
                decoding: try Tool.run("curl", ["-q", "-sS", "--noproxy", "*"] + arguments), as: UTF8.self)
        }

        func testNginx() throws {
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

        func testHypercorn() throws {
            let (server, authority) = (try SharedServers.hypercorn(), try SharedServers.authority())
            let echo = try curl(
                "--cacert", authority.root.certificate.path, "--http2", "-d", "abc",
                server.secureURL.absoluteString + "/echo")
            XCTAssertTrue(echo.contains(#""version": "2""#), echo)
            XCTAssertTrue(echo.contains(#""count": 3"#), echo)
        }

        func testOpenSSL() throws {
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
