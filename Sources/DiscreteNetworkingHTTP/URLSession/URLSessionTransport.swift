public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A transport that uses Foundation's `URLSession`.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.allowsCellularAccess = false
/// ApiProxy.shared = ApiProxy(transport: URLSessionTransport(configuration: configuration))
/// ```
///
/// The configuration determines timeouts, cellular access, waiting for connectivity, multipath and cookies. With
/// `waitsForConnectivity`, no call is rejected because the network is missing: `URLSession` waits for it, for at most
/// `timeoutIntervalForResource`. A configuration of your own ends a stream, such as of server-sent events, that is silent
/// for `timeoutIntervalForRequest`, 60 seconds by default; set a longer one for streams.
/// Its `httpMaximumConnectionsPerHost`, 6 by default, counts streams too over HTTP/1.1: raise it if other calls have to wait
/// for them. Without a configuration, streams have a session of their own, so that no other call waits for them.
/// A file body is sent directly; a stream body is written to a temporary file first. A streamed response
/// applies back pressure.
///
/// On Linux, where `CurlTransport` is the default, support is limited: an unread streamed response is
/// buffered in memory, a custom ``TLSPolicy`` fails with ``TransportError/Kind/unsupported``,
/// `HTTPCredential.digest` is ignored, and there are no metrics. The configuration's `urlCache` is not
/// used: it never caches there, and crashes when a task is canceled.
public final class URLSessionTransport: TimeKeepingTransport {
    /// A `URLSession` and its delegate.
    private struct Session: Sendable {
        let session: URLSession
        let exchanges: URLSessionExchangeRegistry

        init(_ configuration: URLSessionConfiguration, _ trust: URLSessionTrust?) {
            exchanges = URLSessionExchangeRegistry(trust: trust)
            session = URLSession(
                configuration: configuration, delegate: exchanges,
                delegateQueue: URLSessionTransport.delegateQueue)
        }
    }

    private let calls: Session
    /// The session of streams, created for the first one.
    private let streams = Locked<Session?>(nil)
    private let separatesStreams: Bool
    private let trust: URLSessionTrust?
    private let idleTimeout: TimeInterval
    private let waitsForConnectivity: Bool
    /// Why requests fail if the policy cannot be enforced: pins are never ignored.
    private let refusal: TransportError?

    /// Creates a transport.
    /// - Parameters:
    ///   - configuration: The configuration. A background configuration is not supported, because its
    ///     transfers outlive the process that waits for them: every exchange fails with
    ///     ``TransportError/Kind/unsupported``.
    ///   - tls: The TLS policy, in addition to the configuration; the stricter of both applies. Its files
    ///     are read now; if one is unreadable, every exchange fails with the reason.
    public convenience init(configuration: URLSessionConfiguration, tls: TLSPolicy = TLSPolicy()) {
        let copy = configuration.copy() as? URLSessionConfiguration ?? .default
        self.init(copied: copy, tls, separatesStreams: false)
    }

    /// Creates a transport without cookies, stored credentials or caches.
    /// - Parameter tls: The TLS policy. Its files are read now; if one is unreadable, every exchange fails
    ///   with the reason.
    public convenience init(tls: TLSPolicy = TLSPolicy()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = URLRequest.longestTimeout
        self.init(copied: configuration, tls, separatesStreams: true)
    }

    private init(copied configuration: URLSessionConfiguration, _ tls: TLSPolicy, separatesStreams: Bool) {
        #if canImport(FoundationNetworking)
            configuration.urlCache = nil
        #endif
        let background = Self.refusal(ofBackground: configuration.identifier)
        // A session with that identifier would take over the transfers of an earlier launch.
        let configuration = background == nil ? configuration : .ephemeral
        let trust = Result { () throws(TransportError) in
            if let background { throw background }
            return try URLSessionTrust(tls, configuration)
        }
        switch trust {
        case .success: refusal = nil
        case .failure(let error): refusal = error
        }
        self.trust = try? trust.get()
        idleTimeout = configuration.timeoutIntervalForRequest
        #if canImport(FoundationNetworking)
            waitsForConnectivity = false
        #else
            waitsForConnectivity = configuration.waitsForConnectivity
        #endif
        calls = Session(configuration, self.trust)
        self.separatesStreams = separatesStreams
    }

    deinit {
        calls.session.finishTasksAndInvalidate()
        streams.current?.session.finishTasksAndInvalidate()
    }

    /// The number of connections of streams to a host. It limits what a mistake costs; no other call waits for them.
    private static let streamLimit = 256

    private func session(for request: APIRequest) -> Session {
        guard separatesStreams, request.isOpenEnded else { return calls }
        return streams.withLock { streams in
            if let streams { return streams }
            let configuration =
                calls.session.configuration.copy() as? URLSessionConfiguration ?? .ephemeral
            configuration.httpMaximumConnectionsPerHost = Self.streamLimit
            let session = Session(configuration, trust)
            streams = session
            return session
        }
    }

    /// - Parameter identifier: The configuration's identifier; only background configurations have one.
    static func refusal(ofBackground identifier: String?) -> TransportError? {
        guard let identifier else { return nil }
        return TransportError(
            .unsupported,
            message:
                "The background URLSessionConfiguration \(identifier) is not supported; use .default or .ephemeral."
        )
    }

    /// `false` if the configuration waits for connectivity, so that `URLSession` does wait, and for a proxy in the
    /// environment, which `URLSession` uses on Linux: it may run on this machine.
    public func needsNetwork(for url: URL) -> Bool {
        Self.needsNetwork(waitsForConnectivity: waitsForConnectivity, namesProxy: ProxyEnvironment.namesProxy)
    }

    static func needsNetwork(waitsForConnectivity: Bool, namesProxy: Bool) -> Bool {
        !waitsForConnectivity && !namesProxy
    }

    /// Returns `false`, also with a proxy: it stands for no server.
    public func replacesServiceTransport(for url: URL) -> Bool { false }

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        if let refusal { throw refusal }
        guard !Task.isCancelled else { throw TransportError.exchangeCancelled }
        #if canImport(FoundationNetworking)
            try Self.checkProxy(for: request.url)
        #endif
        let urlRequest = try URLRequest(request, idleTimeout: idleTimeout)
        let file = try await RequestFile.of(request.body)
        let session = session(for: request)
        let task = session.session.task(for: urlRequest, from: file)
        let exchange = URLSessionExchange(task, for: request, file: file)
        session.exchanges.add(exchange)
        let deadline =
            request.timeout.isFinite
            ? Deadlines.shared.schedule(after: request.timeout) {
                exchange.giveUp(TransportError(.timedOut, message: "The request timed out."))
            } : nil
        defer { if let deadline { Deadlines.shared.cancel(deadline) } }
        task.resume()
        return try await withTaskCancellationHandler {
            await exchange.outcome.value
        } onCancel: {
            exchange.cancel()
        }.get()
    }

    #if canImport(FoundationNetworking)
        /// Runs operations synchronously on the session's queue: the delegate is fast, and on Linux
        /// scheduling an operation is the main cost of this transport.
        private final class AtOnce: OperationQueue, @unchecked Sendable {
            // `@unchecked` like its superclass; it adds no state.
            override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
        }

        private static var delegateQueue: OperationQueue? { AtOnce() }

        /// On Linux, `URLSession` sends loopback requests, including tokens, to the proxy of the
        /// environment.
        private static func checkProxy(for url: URL) throws(TransportError) {
            let host = HostName.normal(url.host ?? "")
            guard HostName.isLoopback(host), ProxyEnvironment.namesProxy,
                !ProxyEnvironment.exceptions.contains(where: { $0 == "*" || $0 == host })
            else { return }
            throw TransportError(
                .unsupported,
                message:
                    "URLSession would send this loopback request to the proxy of the environment; set no_proxy=localhost,127.0.0.1,::1, or use CurlTransport."
            )
        }
    #else
        private static var delegateQueue: OperationQueue? { nil }
    #endif
}
