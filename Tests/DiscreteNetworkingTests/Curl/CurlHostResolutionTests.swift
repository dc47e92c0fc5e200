#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl
    @testable import DiscreteNetworkingHTTP

    /// Names that only the app's resolver knows, over real sockets. `invalid` never has an address (RFC 6761 section 6.4).
    @MainActor
    final class CurlHostResolutionTests: XCTestCase {
        private func transport(
            _ resolver: TestResolver, hosts: Set<String>? = nil, timeout: TimeInterval = 60,
            _ change: (inout CurlConfiguration) -> Void = { _ in }
        ) throws -> CurlTransport {
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.resolution = resolver.resolution(hosts: hosts, timeout: timeout)
            change(&configuration)
            return try CurlTransport(configuration: configuration)
        }

        private func request(_ text: String, timeout: TimeInterval = 30) throws -> APIRequest {
            APIRequest(url: try XCTUnwrap(URL(string: text)), timeout: timeout)
        }

        // MARK: The name

        /// hypercorn says what it has received, over HTTP/2.
        func testTheNameIsThatOfTheURLEverywhere() async throws {
            let (server, authority) = try NamedServer.start(for: self, "shop.invalid")
            let resolver = TestResolver(["127.0.0.1"])
            for version in [CurlConfiguration.HTTPVersion.automatic, .http1] {
                let transport = try transport(resolver) {
                    $0.httpVersion = version
                    $0.tls.certificateAuthorities = authority.certificate
                    $0.tls.pinnedPublicKeys = [try! TestAuthority.pin(server.identity)]
                }
                let request = try request("https://shop.invalid:\(server.port)/a?b=c")
                for isReused in [false, true] {
                    let response = try await transport.send(request)
                    XCTAssertEqual(
                        response.text, "shop.invalid:\(server.port) shop.invalid",
                        "Host, and the server name of TLS")
                    XCTAssertEqual(response.url, request.url)
                    XCTAssertEqual(response.metrics?.reusedConnection, isReused)
                    XCTAssertEqual(
                        response.metrics?.protocolVersion, version == .http1 ? "HTTP/1.1" : "HTTP/2")
                }
            }
            XCTAssertEqual(resolver.asked.current, ["shop.invalid", "shop.invalid"])
        }

        func testACertificateOfAnotherNameIsRefused() async throws {
            let (server, authority) = try NamedServer.start(for: self, "shop.invalid")
            let transport = try transport(TestResolver(["127.0.0.1"])) {
                $0.tls.certificateAuthorities = authority.certificate
            }
            let kind = await transport.failure(try request("https://other.invalid:\(server.port)/"))
            XCTAssertEqual(kind, .serverCertificateUntrusted)
        }

        /// Nothing listens at the first seven, which refuse at once.
        func testManyAddressesThatRefuseCostNoTimeouts() async throws {
            let server = try serve { _ in .text("here") }
            let refusing = (1...7).map { "127.1.0.\($0)" }
            let transport = try transport(TestResolver(refusing + ["127.0.0.1"]))
            var request = try request("http://shop.invalid:\(server.port)/")
            request.notes.plainHTTP = CleartextPolicy(hosts: ["shop.invalid"])
            let start = Uptime.seconds
            let response = try await transport.send(request)
            XCTAssertEqual(response.text, "here")
            XCTAssertLessThan(Uptime.seconds - start, 5)
        }

        func testNamesAtOneAddressShareNoConnection() async throws {
            let server = try serve { request in .text(request.header("Host") ?? "") }
            let resolver = TestResolver(["127.0.0.1"])
            let transport = try transport(resolver)
            for _ in 0..<2 {
                for name in ["a.invalid", "b.invalid"] {
                    let response = try await transport.send(try request("http://\(name):\(server.port)/"))
                    XCTAssertEqual(response.text, "\(name):\(server.port)")
                }
            }
            XCTAssertEqual(server.acceptedConnections, 2)
        }

        func testARedirectToAnotherHostIsResolvedToo() async throws {
            let port = Locked<UInt16>(0)
            let server = try serve { request in
                request.path == "/a"
                    ? LoopbackResponse(status: 302).adding(
                        "Location", "http://second.invalid:\(port.current)/b")
                    : .text(request.header("Host") ?? "")
            }
            port.current = server.port
            let resolver = TestResolver(["127.0.0.1"])
            var first = try request("http://first.invalid:\(server.port)/a")
            first.notes.plainHTTP = CleartextPolicy(hosts: ["first.invalid", "second.invalid"])
            let response = try await transport(resolver).outcome(of: first).get()
            XCTAssertEqual(response.text, "second.invalid:\(server.port)")
            XCTAssertEqual(resolver.asked.current, ["first.invalid", "second.invalid"])
            let some = try transport(resolver, hosts: ["first.invalid"])
            let kind = await some.failure(first)
            XCTAssertEqual(kind, .cannotFindHost)
        }

        /// By name: a loopback address does not allow cleartext HTTP, and cookies belong to the name.
        func testPlainHTTPAndCookiesGoByTheName() async throws {
            let server = try serve { request in
                .text(request.header("Cookie") ?? "none").adding("Set-Cookie", "id=7; Path=/")
            }
            let jar = CookieJar()
            let stack = Stack(try transport(TestResolver(["127.0.0.1"]))) {
                $0.baseURL = URL(string: "http://shop.invalid:\(server.port)")!
                $0.cookies = jar
            }
            guard case .invalidRequest? = await failure(stack.manager(TestManager<String>()))?.kind else {
                return XCTFail("sent in cleartext")
            }
            stack.change { $0.plainHTTPHosts = ["shop.invalid"] }
            var texts: [String] = []
            for _ in 0..<2 { texts.append(try await stack.manager(TestManager<String>()).load()) }
            XCTAssertEqual(texts, ["none", "id=7"])
            stack.change { $0.baseURL = URL(string: "http://127.0.0.1:\(server.port)")! }
            let other = try await stack.manager(TestManager<String>()).load()
            XCTAssertEqual(other, "none")
        }

        // MARK: Resolvers

        /// As in the article Names and proxies: the resolver's own calls go over the same transport.
        func testAResolverMayMakeCallsOfTheSameProxy() async throws {
            let server = try serve { _ in .text("ok") }
            let service = try servePython(
                """
                import json
                from urllib.parse import parse_qs, urlsplit
                def answer(path, body):
                    name = parse_qs(urlsplit(path).query)['name'][0] + '.'
                    records = [{'name': name, 'type': 5, 'TTL': 600, 'data': 'cdn.invalid.'},
                               {'name': 'cdn.invalid.', 'type': 1, 'TTL': 60, 'data': '127.0.0.1'}]
                    return 200, 'application/json', json.dumps({'Status': 0, 'Answer': records}).encode()
                """)
            for (base, kind) in [
                (service.baseURL, nil),
                (URL(string: "http://dns.invalid")!, TransportError.Kind.cannotFindHost),
            ] {
                let resolver = ManagerResolver()
                var configuration = CurlConfiguration()
                configuration.proxy = .direct
                configuration.resolution = HostResolution(resolver, timeout: 60, onFailure: { _ in })
                let stack = Stack(try CurlTransport(configuration: configuration)) {
                    $0.baseURL = URL(string: "http://shop.invalid:\(server.port)")!
                    $0.plainHTTPHosts = ["shop.invalid"]
                }
                let names = TestService {
                    $0.baseURL = base
                    $0.plainHTTPHosts = ["dns.invalid"]
                }
                stack.proxy.services.register([.other: { names }])
                resolver.proxy.current = stack.proxy
                defer { resolver.proxy.current = nil }
                let error = await failure(stack.manager(TestManager<String>()))
                XCTAssertEqual(resolver.asked.current, ["shop.invalid"])
                guard let kind else {
                    XCTAssertNil(error)
                    continue
                }
                guard case .transport(let error)? = error?.kind else { return XCTFail("\(base)") }
                XCTAssertEqual(error.kind, kind)
            }
        }

        // MARK: Other ways

        func testAProxyResolvesTheHost() async throws {
            let proxy = try serve { request in .text(request.target) }
            let resolver = TestResolver(["127.0.0.9"])
            let transport = try transport(resolver) { $0.proxy = .url(proxy.baseURL) }
            let response = try await transport.send(try request("http://shop.invalid/a"))
            XCTAssertEqual(response.text, "http://shop.invalid/a")
        }

        func testUnsupportedHostResolutionIsRefused() async throws {
            let resolver = TestResolver(["127.0.0.1"])
            XCTAssertThrowsError(try transport(resolver) { $0.unixSocketPath = "/tmp/a.sock" }) {
                XCTAssertEqual(($0 as? TransportError)?.kind, .unsupported)
            }
            let server = try serve { _ in .text("ok") }
            let session = URLSessionTransport(resolution: resolver.resolution())
            for _ in 0..<2 {
                let error = await session.outcome(of: server.request()).error
                XCTAssertEqual(error?.kind, .unsupported)
                XCTAssertTrue(error?.message.contains("CurlTransport") == true)
            }
            XCTAssertEqual(server.acceptedConnections, 0)
        }

        func testTheDefaultTransportOfThePlatformHasIt() async throws {
            let server = try serve { _ in .text("ok") }
            let transport = PlatformTransport.make(resolution: TestResolver(["127.0.0.1"]).resolution())
            let response = try await transport.send(try request("http://shop.invalid:\(server.port)/"))
            XCTAssertEqual(response.text, "ok")
        }
    }
#endif
