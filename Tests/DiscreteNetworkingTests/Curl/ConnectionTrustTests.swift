#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Connections and TLS sessions that were made under one policy are not used under another, also to the same
    /// host. The server is nginx, over HTTP/2 and HTTP/1.1, with and without connections that are kept.
    final class ConnectionTrustTests: XCTestCase {
        /// What nginx knows of the connection of a request.
        private struct Peer: Equatable {
            let connection: Int
            let client: String
            let resumesSession: Bool
        }

        private func server(_ directives: String = "") throws -> (url: URL, authority: TestAuthority) {
            let authority = try SharedServers.authority()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "trust-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let port = try LoopbackServer.refusedPort()
            let configuration = folder.appendingPathComponent("nginx.conf")
            try """
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr;
            events { worker_connections 256; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(authority.server.certificate.path);
                    ssl_certificate_key \(authority.server.key.path);
                    ssl_client_certificate \(authority.root.certificate.path);
                    ssl_verify_client optional;
                    ssl_session_cache shared:sessions:1m;
                    \(directives)
                    location / { return 200 "$connection|$ssl_client_s_dn|$ssl_session_reused"; }
                }
            }
            """.write(to: configuration, atomically: true, encoding: .utf8)
            let process = try ServerProcess(
                "nginx", ["-p", folder.path, "-e", "stderr", "-c", configuration.path], port: port,
                folder: folder)
            addTeardownBlock {
                process.stop()
                try? FileManager.default.removeItem(at: folder)
            }
            return (try XCTUnwrap(URL(string: "https://localhost:\(port)/")), authority)
        }

        private func transport(
            _ version: CurlConfiguration.HTTPVersion, _ change: (inout TLSPolicy) -> Void
        ) throws -> CurlTransport {
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.httpVersion = version
            change(&configuration.tls)
            return try CurlTransport(configuration: configuration)
        }

        private func peer(_ transport: CurlTransport, _ url: URL) async throws -> Peer {
            let parts = try await transport.send(APIRequest(url: url)).text.split(
                separator: "|", omittingEmptySubsequences: false)
            guard parts.count == 3 else { throw URLError(.badServerResponse) }
            return Peer(
                connection: Int(parts[0]) ?? 0, client: String(parts[1]), resumesSession: parts[2] == "r")
        }

        func testAConnectionIsNotUsedUnderAnotherPolicy() async throws {
            for version in [CurlConfiguration.HTTPVersion.automatic, .http1] {
                let (url, authority) = try server()
                let root = authority.root.certificate
                let trusting = try transport(version) { $0.certificateAuthorities = root }
                let first = try await peer(trusting, url)
                let policies: [(TransportError.Kind, (inout TLSPolicy) -> Void)] = [
                    (.serverCertificateUntrusted, { _ in }),
                    (
                        .serverCertificateUntrusted,
                        { $0.certificateAuthorities = authority.selfSigned.certificate }
                    ),
                    (
                        .publicKeyNotPinned,
                        {
                            $0.certificateAuthorities = root
                            $0.pinnedPublicKeys = ["sha256//" + Data(count: 32).base64EncodedString()]
                        }
                    ),
                ]
                for (kind, policy) in policies {
                    let other = try transport(version, policy)
                    for _ in 0..<2 {
                        let failure = await other.failure(APIRequest(url: url))
                        XCTAssertEqual(failure, kind, "\(version)")
                    }
                    let again = try await peer(trusting, url)
                    XCTAssertEqual(again.connection, first.connection, "\(version)")
                }
            }
        }

        func testAClientCertificateIsNotShownForAnotherService() async throws {
            for version in [CurlConfiguration.HTTPVersion.automatic, .http1] {
                // Without kept connections, sessions are resumed: by identity, or nothing is tested.
                for directives in ["", "keepalive_timeout 0;", "keepalive_timeout 0; ssl_protocols TLSv1.2;"]
                {
                    let (url, authority) = try server(directives)
                    let known = try transport(version) {
                        $0.certificateAuthorities = authority.root.certificate
                        $0.clientCertificate = .pem(
                            certificate: authority.client.certificate, key: authority.client.key)
                    }
                    let unknown = try transport(version) {
                        $0.certificateAuthorities = authority.root.certificate
                    }
                    var connections: Set<Int> = []
                    for round in 0..<3 {
                        let withCertificate = try await peer(known, url)
                        let without = try await peer(unknown, url)
                        let what = "\(version), round \(round), \(directives)"
                        XCTAssertEqual(withCertificate.client, "CN=client", what)
                        XCTAssertEqual(without.client, "", what)
                        XCTAssertNotEqual(withCertificate.connection, without.connection, what)
                        if round == 0 {
                            XCTAssertFalse(
                                without.resumesSession, "the session of the other service, \(what)")
                        }
                        connections.formUnion([withCertificate.connection, without.connection])
                    }
                    XCTAssertEqual(connections.count, directives.isEmpty ? 2 : 6, "\(version), \(directives)")
                }
            }
        }

        @MainActor
        func testAServiceDoesNotUseTheConnectionThatAnotherOneTrusts() async throws {
            let (url, authority) = try server()
            let trusting = try transport(.automatic) {
                $0.certificateAuthorities = authority.root.certificate
            }
            let distrusting = try transport(.automatic) { _ in }
            let pinned = Stack(distrusting) {
                $0.baseURL = url
                $0.transport = trusting
            }
            let ordinary = Stack(distrusting) { $0.baseURL = url }
            for _ in 0..<2 {
                let text = try await pinned.manager(TestManager<String>()).load()
                XCTAssertTrue(text.contains("|"))
                do {
                    _ = try await ordinary.manager(TestManager<String>()).load()
                    XCTFail("it does not trust the server")
                } catch {
                    guard case .transport(let error) = error.kind else { return XCTFail("\(error)") }
                    XCTAssertEqual(error.kind, .serverCertificateUntrusted)
                }
            }
        }
    }
#endif
