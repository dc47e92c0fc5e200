#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl
    @testable import DiscreteNetworkingHTTP

    /// A proxy that reads the traffic of debug builds: mitmproxy, of the kind of Charles and Proxyman.
    @MainActor
    final class DebuggingProxyTests: XCTestCase {
        private func proxy(ignoring ports: [Int] = []) throws -> MitmproxyServer {
            guard !ports.isEmpty else { return try SharedServers.mitmproxy() }
            let proxy = try MitmproxyServer(SharedServers.authority(), ignoring: ports)
            addTeardownBlock { proxy.stop() }
            return proxy
        }

        private func server(_ options: String...) throws -> URL {
            let server = try OpenSSLServer(SharedServers.authority().server, options)
            addTeardownBlock { server.stop() }
            return server.baseURL
        }

        private func seen(_ transport: any Transport, _ url: URL) async -> Result<Bool, TransportError> {
            await transport.outcome(of: APIRequest(url: url)).map { $0.headers["X-Seen"] == "yes" }
        }

        // MARK: In force

        func testTrafficIsReadWithNothingInstalled() async throws {
            let (mitmproxy, url) = (try proxy(), try server())
            let plain = try serve { _ in .text("plain") }
            let transport = PlatformTransport.make(debuggingProxy: mitmproxy.proxy)
            XCTAssertFalse(transport.needsNetwork(for: url))
            for url in [url, plain.baseURL] {
                let isSeen = try await seen(transport, url).get()
                XCTAssertTrue(isSeen, "\(url)")
            }
            // No other transport trusts it.
            var configuration = CurlConfiguration()
            configuration.proxy = .url(try mitmproxy.proxy.url())
            let kind = await seen(try CurlTransport(configuration: configuration), url).error?.kind
            XCTAssertEqual(kind, .serverCertificateUntrusted)
        }

        func testNamesAndVersionsAreThoseOfTheURL() async throws {
            let (mitmproxy, hypercorn) = (try proxy(), try SharedServers.hypercorn())
            let transport = PlatformTransport.make(debuggingProxy: mitmproxy.proxy)
            let response = try await transport.send(
                APIRequest(url: hypercorn.secureURL.appendingPathComponent("a")))
            XCTAssertEqual(response.headers["X-Seen"], "yes")
            XCTAssertEqual(response.metrics?.protocolVersion, "HTTP/2")
            XCTAssertTrue(response.text.contains("\"path\": \"/a\""), response.text)
        }

        /// What the proxy does not read keeps its own certificate.
        func testAuthorityOfTheDebuggingProxyIsTrustedBesideThePolicy() async throws {
            let (read, unread) = (try server(), try server())
            let mitmproxy = try proxy(ignoring: [try XCTUnwrap(unread.port)])
            let authority = try SharedServers.authority()
            let transport = PlatformTransport.make(
                tls: TLSPolicy(certificateAuthorities: authority.root.certificate),
                debuggingProxy: mitmproxy.proxy)
            let both = [try await seen(transport, read).get(), try await seen(transport, unread).get()]
            XCTAssertEqual(both, [true, false])
            let strict = PlatformTransport.make(
                tls: TLSPolicy(certificateAuthorities: authority.selfSigned.certificate),
                debuggingProxy: mitmproxy.proxy)
            let error = await seen(strict, unread).error
            XCTAssertEqual(error?.kind, .serverCertificateUntrusted)
            XCTAssertTrue(error?.message.contains("debugging proxy") == true, error?.message ?? "")
        }

        func testTheBundleHasTheSystemsAuthorities() throws {
            let mitmproxy = try proxy()
            var configuration = CurlConfiguration()
            configuration.debuggingProxy = mitmproxy.proxy
            let bundle = String(decoding: try XCTUnwrap(CurlWay(configuration).authorities), as: UTF8.self)
            let own = try String(contentsOf: mitmproxy.certificate, encoding: .utf8)
            XCTAssertTrue(bundle.hasSuffix("\n" + own))
            let system = try XCTUnwrap(CurlWay.systemAuthorities)
            XCTAssertTrue(bundle.hasPrefix(try String(contentsOfFile: system, encoding: .utf8)))
            XCTAssertGreaterThan(try XCTUnwrap(PEM.certificates(in: bundle)).count, 50)
        }

        func testPinsStayInForce() async throws {
            let (mitmproxy, url) = (try proxy(), try server())
            let authority = try SharedServers.authority()
            func error(_ pin: String) async -> TransportError? {
                await seen(
                    PlatformTransport.make(
                        tls: TLSPolicy(pinnedPublicKeys: [pin]), debuggingProxy: mitmproxy.proxy), url
                ).error
            }
            let pinned = await error(try TestAuthority.pin(authority.server))
            XCTAssertEqual(pinned?.kind, .publicKeyNotPinned)
            XCTAssertTrue(pinned?.message.contains("debug builds") == true, pinned?.message ?? "")
            // The certificates that mitmproxy makes have the key of its authority.
            let own = TestAuthority.Identity(certificate: mitmproxy.certificate, key: mitmproxy.certificate)
            let none = await error(try TestAuthority.pin(own))
            XCTAssertNil(none)
        }

        func testDebuggingProxyResolvesTheHosts() async throws {
            let mitmproxy = try proxy()
            let server = try serve { _ in .text("ok") }
            let resolver = TestResolver(["127.0.0.1"])
            let transport = PlatformTransport.make(
                resolution: resolver.resolution(), debuggingProxy: mitmproxy.proxy)
            _ = try await transport.send(server.request())
            let url = try XCTUnwrap(URL(string: "http://shop.invalid:\(server.port)/"))
            let response = try await transport.send(APIRequest(url: url))
            XCTAssertEqual(response.status, 502, "mitmproxy does not find the name")
            XCTAssertEqual(resolver.asked.current, [])
        }

        func testAProxyThatDoesNotRunIsNamed() async throws {
            let certificate = try SharedServers.authority().root.certificate
            let port = Int(try LoopbackServer.refusedPort())
            let transport = PlatformTransport.make(
                debuggingProxy: DebuggingProxy(port: port, certificate: certificate))
            let error = await seen(transport, try server()).error
            XCTAssertEqual(error?.kind, .cannotConnect)
            XCTAssertTrue(error?.message.contains("debugging proxy 127.0.0.1:\(port)") == true)
        }

        /// What is for this machine does not leave it.
        func testAProxyElsewhereDoesNotSeeWhatIsForThisMachine() async throws {
            let certificate = try SharedServers.authority().root.certificate
            let server = try serve { _ in .text("ok") }
            let transport = PlatformTransport.make(
                debuggingProxy: DebuggingProxy(host: "mac.invalid", certificate: certificate))
            let response = try await transport.send(server.request())
            XCTAssertEqual(response.text, "ok")
        }

        // MARK: Refused

        func testAReleaseBuildRefusesIt() throws {
            let proxy = DebuggingProxy(certificate: URL(fileURLWithPath: "/nonexistent"))
            XCTAssertThrowsError(try proxy.url(isDebugBuild: false)) {
                XCTAssertEqual(($0 as? TransportError)?.kind, .unsupported)
                XCTAssertTrue("\($0)".contains("#if DEBUG"), "\($0)")
            }
            XCTAssertEqual(try proxy.url(isDebugBuild: true).absoluteString, "http://127.0.0.1:8888")
        }

        /// Of every call, by each transport.
        func testInvalidDebuggingProxyFailsWithItsKind() async throws {
            let server = try serve { _ in .text("ok") }
            let folder = try temporaryFolder()
            let garbage = try folder.write("a.pem", Data("no certificate".utf8))
            let authority = try SharedServers.authority()
            let file = authority.root.certificate
            let cases: [(DebuggingProxy, TransportError.Kind)] = [
                (DebuggingProxy(certificate: garbage), .serverCertificateUntrusted),
                (DebuggingProxy(certificate: folder.file("missing.pem")), .serverCertificateUntrusted),
                (DebuggingProxy(port: 0, certificate: file), .unsupported),
                (DebuggingProxy(port: 65_536, certificate: file), .unsupported),
                (DebuggingProxy(host: "", certificate: file), .unsupported),
                (DebuggingProxy(host: "a@b", certificate: file), .unsupported),
                (DebuggingProxy(host: "127.0.0.1:1\r\nX: y", certificate: file), .unsupported),
            ]
            for (proxy, kind) in cases {
                var configuration = CurlConfiguration()
                configuration.debuggingProxy = proxy
                XCTAssertThrowsError(try CurlTransport(configuration: configuration), "\(proxy)") {
                    XCTAssertEqual(($0 as? TransportError)?.kind, kind, "\(proxy)")
                }
                for transport in [
                    PlatformTransport.make(debuggingProxy: proxy), URLSessionTransport(debuggingProxy: proxy),
                    URLSessionTransport(configuration: .ephemeral, debuggingProxy: proxy),
                ] {
                    let error = await transport.failure(server.request())
                    XCTAssertEqual(error, kind, "\(proxy)")
                }
            }
            XCTAssertEqual(server.acceptedConnections, 0)
        }

        func testDebuggingProxyIsRefusedBesideAnotherProxy() throws {
            let certificate = try SharedServers.authority().root.certificate
            for change in [
                { $0.unixSocketPath = "/tmp/a.sock" },
                { $0.proxy = .url(URL(string: "http://proxy.invalid")!) },
            ] as [(inout CurlConfiguration) -> Void] {
                var configuration = CurlConfiguration()
                configuration.debuggingProxy = DebuggingProxy(certificate: certificate)
                change(&configuration)
                XCTAssertThrowsError(try CurlTransport(configuration: configuration)) {
                    XCTAssertEqual(($0 as? TransportError)?.kind, .unsupported)
                }
            }
        }
    }
#endif
