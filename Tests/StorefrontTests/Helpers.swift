import DiscreteNetworking
import LoopbackServer
import XCTest

/// Why a call failed. Fails the test where it did not.
@MainActor
func failure<Output>(
    of manager: TypedAPIManager<Output>, with params: Params? = nil, file: StaticString = #filePath,
    line: UInt = #line
) async -> APIError.Kind? {
    do {
        let output = try await manager.load(with: params)
        XCTFail("Expected a failure, got \(output).", file: file, line: line)
        return nil
    } catch {
        return error.kind
    }
}

extension LoopbackRequest {
    /// The query, with one value for each name.
    var queryParams: [String: String] { Dictionary(query.map { ($0.name, $0.value) }) { $1 } }
    /// The form in the body.
    var formParams: [String: String] { Dictionary(form.map { ($0.name, $0.value) }) { $1 } }
    /// The JSON in the body.
    var json: JSONValue? { try? JSONValue(parsing: body) }
}
