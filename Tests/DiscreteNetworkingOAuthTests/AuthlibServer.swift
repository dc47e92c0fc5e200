#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    /// `authlib_server.py` as a child process.
    final class AuthlibServer {
        let baseURL: URL
        private let process = Process()
        private let input = Pipe()

        init() throws {
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("authlib_server.py").path
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", script]
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil {
                    throw URLError(.badURL)
                }
                throw XCTSkip("authlib and flask of Python are not installed.")
            }
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
            baseURL = url
        }

        func stop() {
            guard process.isRunning else { return }
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        /// The URL that a browser would be redirected to.
        static func redirect(of url: URL) throws -> URL? {
            let head = try curl("-o", "/dev/null", "-D", "-", url.absoluteString)
            let line = head.split(whereSeparator: \.isNewline).first {
                $0.lowercased().hasPrefix("location:")
            }
            return line.flatMap {
                URL(string: $0.dropFirst("location:".count).trimmingCharacters(in: .whitespaces))
            }
        }

        func post(_ path: String) throws {
            _ = try Self.curl("-X", "POST", baseURL.appendingPathComponent(path).absoluteString)
        }

        struct Log {
            struct Request {
                let path: String
                let form: [String: String]
                let cookie: String?
            }
            let requests: [Request]
            fileprivate let tokens: [[Any]]

            /// Whether a refresh token is revoked; `nil` if there is no such token.
            func isRevoked(_ token: String) -> Bool? {
                tokens.first { $0[1] as? String == token }.flatMap { $0[2] as? Bool }
            }
        }

        func log() throws -> Log {
            let text = try Self.curl(baseURL.appendingPathComponent("log").absoluteString)
            let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let requests = (json?["log"] as? [[Any]] ?? []).map {
                Log.Request(
                    path: $0[1] as? String ?? "", form: $0[2] as? [String: String] ?? [:],
                    cookie: $0[4] as? String)
            }
            return Log(requests: requests, tokens: json?["tokens"] as? [[Any]] ?? [])
        }

        private static func curl(_ arguments: String...) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["curl", "-s", "--max-time", "30"] + arguments
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }
#endif
