#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    /// When the authorities of the system are trusted, with one of the tests' own among them: a child process has a folder of its
    /// own in place of the system's.
    final class SystemAuthorityTests: XCTestCase {
        private static let child = "SYSTEM_AUTHORITY_CHILD"

        func testAuthoritiesOfThePolicyReplaceThoseOfTheSystem() async throws {
            let authority = try SharedServers.authority()
            let (read, unread) = (try OpenSSLServer(authority.server), try OpenSSLServer(authority.server))
            addTeardownBlock {
                read.stop()
                unread.stop()
            }
            let mitmproxy = try MitmproxyServer(authority, ignoring: [unread.baseURL.port ?? 0])
            addTeardownBlock { mitmproxy.stop() }
            let file = URL(fileURLWithPath: try XCTUnwrap(CurlWay.systemAuthorities))
            let folder = try temporaryFolder()
            let root = try Data(contentsOf: authority.root.certificate)
            _ = try folder.write(file.lastPathComponent, root)
            let hash = try Tool.run(
                "openssl", ["x509", "-hash", "-noout", "-in", authority.root.certificate.path])
            _ = try folder.write(
                String(decoding: hash, as: UTF8.self).trimmingCharacters(in: .newlines) + ".0", root)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try Tool.path("unshare"))
            process.arguments =
                try Self.namespace() + [
                    "sh", "-c", "mount --bind \"$1\" \"$2\" && exec \"$3\" \"$4\"", "sh", folder.url.path,
                    file.deletingLastPathComponent().path, CommandLine.arguments[0],
                    String(reflecting: Self.self) + "/testInTheChild",
                ]
            let texts = [
                read.baseURL.absoluteString, unread.baseURL.absoluteString,
                authority.selfSigned.certificate.path, String(mitmproxy.port), mitmproxy.certificate.path,
            ]
            process.environment = ProcessInfo.processInfo.environment.merging(
                [Self.child: texts.joined(separator: "\n")]) { $1 }
            let end = Promise<Int32>()
            process.terminationHandler = { end.fulfil($0.terminationStatus) }
            try process.run()
            let status = await end.value
            XCTAssertEqual(status, 0)
        }

        /// The options that give a process mounts of its own: as root, or as a user that the kernel lets do that.
        private static func namespace() throws -> [String] {
            for options in [["-m"], ["-r", "-m"]]
            where (try? Tool.run("unshare", options + ["mount", "--bind", "/", "/"])) != nil {
                return options
            }
            throw XCTSkip("This machine lets no process have mounts of its own.")
        }

        func testInTheChild() async throws {
            guard let texts = ProcessInfo.processInfo.environment[Self.child]?.components(separatedBy: "\n")
            else { throw XCTSkip("This is done only in the child process of the test above.") }
            let (read, unread) = (try XCTUnwrap(URL(string: texts[0])), try XCTUnwrap(URL(string: texts[1])))
            func kind(_ tls: TLSPolicy, _ url: URL, _ proxy: DebuggingProxy? = nil) async -> TransportError
                .Kind?
            {
                await PlatformTransport.make(tls: tls, debuggingProxy: proxy).failure(APIRequest(url: url))
            }
            let own = TLSPolicy(certificateAuthorities: URL(fileURLWithPath: texts[2]))
            let proxy = DebuggingProxy(
                port: try XCTUnwrap(Int(texts[3])), certificate: URL(fileURLWithPath: texts[4]))
            let system = await kind(TLSPolicy(), read)
            XCTAssertNil(system, "the system trusts the authority")
            let only = await kind(own, read)
            XCTAssertEqual(
                only, .serverCertificateUntrusted, "the system's authorities are trusted besides the policy's"
            )
            for url in [read, unread] {
                let both = await kind(TLSPolicy(), url, proxy)
                XCTAssertNil(both, "the proxy's is trusted besides the system's")
            }
            let strict = await kind(own, unread, proxy)
            XCTAssertEqual(
                strict, .serverCertificateUntrusted, "the proxy's is trusted besides the policy's only")
        }
    }
#endif
