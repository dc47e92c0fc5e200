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

    func testCallsOfOneEndpointAreMerged() throws {
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
            "public var lang: String?", "/// Inferred from 2 recorded responses.", "public var id: Int",
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

    private func recorded(_ entries: [String], _ options: [String] = []) throws -> (
        CommandRun, TemporaryFolder
    ) {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#, to: "shop.har")
        return (CommandRun([path, "--module", "ShopAPI", "--output", folder.url.path] + options), folder)
    }

    private func page(_ url: String, _ mediaType: String, _ text: String = "x") -> String {
        call("GET", url, text).replacingOccurrences(of: "application/json", with: mediaType)
    }

    func testAPathThatTheUserNamesHasItsParameters() throws {
        let calls = [
            call("GET", "contents/poem.txt", #"{"name": "poem.txt"}"#),
            call("GET", "contents/book.ipynb", #"{"name": "book.ipynb"}"#),
            call("GET", "files/a/b%20c/d", #"{"size": 1}"#), call("GET", "files/e", #"{"size": 1}"#),
            page("files/", "text/html"),
        ]
        let (run, folder) = try recorded(calls, ["--path", "/contents/{name}", "--path=/files/{path+}"])
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        let contents = try folder.text("ShopAPI/Contents/GetContentsByNameManager.swift")
        XCTAssertTrue(contents.contains("public let methodName = \"contents/{name}\""), contents)
        XCTAssertTrue(contents.contains("public var name: String\n"), contents)
        let files = try folder.text("ShopAPI/Files/GetFilesByPathManager.swift")
        XCTAssertTrue(files.contains("public let methodName = \"files/{path}\""), files)
        XCTAssertTrue(files.contains("Inferred from 2 recorded calls."), files)
        let tests = try folder.text("ShopAPITests/Files/GetFilesByPathManagerTests.swift")
        XCTAssertTrue(tests.contains("a%2Fb%20c%2Fd"), tests)
        for wrong in ["contents", "/a/{b", "/{a}/{a}", "/{a+}/b", "/a?b={c}"] {
            let (run, _) = try recorded(calls, ["--path", wrong])
            XCTAssertEqual(run.status, 64)
            XCTAssertTrue(run.errors[0].contains("not \(wrong)."), "\(run.errors)")
        }
    }

    func testPagesAndFilesAreLeftOutAndNamed() throws {
        let calls = [
            call("GET", "products", #"[{"id": 1}]"#), page("", "text/html"),
            page("app.js", "text/javascript"),
            page("logo.png", "image/png", ""), page("old", "text/plain", #"{"id": 1}"#),
            call("DELETE", "products/1", status: 204, ""), page("export.csv", "text/csv", "a,b"),
        ]
        let (run, folder) = try recorded(calls)
        let names = folder.files.filter { $0.hasPrefix("ShopAPI/") && $0.hasSuffix("Manager.swift") }
        XCTAssertEqual(
            names.sorted(),
            [
                "ShopAPI/Old/GetOldManager.swift", "ShopAPI/Products/DeleteProductsByProductIDManager.swift",
                "ShopAPI/Products/GetProductsManager.swift",
            ])
        XCTAssertTrue(
            run.out.contains {
                $0.contains(
                    "left out: GET /, GET /app.js, GET /export.csv, GET /logo.png. To include one, name its path with --path"
                )
            }, "\(run.out)")
        let (csv, exports) = try recorded(calls, ["--path", "/export.csv"])
        XCTAssertEqual(csv.status, 0)
        XCTAssertTrue(exports.files.contains { $0.contains("GetExportCSVManager") }, "\(exports.files)")
    }

    func testEndpointsThatOnlyFailedAreListed() throws {
        let calls = [
            call("GET", "products", #"[{"id": 1}]"#), call("GET", "orders", status: 403, "{}"),
            call("GET", "orders", status: 500, "{}"), call("GET", "products", status: 500, "{}"),
        ]
        let (run, folder) = try recorded(calls)
        XCTAssertFalse(folder.files.contains { $0.contains("Orders") })
        XCTAssertTrue(
            run.out.contains {
                $0.contains("GET /orders was only seen with status 403, 500; it is left out.")
            },
            "\(run.out)")
        let (none, _) = try recorded(Array(calls[1...2]))
        XCTAssertTrue(none.errors[0].contains("no call that succeeded with JSON"), "\(none.errors)")
    }

    func testKeysThatAreNumbersMakeADictionary() {
        let schema = SchemaInference.schema(of: [["1": ["a": 1], "2": ["a": 2], "30": ["a": nil]]])
        XCTAssertEqual(schema["additionalProperties"]?["properties"]?["a"]?["type"], ["integer", "null"])
        XCTAssertEqual(SchemaInference.schema(of: [1, "a"])["anyOf"]?.array?.count, 2)
        XCTAssertEqual(SchemaInference.schema(of: [nil]), [:])
    }

    func testARecordingWithoutAnswers() {
        XCTAssertThrowsError(try files("")) {
            XCTAssertTrue("\($0)".contains("no call with a response"), "\($0)")
        }
    }
}
