import Foundation

/// The exchanges in flight that others may join.
final class RequestCoalescer: Sendable {
    /// All that goes on the wire, with the very tokens of a session, and where the response goes.
    private struct Key: Hashable, Sendable {
        let identity: RequestIdentity
        let destination: ResponseDestination
        let followsRedirects: Bool
        let plainHTTP: CleartextPolicy

        /// `nil` for a request that cannot be shared: not a plain GET into memory, or one with closures.
        init?(_ request: APIRequest) {
            guard request.method == .get, case .none = request.body, case .memory = request.destination,
                request.onProgress == nil
            else { return nil }
            switch request.redirectPolicy {
            case .follow: followsRedirects = true
            case .refuse: followsRedirects = false
            case .decide: return nil
            }
            var request = request
            // An answer to a token that is no longer good is none to the one after.
            request.terms.session = nil
            guard let identity = RequestIdentity(request) else { return nil }
            self.identity = identity
            destination = request.destination
            plainHTTP = request.plainHTTP
        }
    }

    private let exchanges = Locked<[Key: SharedExchange]>([:])

    /// Sends a request, or waits for the same one that is already on its way.
    /// - Returns: `nil` for a request that cannot be shared; nothing was sent.
    func outcome(of request: APIRequest, over follower: RedirectFollower) async -> SharedExchange.Outcome? {
        guard let key = Key(request) else { return nil }
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
        if isNew { exchange.start(request, over: follower) }
        return await exchange.outcome(for: waiter, within: request.timeout)
    }
}
