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

    private struct Echo: Transport {
        func send(_ request: APIRequest) async throws -> TransportResponse {
            let sent = "s3cr3t-t0ken s3cr3t-passw0rd"
            return TransportResponse(
                url: request.url, status: 200, headers: ["Content-Type": "application/json", "X-Seen": sent],
                body: .data(
                    Data(#"{"seen":["\#(sent)","\#(Data("s3cr3t-t0ken".utf8).base64EncodedString())"]}"#.utf8)
                ))
        }
        func needsNetwork(for url: URL) -> Bool { false }
    }

    /// A cassette is committed.
    func testACassetteHasNoSecretThatTheServerRepeatsUnderAnotherName() async throws {
        let file = try temporaryFolder().appendingPathComponent("echo.json")
        let request = APIRequest(
            url: try XCTUnwrap(URL(string: "https://depot.example.com/a?q=1")), method: .post,
            headers: ["Authorization": "Bearer s3cr3t-t0ken", "Content-Type": "application/json"],
            body: .data(Data(#"{"password":"s3cr3t-passw0rd"}"#.utf8)))
        _ = try await CassetteTransport(at: file, mode: .record(over: Echo())).send(request)
        let text = try String(contentsOf: file, encoding: .utf8)
        for secret in ["s3cr3t", Data("s3cr3t-t0ken".utf8).base64EncodedString()] {
            XCTAssertFalse(text.contains(secret), text)
        }
        let response = try await CassetteTransport(at: file, mode: .replay).send(request)
        XCTAssertEqual(response.status, 200)
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
