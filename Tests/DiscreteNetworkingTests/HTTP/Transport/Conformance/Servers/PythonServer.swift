#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    /// A server of Python's standard library as a child process, on a free port.
    final class PythonServer: Sendable {
        private let server: ScriptServer
        var baseURL: URL { server.baseURL }
        /// What the program and the server have printed.
        var log: String { server.log }

        /// - Parameter program: Python code that defines `answer(path, body)`, which returns the status, the `Content-Type`
        ///   (`None` for none) and the bytes of a response.
        init(_ program: String) throws { server = try ScriptServer(program + Self.frame) }

        func stop() { server.stop() }

        private static let frame = """


            import sys
            from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
            class Handler(BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                # Otherwise a body waits 40 ms for the client's acknowledgment of its head.
                disable_nagle_algorithm = True
                def do_GET(self):
                    sent = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                    status, kind, body = answer(self.path, sent)
                    self.send_response(status)
                    if kind is not None: self.send_header('Content-Type', kind)
                    if status not in (204, 304): self.send_header('Content-Length', str(len(body)))
                    self.end_headers()
                    if self.command != 'HEAD' and status not in (204, 304): self.wfile.write(body)
                do_POST = do_HEAD = do_GET
            ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
            """
    }

    extension XCTestCase {
        /// A server of Python's for the length of one test.
        func servePython(_ program: String) throws -> PythonServer {
            let server = try PythonServer(program)
            addTeardownBlock { server.stop() }
            return server
        }

        /// A server that all tests with this program share. It must remember nothing.
        func sharedPython(_ program: String) throws -> PythonServer { try SharedServers.python(program) }
    }
#endif
