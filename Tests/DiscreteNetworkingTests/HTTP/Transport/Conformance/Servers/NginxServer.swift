#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer

    @testable import DiscreteNetworkingCore

    /// nginx with a configuration of its own: files over HTTP, and over HTTPS with HTTP/2.
    final class NginxServer: Sendable {
        let baseURL: URL
        let secureURL: URL
        /// What `/file` is.
        static let file = LoopbackResponse.pattern(count: 1 << 20)
        /// After so many requests it closes a connection.
        static let requestsPerConnection = 200
        /// What `/text` is, which nginx compresses.
        static let text = String(repeating: teapot + "\n", count: 1000)

        private let folder: URL?
        private let process: ServerProcess?
        private var configuration: URL? { folder?.appendingPathComponent("nginx.conf") }

        /// One that another process has started, and will stop.
        init(existing baseURL: URL, _ secureURL: URL) {
            (self.baseURL, self.secureURL) = (baseURL, secureURL)
            (folder, process) = (nil, nil)
        }

        /// - Parameter limit: After so many requests it closes a connection. With a limit, it logs its requests.
        init(_ authority: TestAuthority, requestsPerConnection limit: Int? = nil) throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "nginx-" + UUID().uuidString)
            let root = folder.appendingPathComponent("root")
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            try Self.file.write(to: root.appendingPathComponent("file"))
            try Data(Self.text.utf8).write(to: root.appendingPathComponent("text"))
            let port = try LoopbackServer.refusedPort()
            var securePort = port
            while securePort == port { securePort = try LoopbackServer.refusedPort() }
            baseURL = try Self.url("http://127.0.0.1:\(port)")
            secureURL = try Self.url("https://localhost:\(securePort)")
            let configuration = folder.appendingPathComponent("nginx.conf")
            try Self.configuration(port, securePort, authority.server, limit).write(
                to: configuration, atomically: true, encoding: .utf8)
            self.folder = folder
            process = try ServerProcess(
                "nginx", ["-p", folder.path, "-e", "stderr", "-c", configuration.path], port: securePort,
                folder: folder)
        }

        func stop() {
            process?.stop()
            if let folder { try? FileManager.default.removeItem(at: folder) }
        }

        /// The requests to `/taken/…` so far, over TLS.
        var requests: [String] {
            let log = folder.flatMap {
                try? String(contentsOf: $0.appendingPathComponent("requests"), encoding: .utf8)
            }
            return (log ?? "").split(separator: "\n").map(String.init)
        }

        /// Starts new workers. The old ones end their connections, and then themselves.
        func reload() throws {
            guard let folder, let configuration else { return }
            try Tool.run(
                "nginx", ["-p", folder.path, "-e", "stderr", "-c", configuration.path, "-s", "reload"])
        }

        private static func url(_ text: String) throws -> URL {
            guard let url = URL(string: text) else { throw URLError(.badURL) }
            return url
        }

        private static func configuration(
            _ port: UInt16, _ securePort: UInt16, _ identity: TestAuthority.Identity, _ limit: Int?
        ) -> String {
            """
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr;
            events { worker_connections 4096; }
            http {
                access_log off;
                log_format request "$request_method $request_uri $status";
                keepalive_requests \(limit ?? requestsPerConnection);
                default_type text/plain;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                gzip on;
                gzip_min_length 1;
                gzip_types *;
                client_max_body_size 0;
                server {
                    listen 127.0.0.1:\(port);
                    listen 127.0.0.1:\(securePort) ssl http2;
                    ssl_certificate \(identity.certificate.path);
                    ssl_certificate_key \(identity.key.path);
                    root root;
                    location = /file { gzip off; }
                    location = /protocol { return 200 "$server_protocol"; }
                    location = /connection { return 200 "$connection"; }
                    location /taken/ {
                        access_log \(limit == nil ? "off" : "requests request");
                        proxy_pass http://127.0.0.1:\(port)/answer/;
                    }
                    location /answer/ { return 200 "data: 1\\n\\n"; }
                    location = /gone { return 410; }
                    location = /moved { return 302 /file; }
                    location = /downgrade { return 302 http://127.0.0.1:\(port)/protocol; }
                    location = /headers { add_header X-Dup one; add_header X-Dup two; return 200 "$http_x_own"; }
                    location = /hang-up { return 444; }
                }
            }
            """
        }
    }
#endif
