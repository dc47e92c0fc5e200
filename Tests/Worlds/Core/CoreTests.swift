import DiscreteNetworkingCore
import Foundation
import Testing

// An app that imports the core alone, with a transport of its own.

extension ServiceIdentifier { static let tea: Self = "tea" }

final class TeaService: Service {
    let baseURL = URL(string: "https://tea.example.com")!
    var configuration: ServiceConfiguration { ServiceConfiguration(transport: Kettle()) }
}

nonisolated struct Tea: Decodable, Sendable { let name: String }

final class TeaManager: APIManager<Tea> {
    let serviceIdentifier = ServiceIdentifier.tea
    let methodName = "teas/{id}"
    let requestType = HTTPMethod.get
}

nonisolated struct Kettle: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        TransportResponse(
            url: request.url, status: 200, headers: ["Content-Type": "application/json"],
            body: .data(Data(#"{"name": "Assam \#(request.url.lastPathComponent)"}"#.utf8)))
    }
}

@MainActor
struct CoreTests {
    @Test func aCall() async throws {
        let manager = TeaManager()
        let proxy = ApiProxy(services: ServiceFactory())
        proxy.services.register([.tea: TeaService.self])
        manager.proxy = proxy
        let tea = try await manager.load(with: ["id": 7])
        #expect(tea.name == "Assam 7")
    }
}
