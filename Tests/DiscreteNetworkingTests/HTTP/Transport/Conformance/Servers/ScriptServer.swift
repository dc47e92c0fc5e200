#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer

    /// A program in Python that serves a free port, which is its first argument.
    final class ScriptServer: Sendable {
        let baseURL: URL
        private let process: ServerProcess
        private let folder: URL

        init(_ program: String, _ arguments: [String] = [], at host: String = "http://127.0.0.1") throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "script-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let port = try LoopbackServer.refusedPort()
            guard let url = URL(string: "\(host):\(port)") else { throw URLError(.badURL) }
            baseURL = url
            let file = folder.appendingPathComponent("server.py")
            try program.write(to: file, atomically: true, encoding: .utf8)
            process = try ServerProcess(
                "python3", [file.path, String(port)] + arguments, port: port, folder: folder)
        }

        func stop() {
            process.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        /// What it has printed.
        var log: String { process.text }
        var lines: [String] { log.split(separator: "\n").map(String.init) }
    }
#endif
