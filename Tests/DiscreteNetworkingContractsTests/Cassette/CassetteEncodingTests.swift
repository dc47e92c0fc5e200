import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

/// A cassette of JSON in UTF-16 has no secret, and replays.
final class CassetteEncodingTests: XCTestCase {
    private struct Backend: Transport {
        func send(_ request: APIRequest) async throws -> TransportResponse {
            TransportResponse(
                url: request.url, status: 200,
                headers: ["Content-Type": "application/json; charset=utf-16le"],
                body: .data(#"{"token":"s3cr3t-t0ken","name":"茶"}"#.data(using: .utf16LittleEndian) ?? Data())
            )
        }
        func needsNetwork(for url: URL) -> Bool { false }
    }

    func testACassetteOfUTF16HasNoSecretAndReplays() async throws {
        let file = try temporaryFolder().appendingPathComponent("utf16.json")
        let request = APIRequest(url: try XCTUnwrap(URL(string: "https://depot.example.com/a")))
        _ = try await CassetteTransport(at: file, mode: .record(over: Backend())).send(request)
        let text = try String(contentsOf: file, encoding: .utf8)
        XCTAssertTrue(text.contains("<redacted>"), text)
        XCTAssertFalse(text.contains("s3cr3t"), text)
        XCTAssertFalse(text.contains("base64"), text)
        let response = try await CassetteTransport(at: file, mode: .replay).send(request)
        guard case .data(let data) = response.body else { return XCTFail("\(response)") }
        XCTAssertEqual(try JSONValue(parsing: data), ["token": "<redacted>", "name": "茶"])
        XCTAssertEqual(response.headers["Content-Type"], "application/json; charset=utf-8")
    }
}
