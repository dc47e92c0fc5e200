import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

/// Exchanges whose bodies are another text each time.
@MainActor
final class TransformedBodyTests: XCTestCase {
    /// Puts bodies in an envelope of its own, with a number that is used once.
    private struct Wrapping: BodyTransform {
        func encode(_ request: inout APIRequest, for call: APICall) throws {
            request.body = try request.body.map {
                Data("\(UUID().uuidString) \($0.base64EncodedString())".utf8)
            }
            request.headers["Content-Type"] = "text/plain"
        }

        func decode(_ response: inout APIResponse, for call: APICall) throws {
            response.body = try XCTUnwrap(Data(base64Encoded: response.body))
        }
    }

    private final class SealedManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.depot
        let methodName = "sealed"
        let requestType = HTTPMethod.post
        override var bodyTransform: (any BodyTransform)? { Wrapping() }
    }

    private func manager(_ transport: any Transport) -> SealedManager {
        let services = ServiceFactory()
        services.register([.depot: DepotService.self])
        let manager = SealedManager()
        manager.proxy = ApiProxy(transport: transport, services: services)
        return manager
    }

    func testAreRecordedAndReplayedByTheirPlainRequest() async throws {
        let file = try temporaryFolder().appendingPathComponent("sealed.json")
        let answer = Data(#"{"code":0,"content":{"left":3}}"#.utf8).base64EncodedString()
        let wire = CannedTransport(answer, type: "text/plain")
        let recording = manager(CassetteTransport(at: file, mode: .record(over: wire)))
        _ = try await recording.load(with: ["id": 7, "password": "s3cr3t"])
        let text = try String(contentsOf: file, encoding: .utf8)
        XCTAssertFalse(text.contains("s3cr3t"), text)
        XCTAssertTrue(text.contains(answer), "the response is replayed as it was received")
        let replay = CassetteTransport(at: file, mode: .replay)
        let output = try await manager(replay).load(with: ["id": 7, "password": "another"])
        XCTAssertEqual(output["left"], 3)
        do {
            _ = try await manager(replay).load(with: ["id": 8, "password": "s3cr3t"])
            XCTFail("answered")
        } catch {
            XCTAssertTrue("\(error)".contains("body id: recorded 7, now 8"), "\(error)")
        }
    }

    private final class PackedManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.depot
        let methodName = "packed"
        let requestType = HTTPMethod.post
        var isPacked = true
        override var requestCompression: RequestCompression? { isPacked ? .gzip(from: 20) : .off }
    }

    /// What was recorded compressed is replayed for an app that does not compress, and the other way round.
    func testCompressionIsNotRecorded() async throws {
        let file = try temporaryFolder().appendingPathComponent("packed.json")
        func output(_ transport: any Transport, isPacked: Bool) async throws -> JSONValue {
            let services = ServiceFactory()
            services.register([.depot: DepotService.self])
            let manager = PackedManager()
            manager.isPacked = isPacked
            manager.proxy = ApiProxy(transport: transport, services: services)
            return try await manager.load(with: ["text": String(repeating: "a", count: 200)])
        }
        let wire = CannedTransport(#"{"code":0,"content":{"left":3}}"#)
        _ = try await output(CassetteTransport(at: file, mode: .record(over: wire)), isPacked: true)
        let text = try String(contentsOf: file, encoding: .utf8)
        XCTAssertTrue(text.contains(String(repeating: "a", count: 200)), text)
        XCTAssertFalse(text.contains("gzip"), text)
        for isPacked in [false, true] {
            let replay = CassetteTransport(at: file, mode: .replay)
            let found = try await output(replay, isPacked: isPacked)
            XCTAssertEqual(found["left"], 3)
        }
    }
}
