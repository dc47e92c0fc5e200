import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The network by way of Foundation's `URLSession`.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.allowsCellularAccess = false
/// ApiProxy.shared = ApiProxy(transport: URLSessionTransport(configuration: configuration))
/// ```
///
/// Timeouts, cellular, waiting for connectivity, multipath and cookies are as the configuration says. A file
/// is sent from where it lies; the bytes of a stream are written to a temporary file first. A streamed
/// response holds the server up while nobody reads.
///
/// On Linux there is less, which is why `CurlTransport` is the default there: a streamed response that is not
/// read waits in memory, a ``TLSPolicy`` other than the default and `HTTPCredential.digest` cannot be heeded
/// (``TransportError/Kind/unsupported`` for the one, the plain 401 for the other), and there are no metrics. A
/// configuration's `urlCache` is left out: there it never caches, and crashes when a task is cancelled.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: URLSessionExchangeRegistry
    private let idleTimeout: TimeInterval
    /// Why nothing can be sent, where the policy asks for what cannot be done: a pin is never ignored.
    private let refusal: TransportError?

    /// A transport of one's own policy.
    /// - Parameters:
    ///   - configuration: Not one of `background(withIdentifier:)`: with that every exchange fails with
    ///     ``TransportError/Kind/unsupported``, because its transfers go on without the process that waits for them.
    ///   - tls: Is heeded beside what the configuration says; the stricter of both counts. Files
    ///     that it names are read now. Where one cannot be read every exchange fails and says so.
    public convenience init(configuration: URLSessionConfiguration, tls: TLSPolicy = TLSPolicy()) {
        self.init(copied: configuration.copy() as? URLSessionConfiguration ?? .default, tls)
    }

    /// A transport that keeps no cookies, no credentials and no cache, in memory or on disk.
    /// - Parameter tls: Files that it names are read now. Where one cannot be read every exchange fails and
    ///   says so.
    public convenience init(tls: TLSPolicy = TLSPolicy()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = URLRequest.longestTimeout
        self.init(copied: configuration, tls)
    }

    private init(copied configuration: URLSessionConfiguration, _ tls: TLSPolicy) {
        #if canImport(FoundationNetworking)
            configuration.urlCache = nil
        #endif
        let background = Self.refusal(ofBackground: configuration.identifier)
        // A session of that identifier would take over the transfers of an earlier run.
        let configuration = background == nil ? configuration : .ephemeral
        let trust = Result { () throws(TransportError) in
            if let background { throw background }
            return try URLSessionTrust(tls, configuration)
        }
        switch trust {
        case .success: refusal = nil
        case .failure(let error): refusal = error
        }
        exchanges = URLSessionExchangeRegistry(trust: try? trust.get())
        idleTimeout = configuration.timeoutIntervalForRequest
        session = URLSession(
            configuration: configuration, delegate: exchanges, delegateQueue: Self.delegateQueue)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// - Parameter identifier: of a configuration; only those for the background have one.
    static func refusal(ofBackground identifier: String?) -> TransportError? {
        guard let identifier else { return nil }
        return TransportError(
            .unsupported,
            message:
                "The background URLSessionConfiguration \(identifier) is not supported; use .default or .ephemeral."
        )
    }

    /// Not by way of a proxy that the environment names, which `URLSession` heeds on Linux: it may be on this machine.
    public func needsNetwork(for url: URL) -> Bool { !ProxyEnvironment.namesProxy }

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        if let refusal { throw refusal }
        guard !Task.isCancelled else { throw TransportError.exchangeCancelled }
        #if canImport(FoundationNetworking)
            try Self.checkProxy(for: request.url)
        #endif
        let urlRequest = try URLRequest(request, idleTimeout: idleTimeout)
        let file = try await RequestFile.of(request.body)
        let task = session.task(for: urlRequest, from: file)
        let exchange = URLSessionExchange(task, for: request, file: file)
        exchanges.add(exchange)
        task.resume()
        return try await withTaskCancellationHandler {
            await exchange.outcome.value
        } onCancel: {
            exchange.cancel()
        }.get()
    }

    #if canImport(FoundationNetworking)
        /// Runs what it is given at once, on the session's own queue: the delegate only takes notes, and on
        /// Linux an operation costs more than all the rest of this transport.
        private final class AtOnce: OperationQueue, @unchecked Sendable {
            // No state of its own; the class it inherits from is `@unchecked Sendable`, and so must this be.
            override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
        }

        private static var delegateQueue: OperationQueue? { AtOnce() }

        /// On Linux `URLSession` sends what is for this machine to the proxy of the environment, token and all, and
        /// cannot be told otherwise.
        private static func checkProxy(for url: URL) throws(TransportError) {
            let host = HostName.normal(url.host ?? "")
            guard HostName.isLoopback(host), ProxyEnvironment.namesProxy,
                !ProxyEnvironment.exceptions.contains(where: { $0 == "*" || $0 == host })
            else { return }
            throw TransportError(
                .unsupported,
                message:
                    "URLSession would send this to the proxy of the environment, although it is for this machine; set no_proxy=localhost,127.0.0.1,::1, or use CurlTransport."
            )
        }
    #else
        private static var delegateQueue: OperationQueue? { nil }
    #endif
}
