import DiscreteNetworking
import DiscreteNetworkingTesting
import EverythingAPI
import Foundation
import XCTest

/// What is sent of models with properties that only the server, or only the client, sets.
@MainActor
final class InputValueTests: XCTestCase {
    private let stubs = StubTransport()

    private func prepared<Manager: BaseAPIManager>(_ manager: Manager) -> Manager {
        manager.proxy = ApiProxy(stubbing: stubs, [.everything: EverythingService.self])
        return manager
    }

    private func decoded<Value: Decodable>(_ json: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Value.self, from: Data(json.utf8))
    }

    private func sent() throws -> JSONValue {
        guard case .data(let body)? = stubs.requests.last?.body else { return .null }
        return try JSONDecoder().decode(JSONValue.self, from: body)
    }

    private static let parcel = #"""
        {"id": "p1", "weight": 2, "kind": "parcel", "inside": {"id": "p2", "weight": 1, "kind": "parcel"},
         "labels": [{"printed": "2024-02-29T12:30:00Z", "text": "Fragile"}]}
        """#
    private static let sentParcel = #"""
        {"weight": 2, "kind": "parcel", "inside": {"weight": 1, "kind": "parcel"}, "labels": [{"text": "Fragile"}]}
        """#

    func testReadersHaveTheIdentifierWithoutAnOptional() throws {
        let parcel: Parcel = try decoded(Self.parcel)
        let id: String = parcel.id
        XCTAssertEqual(id, "p1")
        XCTAssertThrowsError(try decoded(#"{"weight": 2, "kind": "parcel"}"#) as Parcel)
    }

    func testReceivedObjectsAreSentWithoutWhatTheServerSets() async throws {
        let (whole, part) = (Self.parcel, Self.sentParcel)
        let bottle = #"{"litres": 0.5, "kind": "bottle"}"#
        let crate: Crate = try decoded(
            """
            {"parcels": [\(whole)], "places": {"left": \(whole)}, "top": \(whole), "either": [\(whole), \(bottle)],
             "spare": \(whole)}
            """)
        stubs.on(answer: .text(#"{"parcels": []}"#, type: "application/json", status: 201))
        var input = Crate.Input(crate)
        input.parcels.append(Parcel.Input(weight: 9))
        _ = try await prepared(PostCrateManager()).load(with: .init(body: input))
        let expected: JSONValue = try decoded(
            """
            {"parcels": [\(part), {"weight": 9, "kind": "parcel"}], "places": {"left": \(part)}, "top": \(part),
             "either": [\(part), \(bottle)], "spare": \(part)}
            """)
        XCTAssertEqual(try sent(), expected)
    }

    func testPasswordIsSentAndNotExpected() async throws {
        stubs.on(answer: .text(#"{"id": 1, "name": "Ada"}"#, type: "application/json", status: 201))
        let keeper = try await prepared(PostKeeperManager()).load(
            with: .init(body: .init(name: "Ada", password: "secret")))
        let id: Int = keeper.id
        XCTAssertEqual(id, 1)
        XCTAssertEqual(try sent(), ["name": "Ada", "password": "secret"])
        let again = Keeper.Input(keeper, password: "other")
        XCTAssertEqual(again.jsonValue, ["name": "Ada", "password": "other"])
    }
}
