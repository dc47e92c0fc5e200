import Foundation

/// Coalesces identical requests in flight.
final class RequestCoalescer: Sendable {
    /// Identifies a request: everything that is sent, including the session's tokens, and its destination.
    private struct Key: Hashable, Sendable {
        let identity: RequestIdentity
        /// The service, if it has a transport of its own: an answer over a connection that another service trusts is
        /// none for it.
        let service: ServiceIdentifier?
        let destination: ResponseDestination
        let followsRedirects: Bool
        /// A call that may not use a cellular network does not join one that does.
        let networkAccess: [Bool]
        let plainHTTP: CleartextPolicy

        /// Creates a key; returns `nil` for a request that cannot be shared: only a GET to memory without
        /// closures can.
        init?(_ request: APIRequest, _ service: ServiceIdentifier?) {
            guard request.method == .get, case .none = request.body, case .memory = request.destination,
                request.onProgress == nil
            else { return nil }
            switch request.redirectPolicy {
            case .follow: followsRedirects = true
            case .refuse: followsRedirects = false
            case .decide: return nil
            }
            var request = request
            // A response to an expired token is not an answer to a request with a new one.
            request.terms.session = nil
            // Nor is a host that does not answer one that does.
            request.terms.host = nil
            guard let identity = RequestIdentity(request) else { return nil }
            self.identity = identity
            self.service = service
            destination = request.destination
            plainHTTP = request.plainHTTP
            networkAccess = [
                request.allowsCellularAccess, request.allowsExpensiveNetworkAccess,
                request.allowsConstrainedNetworkAccess,
            ]
        }
    }

    private let exchanges = Locked<[Key: SharedExchange]>([:])

    /// Joins an identical request in flight; returns `nil` if there is none.
    func join(_ request: APIRequest, from service: ServiceIdentifier?) -> SharedExchange.Membership? {
        guard let key = Key(request, service) else { return nil }
        let exchange = exchanges.withLock { $0[key] }
        return exchange.flatMap { exchange in exchange.join().map { .init(exchange, $0) } }
    }

    /// Sends a request, or joins an identical one in flight.
    /// - Parameters:
    ///   - service: The service, if it has a transport of its own.
    ///   - slot: Returns the slot that the exchange keeps until its end, if the request is sent.
    ///   - joined: Called if the request joins another.
    /// - Returns: `nil` if the request cannot be shared; nothing was sent.
    func outcome(
        of request: APIRequest, from service: ServiceIdentifier?, over follower: RedirectFollower,
        slot: () -> CallQueue.Slot? = { nil }, joined: () -> Void = {}
    ) async -> SharedExchange.Outcome? {
        guard let key = Key(request, service) else { return nil }
        let (exchange, waiter, isNew) = exchanges.withLock {
            exchanges -> (SharedExchange, SharedExchange.Waiter?, Bool) in
            if let running = exchanges[key], let waiter = running.join() { return (running, waiter, false) }
            let exchange = SharedExchange { [weak self] ended in
                self?.exchanges.withLock { if $0[key] === ended { $0[key] = nil } }
            }
            exchanges[key] = exchange
            return (exchange, exchange.join(), true)
        }
        guard let waiter else { return nil }
        if isNew { exchange.start(request, over: follower, slot: slot()) } else { joined() }
        return await exchange.outcome(for: waiter, within: request.timeout)
    }
}
