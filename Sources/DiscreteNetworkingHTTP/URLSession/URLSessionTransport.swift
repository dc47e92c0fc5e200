public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A transport that uses Foundation's `URLSession`.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.allowsCellularAccess = false
/// ApiProxy.shared = ApiProxy(
///     transport: URLSessionTransport(configuration: configuration))
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
/// With a ``HostResolution``, `URLSession` receives a URL with an IP address in place of the host, because it has no
/// other way. The header `Host` has the name, and the certificate is checked for the name. `URLSession` sends no server
/// name (SNI) for an address: a server with several certificates may show the wrong one, which ends the call with
/// ``TransportError/Kind/serverCertificateUntrusted``. Over HTTP/2, `URLSession` sends the address as the authority of
/// a request: the server has to speak HTTP/1.1 only, or to ignore the authority. A proxy in the system's settings
/// receives the address. Only `https` URLs are resolved in this way; the system resolves all others. This code is
/// type-checked, and has not run on a device.
///
/// On Linux, where `CurlTransport` is the default, support is limited: an unread streamed response is
/// buffered in memory, a canceled exchange goes on until the server has nothing to send for an instant, a custom
/// ``TLSPolicy``, a ``HostResolution`` and a ``DebuggingProxy`` fail with ``TransportError/Kind/unsupported``,
/// `HTTPCredential.digest` is ignored, and there are no metrics. Each POST and PATCH has a connection of its own, because Foundation
/// would send it a second time if a connection that was used before ends. The configuration's `urlCache` is not
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
    /// The sessions of hosts that are reached by address, so that no host uses a connection that was checked for another.
    private let named = Locked<[String: Session]>([:])
    private let resolution: HostResolution?
    private let debuggingProxy: DebuggingProxy?
    private let separatesStreams: Bool
    private let trust: URLSessionTrust?
    /// Whether another session would trust other servers.
    package let hasTLSPolicy: Bool
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
    ///   - debuggingProxy: The proxy that shows the traffic of debug builds, in place of the configuration's. Default: `nil`.
    public convenience init(
        configuration: URLSessionConfiguration, tls: TLSPolicy = TLSPolicy(),
        debuggingProxy: DebuggingProxy? = nil
    ) {
        let copy = configuration.copy() as? URLSessionConfiguration ?? .default
        self.init(copied: copy, tls, nil, debuggingProxy, separatesStreams: false)
    }

    /// Creates a transport without cookies, stored credentials or caches.
    /// - Parameters:
    ///   - tls: The TLS policy. Its files are read now; if one is unreadable, every exchange fails with the reason.
    ///   - resolution: The addresses of hosts in place of the system's resolver. Default: `nil`. Cookies, caches and stored
    ///     credentials of a configuration would go by the address, so that only this initializer has it.
    ///   - debuggingProxy: The proxy that shows the traffic of debug builds, and resolves all hosts. Default: `nil`.
    public convenience init(
        tls: TLSPolicy = TLSPolicy(), resolution: HostResolution? = nil, debuggingProxy: DebuggingProxy? = nil
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = URLRequest.longestTimeout
        self.init(copied: configuration, tls, resolution, debuggingProxy, separatesStreams: true)
    }

    private init(
        copied configuration: URLSessionConfiguration, _ tls: TLSPolicy, _ resolution: HostResolution?,
        _ debuggingProxy: DebuggingProxy?, separatesStreams: Bool
    ) {
        #if canImport(FoundationNetworking)
            configuration.urlCache = nil
        #endif
        let background = Self.refusal(ofBackground: configuration.identifier)
        // A session with that identifier would take over the transfers of an earlier launch.
        let configuration = background == nil ? configuration : .ephemeral
        let trust = Result { () throws(TransportError) in
            if let background { throw background }
            let trust = try URLSessionTrust(tls, configuration, debuggingProxy)
            try Self.check(resolution)
            return trust
        }
        hasTLSPolicy = tls != TLSPolicy() || debuggingProxy != nil
        self.debuggingProxy = debuggingProxy
        // The proxy resolves all names.
        self.resolution = debuggingProxy == nil ? resolution : nil
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
        for session in named.current.values { session.session.finishTasksAndInvalidate() }
    }

    /// The number of connections of streams to a host. It limits what a mistake costs; no other call waits for them.
    private static let streamLimit = 256

    private func session(for request: APIRequest) -> Session {
        if Self.isSentAlone(request.method) { return Session(calls.session.configuration, trust) }
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

    /// The number of hosts that are reached by address; the system resolves further ones.
    private static let namedLimit = 64

    /// Returns the session of a host that is reached by address; `nil` if there are too many hosts.
    private func session(for request: APIRequest, named name: String) -> Session? {
        let isStream = request.isOpenEnded
        return named.withLock { named in
            let key = isStream ? name + " streams" : name
            if let session = named[key] { return session }
            guard named.count < 2 * Self.namedLimit else { return nil }
            let configuration =
                calls.session.configuration.copy() as? URLSessionConfiguration ?? .ephemeral
            if isStream { configuration.httpMaximumConnectionsPerHost = Self.streamLimit }
            let session = Session(configuration, trust)
            named[key] = session
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
        Self.needsNetwork(
            waitsForConnectivity: waitsForConnectivity,
            namesProxy: debuggingProxy != nil || ProxyEnvironment.namesProxy)
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
        do throws(TransportError) {
            guard let resolution, request.url.scheme?.lowercased() == "https" else {
                return try await exchange(request)
            }
            return try await exchange(request, resolution)
        } catch {
            throw debuggingProxy?.explained(error) ?? error
        }
    }

    /// Sends a request to the addresses of its host, one after the other, then to the addresses that the system finds.
    private func exchange(
        _ request: APIRequest, _ resolution: HostResolution
    ) async throws(TransportError) -> TransportResponse {
        var request = request
        guard let host = try await ResolvedHost(request, resolution) else {
            return try await exchange(request)
        }
        request.timeout -= host.wait
        for address in host.addresses {
            guard let url = request.url.replacingHost(with: address),
                let session = session(for: request, named: host.name)
            else { break }
            let start = Uptime.seconds
            do throws(TransportError) {
                let response = try await exchange(request, at: url, of: host.name, in: session)
                host.note([address], reached: address, error: nil)
                return response
            } catch {
                // Whether a connection was made is not known after a timeout; the next call tries another address.
                let isReached = error.kind != .cannotConnect && error.kind != .timedOut
                host.note([address], reached: isReached ? address : nil, error: error.kind)
                request.timeout -= Uptime.seconds - start
                // Nothing was sent, so that another address can be tried.
                guard error.kind == .cannotConnect, request.timeout > 0 else { throw error }
            }
        }
        return try await exchange(request)
    }

    /// - Parameters:
    ///   - url: The URL with an address in place of the host; `nil` for the request's.
    ///   - name: The name of the host, if the URL has an address.
    private func exchange(
        _ request: APIRequest, at url: URL? = nil, of name: String? = nil, in named: Session? = nil
    ) async throws(TransportError) -> TransportResponse {
        var urlRequest = try URLRequest(request, idleTimeout: idleTimeout)
        if let url, let name {
            urlRequest.url = url
            if urlRequest.value(forHTTPHeaderField: "Host") == nil {
                let port = url.port.map { ":\($0)" } ?? ""
                urlRequest.setValue(name + port, forHTTPHeaderField: "Host")
            }
        }
        let file = try await RequestFile.of(request.body)
        let session = named ?? session(for: request)
        let task = session.session.task(for: urlRequest, from: file)
        let exchange = URLSessionExchange(task, for: request, file: file, hostName: name)
        session.exchanges.add(exchange)
        let deadline =
            request.timeout.isFinite
            ? Deadlines.shared.schedule(after: request.timeout) {
                exchange.giveUp(TransportError(.timedOut, message: "The request timed out."))
            } : nil
        defer { if let deadline { Deadlines.shared.cancel(deadline) } }
        task.resume()
        if named == nil, Self.isSentAlone(request.method) { session.session.finishTasksAndInvalidate() }
        return try await withTaskCancellationHandler {
            await exchange.outcome.value
        } onCancel: {
            exchange.cancel()
        }.get()
    }
}
