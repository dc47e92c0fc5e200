import DiscreteNetworkingCore
import DiscreteNetworkingResilience
import Foundation
import Testing

// An app that imports the core and one module above it, for hosts that fail.

extension ServiceIdentifier { static let ferry: Self = "ferry" }

final class FerryService: Service {
    let baseURL = URL(string: "https://north.example.com")!
    var configuration: ServiceConfiguration {
        ServiceConfiguration(
            transport: Harbor(), failover: FailoverPolicy(to: [URL(string: "https://south.example.com")!]),
            rateLimit: RateLimit(100, per: 1))
    }

    func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? {
        call.methodName == "storms" ? CircuitBreakerPolicy(threshold: 1) : .standard
    }
}

final class FerryManager: APIManager<[String]> {
    let serviceIdentifier = ServiceIdentifier.ferry
    let methodName: String
    let requestType = HTTPMethod.get

    init(_ methodName: String) { self.methodName = methodName }
}

nonisolated struct Harbor: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        if request.url.host == "north.example.com" { throw TransportError(.cannotConnect, message: "fog") }
        let isStorm = request.url.path == "/storms"
        return TransportResponse(
            url: request.url, status: isStorm ? 500 : 200, body: .data(Data(#"["south"]"#.utf8)))
    }
}

@MainActor
struct ResilienceTests {
    private let proxy = ApiProxy(services: ServiceFactory())

    init() { proxy.services.register([.ferry: FerryService.self]) }

    @Test func aCallAtTheSecondHost() async throws {
        let manager = FerryManager("ferries")
        manager.proxy = proxy
        #expect(try await manager.load() == ["south"])
    }

    @Test func anEndpointThatFailed() async throws {
        let manager = FerryManager("storms")
        manager.proxy = proxy
        let kinds = try await [kind(manager), kind(manager)]
        #expect(kinds.first == .http(status: 500))
        guard case .degraded? = kinds.last else {
            Issue.record("\(kinds)")
            return
        }
    }

    private func kind(_ manager: FerryManager) async throws -> APIError.Kind? {
        do throws(APIError) { _ = try await manager.load() } catch { return error.kind }
        return nil
    }
}
