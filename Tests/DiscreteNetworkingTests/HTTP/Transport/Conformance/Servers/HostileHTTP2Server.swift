#if os(macOS) || os(Linux)
    import Foundation

    /// An HTTP/2 server that means harm, made of the `h2` that hypercorn brings along.
    ///
    /// Every answer is the number of its connection. `/open` gives the head of an answer and never its body;
    /// `/deaf` is not answered, nor is anything that follows on its connection; `/flood` gets frames that
    /// are no answer, for ever; `/full` is answered, and says that its connection takes no further streams
    /// (`SETTINGS_MAX_CONCURRENT_STREAMS` of 0).
    final class HostileHTTP2Server: Sendable {
        private let server: ScriptServer
        var baseURL: URL { server.baseURL }

        /// - Parameter identity: for TLS; without one the server expects HTTP/2 from the first byte.
        init(_ identity: TestAuthority.Identity? = nil) throws {
            server = try ScriptServer(
                Self.program, identity.map { [$0.certificate.path, $0.key.path] } ?? [],
                at: "\(identity == nil ? "http" : "https")://localhost")
        }

        deinit { stop() }

        func stop() { server.stop() }

        private static let program = """
            import socket, ssl, sys, threading
            from h2.connection import H2Connection
            from h2.config import H2Configuration
            from h2.events import RequestReceived
            from h2.settings import SettingCodes

            def serve(client, number):
                connection = H2Connection(H2Configuration(client_side=False))
                connection.initiate_connection()
                client.sendall(connection.data_to_send())
                while True:
                    data = client.recv(65536)
                    if not data:
                        return
                    for event in connection.receive_data(data):
                        if not isinstance(event, RequestReceived):
                            continue
                        path = dict(event.headers)[b":path"]
                        if path == b"/deaf":
                            while client.recv(65536):
                                pass
                            return
                        if path == b"/flood":
                            while True:
                                connection.ping(b"12345678")
                                client.sendall(connection.data_to_send())
                        if path == b"/full":
                            connection.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: 0})
                        connection.send_headers(event.stream_id, [(":status", "200")])
                        if path != b"/open":
                            connection.send_data(event.stream_id, b"%d" % number, end_stream=True)
                    client.sendall(connection.data_to_send())

            def accept(client, number, context):
                try:
                    client.settimeout(60)
                    if context:
                        client = context.wrap_socket(client, server_side=True)
                    serve(client, number)
                except (OSError, ssl.SSLError):
                    pass
                client.close()

            context = None
            if len(sys.argv) > 2:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(sys.argv[2], sys.argv[3])
                context.set_alpn_protocols(["h2"])
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=64)
            number = 0
            while True:
                client, _ = listener.accept()
                # The first is the test's, to see whether the server runs.
                threading.Thread(target=accept, args=(client, number, context), daemon=True).start()
                number += 1
            """
    }
#endif
