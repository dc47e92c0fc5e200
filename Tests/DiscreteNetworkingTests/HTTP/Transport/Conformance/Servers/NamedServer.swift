#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    /// nginx with a certificate for one name. It answers with `Host` and with the server name of TLS.
    struct NamedServer {
        let port: UInt16
        let identity: TestAuthority.Identity

        static func start(
            for test: XCTestCase, _ name: String
        ) throws -> (server: NamedServer, authority: TestAuthority.Identity) {
            let authority = try SharedServers.authority()
            let identity = try authority.server(named: name)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "named-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let port = try LoopbackServer.refusedPort()
            let configuration = folder.appendingPathComponent("nginx.conf")
            try """
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr;
            events { worker_connections 64; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(identity.certificate.path);
                    ssl_certificate_key \(identity.key.path);
                    location / { return 200 "$http_host $ssl_server_name"; }
                }
            }
            """.write(to: configuration, atomically: true, encoding: .utf8)
            let process = try ServerProcess(
                "nginx", ["-p", folder.path, "-e", "stderr", "-c", configuration.path], port: port,
                folder: folder)
            test.addTeardownBlock {
                process.stop()
                try? FileManager.default.removeItem(at: folder)
            }
            return (NamedServer(port: port, identity: identity), authority.root)
        }
    }
#endif
