import DiscreteNetworkingCore
import Foundation

/// The request that asks a host that failed whether it works again; see ``FailoverPolicy/healthCheck``.
struct HealthCheck: Sendable {
    private let request: APIRequest
    private let configured: ConfiguredService
    private let proxy: ApiProxy

    init(of url: URL, _ configured: ConfiguredService, _ proxy: ApiProxy) {
        let configuration = configured.configuration.value
        var request = APIRequest(
            url: url, headers: configuration.defaultHeaders, timeout: configuration.timeout,
            destination: .memory(limit: configuration.responseSizeLimit))
        request.notes.redirectPolicy = .refuse
        request.notes.plainHTTP = CleartextPolicy(hosts: configuration.plainHTTPHosts)
        (self.request, self.configured, self.proxy) = (request, configured, proxy)
    }

    func succeeds() async -> Bool {
        guard (try? request.notes.plainHTTP.check(request.url)) != nil else { return false }
        let response = await proxy.response(to: request, of: configured)
        return response.map { 200..<300 ~= $0.status } ?? false
    }
}
