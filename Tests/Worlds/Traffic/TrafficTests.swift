import DiscreteNetworkingCore
import DiscreteNetworkingTraffic
import Foundation
import Testing

// An app that imports the core and one module above it.

extension ServiceIdentifier { static let tea: Self = "tea" }

final class TeaService: Service {
    let baseURL = URL(string: "https://tea.example.com")!
    var configuration: ServiceConfiguration { ServiceConfiguration(transport: Kettle()) }
}

final class TeaManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.tea
    let methodName = "teas"
    let requestType = HTTPMethod.post
}

nonisolated struct Kettle: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        TransportResponse(url: request.url, status: 204)
    }
}

@MainActor
struct TrafficTests {
    @Test func aRecordedCall() async throws {
        let manager = TeaManager()
        let proxy = ApiProxy(services: ServiceFactory())
        proxy.services.register([.tea: TeaService.self])
        manager.proxy = proxy
        let recorder = TrafficRecorder()
        proxy.addObserver(recorder)
        try await manager.load(with: ["name": "Assam"])
        let entries = recorder.archive()["log"]?["entries"]?.array
        #expect(entries?.count == 1)
        #expect(entries?.first?["request"]?["url"]?.string == "https://tea.example.com/teas")
    }
}
