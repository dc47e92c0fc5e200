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
/// Bodies are in memory; a file or a stream is ``TransportError/Kind/unsupported``. Timeouts, cellular,
/// waiting for connectivity, multipath, cookies and TLS are as the configuration says. On Linux a
/// configuration's `urlCache` is left out: there it never caches, and crashes when a task is cancelled.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges = URLSessionExchanges()
    private let idleTimeout: TimeInterval

    /// A transport of one's own policy.
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(copied: configuration.copy() as? URLSessionConfiguration ?? .default)
    }

    /// A transport that keeps no cookies, no credentials and no cache, in memory or on disk.
    public convenience init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = Self.longest
        self.init(copied: configuration)
    }

    private init(copied configuration: URLSessionConfiguration) {
        #if canImport(FoundationNetworking)
            configuration.urlCache = nil
        #endif
        idleTimeout = configuration.timeoutIntervalForRequest
        session = URLSession(
            configuration: configuration, delegate: exchanges, delegateQueue: Self.delegateQueue)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        let (urlRequest, limit) = try translate(request)
        let task = session.dataTask(with: urlRequest)
        let exchange = URLSessionExchange(task, limit: limit, onProgress: request.onProgress)
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
    #else
        private static var delegateQueue: OperationQueue? { nil }
    #endif

    /// A week; `URLSession` on Linux stops the process at infinity.
    private static let longest: TimeInterval = 7 * 86_400

    /// One value for each name, as `URLRequest` has it; duplicates are joined (RFC 9110 section 5.3).
    private static func dictionary(_ headers: HTTPFields) -> [String: String] {
        headers.reduce(into: [:]) { fields, field in
            let same = fields.keys.first { HTTPFields.isSame($0, field.name) }
            if let same, let value = fields[same] {
                fields[same] = value + (HTTPFields.isSame(same, "Cookie") ? "; " : ", ") + field.value
            } else {
                fields[field.name] = field.value
            }
        }
    }

    private func translate(_ request: APIRequest) throws(TransportError) -> (URLRequest, limit: Int) {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.allHTTPHeaderFields = Self.dictionary(request.headers)
        // The deadline is the proxy's; this one only frees the connection should that be lost. It is an
        // idle timer, and on Linux counts whole seconds.
        let backstop = request.timeout.isFinite ? request.timeout.rounded(.up) + 1 : Self.longest
        urlRequest.timeoutInterval = max(1, min(backstop, idleTimeout.rounded(.up), Self.longest))
        switch request.body {
        case .none: break
        case .data(let data):
            guard request.method != .get && request.method != .head || data.isEmpty else {
                throw TransportError(
                    .unsupported,
                    message:
                        "URLSession sends no body with \(request.method); encode the params in the query.")
            }
            urlRequest.httpBody = data
        case .file, .stream:
            throw TransportError(.unsupported, message: "This transport sends bodies from memory only.")
        }
        guard case .memory(let limit) = request.destination else {
            throw TransportError(.unsupported, message: "This transport brings bodies into memory only.")
        }
        return (urlRequest, limit)
    }
}
