import Dispatch
public import Foundation

/// An HTTP/1.1 server on 127.0.0.1 for tests and samples.
///
/// ```swift
/// let server = try LoopbackServer(routes: [
///     .get("/products/{id}") { request in
///         .json(#"{"id": "\#(request.pathParameters["id"]!)"}"#)
///     },
///     .get("/broken") { _ in .fault(.reset) },
/// ])
/// defer { server.stop() }
/// let url = server.baseURL.appendingPathComponent("products/7")
/// // … load the URL with the client under test …
/// XCTAssertEqual(server.requests.map(\.path), ["/products/7"])
/// XCTAssertEqual(server.acceptedConnections, 1)
/// ```
///
/// Handlers run on the thread of their connection and may block, best on a ``LoopbackGate``. The server
/// keeps every request it received, bodies included unless set otherwise, for as long as it lives.
public final class LoopbackServer: Sendable {
    /// The port it listens on.
    public let port: UInt16

    private let ledger: Ledger
    private let threads = DispatchGroup()
    private let wake: WakePipe

    /// Starts a server that responds to every request with `handler`.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 for any free one.
    ///   - bodyLimit: The largest request body that is read; a larger one gets status 413.
    ///   - keepsBodies: Whether `requests` hold their bodies; otherwise these are only counted and compared.
    ///   - handler: Makes the response. Called on many threads at once.
    /// - Throws: A `POSIXError` when the port cannot be bound.
    public convenience init(
        port: UInt16 = 0, bodyLimit: Int = 256 << 20, keepsBodies: Bool = true,
        handler: @escaping LoopbackRoute.Handler
    ) throws {
        try self.init(
            port: port, bodyLimit: bodyLimit, keepsBodies: keepsBodies, resolve: { ($0, handler) })
    }

    /// Starts a server that responds by route: 404 when none has the path, 405 when none has the method.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 for any free one.
    ///   - bodyLimit: The largest request body that is read; a larger one gets status 413.
    ///   - keepsBodies: Whether `requests` hold their bodies; otherwise these are only counted and compared.
    ///   - routes: The routes, of which the first that matches is used.
    /// - Throws: A `POSIXError` when the port cannot be bound.
    public convenience init(
        port: UInt16 = 0, bodyLimit: Int = 256 << 20, keepsBodies: Bool = true,
        routes: [LoopbackRoute]
    ) throws {
        let router = Router(routes: routes)
        try self.init(
            port: port, bodyLimit: bodyLimit, keepsBodies: keepsBodies, resolve: { router.resolve($0) })
    }

    /// Starts a server that runs as long as its process, for clients that are not trusted.
    package convenience init(
        port: UInt16, bodyLimit: Int, rules: ServingRules, handler: @escaping LoopbackRoute.Handler
    ) throws {
        try self.init(
            port: port, bodyLimit: bodyLimit, keepsBodies: true, rules: rules, resolve: { ($0, handler) })
    }

    private init(
        port: UInt16, bodyLimit: Int, keepsBodies: Bool, rules: ServingRules = ServingRules(),
        resolve: @escaping Connection.Resolve
    ) throws {
        wake = try WakePipe()
        ledger = Ledger(rules)
        let listener = try Listener(port: port, ofAllInterfaces: rules.servesNetwork)
        self.port = listener.port
        threads.enter()
        ServingThread.start("LoopbackServer", socket: nil) { [ledger, threads, wake] in
            var listener = listener
            while let socket = listener.next(or: wake) {
                guard let number = ledger.admit(socket) else {
                    socket.discard()
                    continue
                }
                let connection = Connection(
                    number: number, socket: socket, ledger: ledger, bodyLimit: bodyLimit,
                    keepsBodies: keepsBodies, resolve: resolve)
                threads.enter()
                ServingThread.start("LoopbackServer.\(number)", socket: socket) {
                    connection.serve()
                    threads.leave()
                }
            }
            listener.close()
            wake.close()
            threads.leave()
        }
    }

    deinit {
        stop()
    }

    /// The base URL: `http://127.0.0.1:` and the port.
    public var baseURL: URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = Int(port)
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// The requests received so far, in order, except malformed ones.
    public var requests: [LoopbackRequest] {
        ledger.read(\.requests)
    }

    /// The number of open connections.
    public var openConnections: Int {
        ledger.read(\.open.count)
    }

    /// The total number of connections.
    public var acceptedConnections: Int {
        ledger.read(\.accepted)
    }

    /// The number of response bytes accepted by the system, including heads.
    public var sentBytes: Int {
        ledger.read(\.sent)
    }

    /// Suspends until a number of response bytes were sent, or a client has not read for half a second.
    ///
    /// Also returns if the server stops, the task is canceled, or a minute has passed, which is reported on
    /// standard error. Check ``sentBytes`` to distinguish.
    public func waitForSentBytes(_ count: Int) async {
        await ledger.wait(for: "\(count) sent bytes") { $0.sent >= count || $0.stalled > 0 }
    }

    /// Suspends until a number of requests were received in total.
    ///
    /// Also returns if the server stops, the task is canceled, or a minute has passed, which is reported on
    /// standard error.
    public func waitForRequests(_ count: Int) async {
        await ledger.wait(for: "\(count) requests") { $0.requests.count >= count }
    }

    /// Suspends until at most a number of connections are open.
    ///
    /// Also returns if the server stops, the task is canceled, or a minute has passed, which is reported on
    /// standard error.
    public func waitForOpenConnections(atMost count: Int) async {
        await ledger.wait(for: "at most \(count) open connections") { $0.open.count <= count }
    }

    /// Closes the listener and all connections, and waits for their threads to end: at most five seconds,
    /// and not at all inside a handler.
    ///
    /// Has no effect if the server has stopped. A server stops when it is deallocated.
    public func stop() {
        ledger.stop()
        wake.wake()
        guard ServingThread.socket == nil else { return }
        _ = threads.wait(timeout: .now() + 5)
    }

    /// Returns a port without a listener, to test refused connections.
    ///
    /// - Throws: A `POSIXError` if the system has no free port.
    public static func refusedPort() throws -> UInt16 {
        let socket = try Socket.bound(to: 0)
        defer { socket.discard() }
        return socket.port
    }
}
