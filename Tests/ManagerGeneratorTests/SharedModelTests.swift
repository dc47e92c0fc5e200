import DiscreteNetworkingJSON
import XCTest

@testable import ManagerGenerator

/// Inline schemas that are the same are one model, under the names that each of them had.
final class SharedModelTests: XCTestCase {
    private static let data =
        #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "size": {"type": "object", "properties": {"bytes": {"type": "integer"}}}}}"#

    private func get(_ path: String, _ schema: String, failure: String? = nil) -> String {
        func content(_ schema: String) -> String {
            #"{"description": "", "content": {"application/json": {"schema": \#(schema)}}}"#
        }
        let failure = failure.map { #", "400": \#(content($0))"# } ?? ""
        return
            #""/\#(path)": {"get": {"operationId": "\#(path)", "responses": {"200": \#(content(schema))\#(failure)}}}"#
    }

    private func object(_ properties: String) -> String {
        #"{"type": "object", "properties": {\#(properties)}}"#
    }

    private func code(_ operations: [String]) throws -> String {
        let generation = try generate(paths: "{\(operations.joined(separator: ", "))}")
        return generation.files.filter { $0.path.hasPrefix("ShopAPI/") }.map(\.text).joined(separator: "\n")
    }

    private func count(_ text: String, in code: String) -> Int {
        code.components(separatedBy: text).count - 1
    }

    func testThePropertyOfTheSameNameIsOneModel() throws {
        let code = try code([
            get("box", object(#""data": \#(Self.data)"#)),
            get("crate", object(#""data": \#(Self.data), "page": {"type": "integer"}"#)),
        ])
        XCTAssertEqual(count("struct DataModel:", in: code), 1, code)
        XCTAssertEqual(count("struct Size:", in: code), 1, code)
        XCTAssertTrue(code.contains("public typealias DataModel = BoxResponse.DataModel\n"), code)
        XCTAssertEqual(count("public var data: DataModel?", in: code), 2, code)
    }

    func testOtherPropertiesCommentsAndContextsAreOtherModels() throws {
        let size = object(#""bytes": {"type": "integer"}"#)
        let described = object(#""bytes": {"type": "integer", "description": "Compressed."}"#)
        let wider = object(#""bytes": {"type": "integer"}, "lines": {"type": "integer"}"#)
        let code = try code([
            get("a", object(#""size": \#(size)"#)), get("b", object(#""size": \#(described)"#)),
            get("c", object(#""size": \#(wider)"#)), get("d", object(#""length": \#(size)"#)),
        ])
        XCTAssertFalse(code.contains("typealias"), code)
    }

    /// What differs deep inside makes the models around it different.
    func testModelsWithDifferentModelsInsideAreDifferent() throws {
        let other = Self.data.replacingOccurrences(of: "bytes", with: "lines")
        let code = try code([
            get("box", object(#""data": \#(Self.data)"#)), get("crate", object(#""data": \#(other)"#)),
        ])
        XCTAssertFalse(code.contains("typealias"), code)
    }

    func testANewOperationRenamesNothing() throws {
        let operations = [
            get("box", object(#""data": \#(Self.data)"#), failure: object(#""code": {"type": "integer"}"#)),
            get("crate", object(#""data": \#(Self.data)"#), failure: object(#""code": {"type": "integer"}"#)),
        ]
        func models(_ operations: [String]) throws -> [String: Surface.Model] {
            try generate(paths: "{\(operations.joined(separator: ", "))}").manifest.surface.models
        }
        let before = try models(operations)
        // It comes first in every order.
        let after = try models([get("able", object(#""data": \#(Self.data)"#))] + operations)
        XCTAssertEqual(before["CrateResponse.DataModel"]?.members["id"]?.type, "String")
        XCTAssertEqual(before["CrateFailure400"]?.members["code"]?.type, "Int?")
        XCTAssertEqual(after.filter { before[$0.key] != nil }, before)
    }

    /// A model that only one operation sends is sent wherever it is used.
    func testASharedModelIsSentAndReceived() throws {
        let body =
            #""requestBody": {"required": true, "content": {"application/json": {"schema": \#(object(#""data": \#(Self.data)"#))}}}"#
        let code = try code([
            get("box", object(#""data": \#(Self.data), "page": {"type": "integer"}"#)),
            #""/crate": {"post": {"operationId": "crate", \#(body), "responses": {"204": {"description": ""}}}}"#,
        ])
        XCTAssertTrue(
            code.contains(
                "struct DataModel: Codable, Equatable, Sendable, Identifiable, ParamValueConvertible {"), code
        )
        XCTAssertTrue(
            code.contains("struct Size: Codable, Equatable, Sendable, ParamValueConvertible {"), code)
        XCTAssertTrue(code.contains("typealias DataModel = BoxResponse.DataModel"), code)
    }
}
