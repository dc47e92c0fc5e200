import Foundation

/// Coalesces identical requests in flight.
final class RequestCoalescer: ProxyState {
    /// Identifies a request: everything that is sent, including the session's tokens, and its destination.
    private struct Key: Hashable, Sendable {
        let identity: RequestIdentity
        /// The service, if it has a transport of its own: a response over a connection that another service trusts is
        /// none for it.
        let service: ServiceIdentifier?
        let destination: ResponseDestination
        let followsRedirects: Bool
        /// A call that may not use a cellular network does not join one that does.
        let networkAccess: [Bool]
        let plainHTTP: CleartextPolicy
        /// The jar that keeps the cookies of the response, and how often it was emptied.
        let jar: CookiePlace?
        /// When a change of the response was confirmed last: an earlier request does not have it.
        let confirmation: Int

        /// Creates a key; returns `nil` for a request that cannot be shared: only a GET to memory without
        /// closures can.
        init?(_ request: APIRequest, _ service: ServiceIdentifier?, _ confirmation: Int) {
            guard request.method == .get, case .none = request.body, case .memory = request.destination,
                request.onProgress == nil
            else { return nil }
            switch request.notes.redirectPolicy {
            case .follow: followsRedirects = true
            case .refuse: followsRedirects = false
            case .decide: return nil
            }
            var request = request
            // A response to an expired token is not an answer to a request with a new one.
            request.notes.identity.session = nil
            // Nor is a host that does not answer one that does.
            request.notes.identity.host = nil
            guard let identity = RequestIdentity(request) else { return nil }
            self.identity = identity
            self.service = service
            self.confirmation = confirmation
            jar = request.notes.cookies?.place
            destination = request.destination
            plainHTTP = request.notes.plainHTTP
            networkAccess = [
                request.allowsCellularAccess, request.allowsExpensiveNetworkAccess,
                request.allowsConstrainedNetworkAccess,
            ]
        }

        /// Returns why a GET cannot be shared; `nil` for other methods, which never are.
        static func obstacle(in request: APIRequest) -> String? {
            guard request.method == .get, case .memory = request.destination else { return nil }
            guard case .none = request.body else { return "it has a body" }
            if request.onProgress != nil { return "its progress is observed" }
            if case .decide = request.notes.redirectPolicy { return "its redirect policy is a closure" }
            return nil
        }

        /// Returns why a request does not join one of others to its URL.
        /// - Parameter headers: The header fields of the request, for the case of their names.
        func reason(amid others: [Key], _ headers: HTTPFields) -> MissReason {
            let own = fingerprint(headers)
            return .differs(own.differences(fromNearestOf: others.map { $0.fingerprint(headers) }) ?? [])
        }

        private func fingerprint(_ headers: HTTPFields) -> RequestFingerprint {
            let settings = [
                ("transport", service?.rawValue ?? ""), ("responseSizeLimit", "\(destination)"),
                ("redirectPolicy", "\(followsRedirects)"), ("network", "\(networkAccess)"),
                ("plainHTTPHosts", "\(plainHTTP.hashValue)"),
            ]
            return RequestFingerprint(
                identity, headers: headers,
                others: settings.map { (RequestPart.setting($0.0), $0.1) })
        }
    }

    private struct State {
        var exchanges: [Key: SharedExchange] = [:]
        /// The keys of exchanges to the same URL without its query, by the hash of this URL, latest last. Only for
        /// observed calls.
        var neighbors: [Int: [Key]] = [:]

        mutating func remove(_ exchange: SharedExchange, _ key: Key, at url: Int?) {
            if exchanges[key] === exchange { exchanges[key] = nil }
            guard let url else { return }
            neighbors[url]?.removeAll { $0 == key }
            if neighbors[url]?.isEmpty == true { neighbors[url] = nil }
        }
    }

    /// The maximum number of exchanges that a request is compared with.
    private static let neighborLimit = 8

    private let state = Locked(State())

    /// The number of exchanges in flight that others are compared with.
    var neighborCount: Int { state.withLock { $0.neighbors.values.reduce(0) { $0 + $1.count } } }

    /// Joins an identical request in flight; returns `nil` if there is none.
    func join(_ request: APIRequest, from service: ServiceIdentifier?, since confirmation: Int = 0)
        -> SharedExchange.Membership?
    {
        guard let key = Key(request, service, confirmation) else { return nil }
        let exchange = state.withLock { $0.exchanges[key] }
        return exchange.flatMap { exchange in exchange.join().map { .init(exchange, $0) } }
    }

    /// Sends a request, or joins an identical one in flight.
    /// - Parameters:
    ///   - service: The service, if it has a transport of its own.
    ///   - slot: Returns the slot that the exchange keeps until its end, if the request is sent.
    ///   - joined: Called if the request joins another.
    ///   - missed: Called if the request does not join another one to its URL; `nil` if nobody observes it.
    /// - Returns: `nil` if the request cannot be shared; nothing was sent.
    func outcome(
        of request: APIRequest, from service: ServiceIdentifier?, over follower: RedirectFollower,
        since confirmation: Int = 0, slot: () -> CallQueue.Slot? = { nil }, joined: () -> Void = {},
        missed: ((MissReason) -> Void)? = nil
    ) async -> SharedExchange.Outcome? {
        guard let key = Key(request, service, confirmation) else {
            if let missed, let obstacle = Key.obstacle(in: request) { missed(.incomparable(obstacle)) }
            return nil
        }
        // The end of the call gives its slot back, but cancels its task before. From here on, the slot is held here.
        var slot = slot()
        guard !Task.isCancelled else { return .failure(ExchangeFailure(.exchangeCancelled)) }
        let url = missed == nil ? nil : request.url.absoluteString.prefix { $0 != "?" }.hashValue
        let (exchange, waiter, neighbors) = state.withLock {
            state -> (SharedExchange, SharedExchange.Waiter?, [Key]?) in
            if let running = state.exchanges[key], let waiter = running.join() {
                return (running, waiter, nil)
            }
            let exchange = SharedExchange { [weak self] ended in
                self?.state.withLock { $0.remove(ended, key, at: url) }
            }
            state.exchanges[key] = exchange
            guard let url else { return (exchange, exchange.join(), []) }
            let neighbors = state.neighbors[url] ?? []
            state.neighbors[url] = neighbors.suffix(Self.neighborLimit - 1) + [key]
            return (exchange, exchange.join(), neighbors.filter { $0 != key })
        }
        guard let waiter else { return nil }
        if let neighbors {
            if !neighbors.isEmpty { missed?(key.reason(amid: neighbors, request.headers)) }
            exchange.start(request, over: follower, slot: slot)
            slot = nil
        } else {
            slot = nil
            joined()
        }
        return await exchange.outcome(for: waiter, within: request.timeout)
    }
}

extension ApiProxy {
    var exchanges: RequestCoalescer { state { RequestCoalescer() } }
}
