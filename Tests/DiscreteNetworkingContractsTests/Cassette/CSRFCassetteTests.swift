import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

/// A cassette of a service with CSRF tokens has no token, and replays.
@MainActor
final class CSRFCassetteTests: XCTestCase {
    private struct Backend: Transport {
        func send(_ request: APIRequest) async throws -> TransportResponse {
            let json = request.method == .get ? #"{"result":"pr00f-of-origin"}"# : #"{"left":3}"#
            return TransportResponse(
                url: request.url, status: 200, headers: ["Content-Type": "application/json"],
                body: .data(Data(json.utf8)))
        }
        func needsNetwork(for url: URL) -> Bool { false }
    }

    private final class ProtectedService: Service {
        let baseURL = URL(string: "https://depot.example.com")!
        let configuration = ServiceConfiguration(
            csrf: CSRFProtection(endpoint: "csrf", at: "result", header: "X-Proof"))
    }

    private final class OrderManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.depot
        let methodName = "orders"
        let requestType = HTTPMethod.post
    }

    private func manager(_ transport: any Transport) -> OrderManager {
        let services = ServiceFactory()
        services.register([.depot: ProtectedService.self])
        let manager = OrderManager()
        manager.proxy = ApiProxy(transport: transport, services: services)
        return manager
    }

    func testACassetteHasNoTokenAndReplays() async throws {
        let file = try temporaryFolder().appendingPathComponent("csrf.json")
        let recording = CassetteTransport(at: file, mode: .record(over: Backend()))
        _ = try await manager(recording).load(with: ["id": 7])
        let text = try String(contentsOf: file, encoding: .utf8)
        XCTAssertFalse(text.contains("pr00f"), text)
        XCTAssertTrue(text.contains("X-Proof"), text)
        let replay = CassetteTransport(at: file, mode: .replayExactly)
        let output = try await manager(replay).load(with: ["id": 7])
        XCTAssertEqual(output["left"], 3)
        XCTAssertEqual(replay.problems, [])
    }
}
