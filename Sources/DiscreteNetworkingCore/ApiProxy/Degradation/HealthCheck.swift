import Foundation

/// The request that asks a host that failed whether it works again; see ``FailoverPolicy/healthCheck``.
struct HealthCheck: Sendable {
    private let request: APIRequest
    private let follower: RedirectFollower

    init(of url: URL, _ configuration: ServiceConfiguration, over follower: RedirectFollower) {
        var request = APIRequest(
            url: url, headers: configuration.defaultHeaders, timeout: configuration.timeout,
            destination: .memory(limit: configuration.responseSizeLimit))
        request.notes.redirectPolicy = .refuse
        request.notes.plainHTTP = CleartextPolicy(hosts: configuration.plainHTTPHosts)
        self.request = request
        self.follower = follower
    }

    func succeeds() async -> Bool {
        let exchange = SharedExchange()
        guard (try? request.notes.plainHTTP.check(request.url)) != nil, let waiter = exchange.join() else {
            return false
        }
        exchange.start(request, over: follower)
        guard case .success(let response) = await exchange.outcome(for: waiter, within: request.timeout)
        else { return false }
        return 200..<300 ~= response.status
    }
}
