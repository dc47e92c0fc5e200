#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer

    /// `openssl s_server`, which answers every GET with a page about the connection, one client at a time.
    final class OpenSSLServer: Sendable {
        /// By name, so that the certificate for `localhost` is right.
        let baseURL: URL
        private let folder: URL
        private let process: ServerProcess

        init(_ identity: TestAuthority.Identity, _ options: [String] = []) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "openssl-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let port = try LoopbackServer.refusedPort()
            guard let url = URL(string: "https://localhost:\(port)/") else { throw URLError(.badURL) }
            baseURL = url
            process = try ServerProcess(
                "openssl",
                ["s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", identity.certificate.path]
                    + ["-key", identity.key.path] + options,
                port: port, folder: folder)
        }

        func stop() {
            process.stop()
            try? FileManager.default.removeItem(at: folder)
        }
    }
#endif
