import DiscreteNetworkingJSON
import XCTest

@testable import ManagerGenerator

/// Calls that were recorded instead of described.
final class RecordingTests: XCTestCase {
    private func files(_ entries: String) throws -> [String: String] {
        let folder = try TemporaryFolder()
        let path = try folder.write(#"{"log": {"version": "1.2", "entries": [\#(entries)]}}"#, to: "shop.har")
        let generation = try Generation(Description(at: path), options: GeneratorOptions(module: "ShopAPI"))
        return Dictionary(uniqueKeysWithValues: generation.files.map { ($0.path, $0.text) })
    }

    private func call(
        _ method: String, _ url: String, status: Int = 200, _ body: String, request: String = ""
    ) -> String {
        #"{"request": {"method": "\#(method)", "url": "https://shop.example.com/\#(url)", "headers": []\#(request)}, "response": {"status": \#(status), "headers": [], "content": {"mimeType": "application/json", "text": \#(JSONValue.string(body).canonicalText)}}}"#
    }

    func testWhatCallsHaveInCommon() throws {
        let files = try files(
            [
                call(
                    "GET", "products/7?lang=zh", #"{"id": 7, "name": "茶壶", "price": 128.5, "stock": null}"#),
                call(
                    "GET", "products/8",
                    #"{"id": 8, "name": "cup", "price": 3, "made": "2024-03-01", "stock": 5}"#),
                call("GET", "products/404", status: 404, #"{"error": "none"}"#),
                call(
                    "POST", "orders", status: 201, #"{"at": "2024-02-29T12:30:00.250Z"}"#,
                    request:
                        #", "postData": {"mimeType": "application/json", "_json": {"items": [{"id": 7}]}}"#),
            ].joined(separator: ","))
        let product = try XCTUnwrap(
            files["ShopAPI/Products/GetProductsByProductIDManager.swift"], "\(files.keys.sorted())")
        for line in [
            "/// Inferred from 3 recorded calls.", "public let methodName = \"products/{productID}\"",
            "public var productID: Int",
            "public var lang: String?", "/// Inferred from 2 recorded answers.", "public var id: Int",
            "public var name: String",
            "public var price: Double", "public var made: FullDate?", "public var stock: Int?",
            "with status 404",
        ] {
            XCTAssertTrue(product.contains(line + "\n") || product.contains(line), "\(line) in \(product)")
        }
        let order = try XCTUnwrap(files["ShopAPI/Orders/PostOrdersManager.swift"])
        XCTAssertTrue(order.contains("public var at: Date\n"), order)
        XCTAssertTrue(order.contains("public var items: [Item]"), order)
    }

    /// Django redirects a path without it, and a redirected POST loses its body.
    func testASlashAtTheEndIsKept() throws {
        let files = try files(
            [
                call("GET", "products/7/", #"{"id": 7}"#),
                call("POST", "orders/", status: 201, #"{"id": 7}"#),
                call("GET", "", #"{"id": 7}"#),
            ].joined(separator: ","))
        let names = files.values.flatMap { $0.split(separator: "\n") }
            .filter { $0.contains("public let methodName") }.map { $0.trimmingCharacters(in: .whitespaces) }
        XCTAssertEqual(
            names.sorted(),
            ["", "orders/", "products/{productID}/"].map { "public let methodName = \"\($0)\"" })
    }

    func testKeysThatAreNumbersMakeADictionary() {
        let schema = SchemaInference.schema(of: [["1": ["a": 1], "2": ["a": 2], "30": ["a": nil]]])
        XCTAssertEqual(schema["additionalProperties"]?["properties"]?["a"]?["type"], ["integer", "null"])
        XCTAssertEqual(SchemaInference.schema(of: [1, "a"])["anyOf"]?.array?.count, 2)
        XCTAssertEqual(SchemaInference.schema(of: [nil]), [:])
    }

    func testARecordingWithoutAnswers() {
        XCTAssertThrowsError(try files("")) {
            XCTAssertTrue("\($0)".contains("no call that was answered"), "\($0)")
        }
    }
}
