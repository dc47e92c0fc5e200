import DiscreteNetworkingCore
import DiscreteNetworkingTransfers
import Foundation
import Testing

// An app that imports the core and one module above it, for a file and for events.

extension ServiceIdentifier { static let atlas: Self = "atlas" }

final class AtlasService: Service {
    let baseURL = URL(string: "https://atlas.example.com")!
    var configuration: ServiceConfiguration { ServiceConfiguration(transport: Printer()) }
}

final class MapManager: APIManager<DownloadedFile> {
    let serviceIdentifier = ServiceIdentifier.atlas
    let methodName = "map"
    let requestType = HTTPMethod.get

    override var download: Download? { Download(checksum: .md5("1bc29b36f623ba82aaf6724fd3b16718")) }
}

final class TideManager: APIManager<ByteStream> {
    let serviceIdentifier = ServiceIdentifier.atlas
    let methodName = "tides"
    let requestType = HTTPMethod.get
}

nonisolated struct Printer: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        if request.url.path == "/map" {
            return TransportResponse(url: request.url, status: 200, body: .data(Data("md5".utf8)))
        }
        return TransportResponse(
            url: request.url, status: 200, headers: ["Content-Type": "text/event-stream"],
            body: .data(Data("data: ebb\n\ndata: flood\n\n".utf8)))
    }
}

@MainActor
struct TransfersTests {
    private let proxy = ApiProxy(services: ServiceFactory())

    init() { proxy.services.register([.atlas: AtlasService.self]) }

    @Test func aFile() async throws {
        let manager = MapManager()
        manager.proxy = proxy
        let file = try await manager.load()
        defer { try? FileManager.default.removeItem(at: file.url) }
        #expect(try Data(contentsOf: file.url) == Data("md5".utf8))
        #expect(file.byteCount == 3)
    }

    @Test func aStream() async throws {
        let manager = TideManager()
        manager.proxy = proxy
        var tides: [String] = []
        for try await event in try await manager.load().events { tides.append(event.data) }
        #expect(tides == ["ebb", "flood"])
    }
}
