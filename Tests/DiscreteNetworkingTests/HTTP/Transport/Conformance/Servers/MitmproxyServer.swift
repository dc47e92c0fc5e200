#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer

    @testable import DiscreteNetworkingCore

    /// mitmproxy, which reads TLS as Charles and Proxyman do. It adds `X-Seen: yes` to the responses that it has read.
    final class MitmproxyServer: Sendable {
        let port: UInt16
        /// The certificate of its authority.
        let certificate: URL
        private let folder: URL
        private let process: ServerProcess

        /// - Parameters:
        ///   - authority: That of the servers behind it.
        ///   - ignoring: The ports whose connections it passes on unread.
        init(_ authority: TestAuthority, ignoring: [Int] = []) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "mitmproxy-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            port = try LoopbackServer.refusedPort()
            certificate = folder.appendingPathComponent("mitmproxy-ca-cert.pem")
            process = try ServerProcess(
                "mitmdump",
                [
                    "--listen-host", "127.0.0.1", "--listen-port", String(port), "--set",
                    "confdir=" + folder.path,
                    "--set", "ssl_verify_upstream_trusted_ca=" + authority.root.certificate.path,
                    "--modify-headers", "/~s/X-Seen/yes",
                ] + ignoring.flatMap { ["--ignore-hosts", ":\($0)$"] }, port: port, folder: folder)
        }

        func stop() {
            process.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        var proxy: DebuggingProxy { DebuggingProxy(port: Int(port), certificate: certificate) }
    }
#endif
