#if os(macOS) || os(Linux)
    import DiscreteNetworking
    import Foundation
    import XCTest

    /// Programs of python3, whose packages judge signatures.
    enum Python {
        struct Failed: Error { let text: String }

        /// Runs a program that reads one JSON value a line, and writes one line for each.
        static func lines(of program: String, for cases: [JSONValue]) throws -> [String] {
            let input = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(cases.map { $0.canonicalText + "\n" }.joined().utf8).write(to: input)
            defer { try? FileManager.default.removeItem(at: input) }
            let (process, output) = try start(program, input: FileHandle(forReadingFrom: input))
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw missing("the program failed") }
            return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        fileprivate static func start(
            _ program: String, input: Any
        ) throws -> (process: Process, output: Pipe) {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", program]
            process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONIOENCODING": "utf-8"]) {
                $1
            }
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            return (process, output)
        }

        /// Why a test cannot go on: a skip, and a failure besides where tools are required.
        fileprivate static func missing(_ reason: String) -> XCTSkip {
            if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] == "1" { XCTFail(reason) }
            return XCTSkip(reason + "; python3 with botocore and oauthlib is not installed")
        }
    }

    /// A server of Python's standard library as a child process.
    final class PythonServer: Sendable {
        let baseURL: URL
        private let end: @Sendable () -> Void

        /// - Parameter program: Defines `answer(method, url, headers, body)`, which returns a status and a text.
        init(_ program: String) throws {
            let input = Pipe()
            let (process, output) = try Python.start(program + Self.frame, input: input)
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let piece = output.fileHandleForReading.availableData
                guard !piece.isEmpty else { throw Python.missing("the server did not start") }
                line += piece
            }
            let port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            baseURL = try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)"))
            let number = process.processIdentifier
            end = {
                try? input.fileHandleForWriting.close()
                kill(number, SIGKILL)
            }
        }

        func stop() { end() }

        /// Ends with its input, so that it does not outlive the tests.
        private static let frame = """


            import os, sys, threading
            from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
            class Handler(BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                # Otherwise a body waits 40 ms for the client's acknowledgment of its head.
                disable_nagle_algorithm = True
                def log_message(self, *arguments): pass
                def do_GET(self):
                    body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                    url = 'http://' + self.headers['Host'] + self.path
                    status, text = answer(self.command, url, self.headers, body)
                    self.send_response(status)
                    self.send_header('Content-Type', 'application/json')
                    self.send_header('Content-Length', str(len(text.encode())))
                    self.end_headers()
                    self.wfile.write(text.encode())
                do_POST = do_PUT = do_GET
            server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            print(server.server_port, flush=True)
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
            server.serve_forever()
            """
    }

    extension XCTestCase {
        /// A server for the length of one test.
        func servePython(_ program: String) throws -> PythonServer {
            let server = try PythonServer(program)
            addTeardownBlock { server.stop() }
            return server
        }
    }
#endif
