#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer

    /// hypercorn, an HTTP/2 server from PyPI, over TLS.
    ///
    /// `/echo` answers with the request's version, method and headers, and how many bytes its body has with
    /// their SHA-256, as JSON; `/down/N` with N bytes of ``LoopbackResponse/pattern(count:)``; `/early` says
    /// its first word before it reads the body.
    final class HypercornServer: Sendable {
        let secureURL: URL
        private let folder: URL?
        private let process: ServerProcess?

        /// One that another process has started, and will stop.
        init(existing secureURL: URL) {
            self.secureURL = secureURL
            (folder, process) = (nil, nil)
        }

        init(_ authority: TestAuthority) throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "hypercorn-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Self.program.write(
                to: folder.appendingPathComponent("app.py"), atomically: true, encoding: .utf8)
            let port = try LoopbackServer.refusedPort()
            guard let url = URL(string: "https://localhost:\(port)") else { throw URLError(.badURL) }
            secureURL = url
            self.folder = folder
            process = try ServerProcess(
                "hypercorn",
                [
                    "--bind", "127.0.0.1:\(port)", "--certfile", authority.server.certificate.path,
                    "--keyfile",
                    authority.server.key.path, "app:app",
                ], port: port, folder: folder)
        }

        func stop() {
            process?.stop()
            if let folder { try? FileManager.default.removeItem(at: folder) }
        }

        private static let program = """
            import hashlib, json

            async def start(send, status, *headers):
                await send({"type": "http.response.start", "status": status, "headers": headers})

            async def app(scope, receive, send):
                if scope["type"] != "http":
                    return
                path = scope["path"]
                if path.startswith("/down/"):
                    count = int(path[6:])
                    block = bytes(i % 251 for i in range(251 * 256))
                    await start(send, 200, (b"content-length", str(count).encode()))
                    while count:
                        piece = block[:count]
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                        count -= len(piece)
                    await send({"type": "http.response.body"})
                    return
                if path.startswith("/status/"):
                    await start(send, int(path[8:]))
                    await send({"type": "http.response.body"})
                    return
                if path == "/early":
                    await start(send, 200)
                    await send({"type": "http.response.body", "body": b"first\\n", "more_body": True})
                count, digest, more = 0, hashlib.sha256(), True
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        return
                    body = message.get("body", b"")
                    count += len(body)
                    digest.update(body)
                    more = message.get("more_body", False)
                text = json.dumps({
                    "version": scope["http_version"], "method": scope["method"], "path": scope["raw_path"].decode(),
                    "headers": {name.decode(): value.decode() for name, value in scope["headers"]},
                    "count": count, "sha256": digest.hexdigest(),
                })
                if path != "/early":
                    await start(send, 200, (b"content-type", b"application/json"))
                await send({"type": "http.response.body", "body": text.encode()})
            """
    }
#endif
