import DiscreteNetworkingJSON
import XCTest

@testable import ManagerGenerator

/// Models are in the file of what they are read with.
final class ModelFilesTests: XCTestCase {
    private func object(_ properties: String) -> String {
        #"{"type": "object", "properties": {"id": {"type": "integer"}\#(properties)}}"#
    }

    private func get(_ name: String) -> String {
        #"{"get": {"tags": ["shop"], "responses": {"200": {"description": "", "content": {"application/json": {"schema": \#(reference(name))}}}}}}"#
    }

    private func files(_ generation: Generation) -> [String: [String]] {
        var files: [String: [String]] = [:]
        for file in generation.files where file.path.hasPrefix("ShopAPI/") && !file.path.contains("Service") {
            let words = file.text.split(separator: "\n").compactMap { line -> String? in
                guard line.hasPrefix("public nonisolated") || line.hasPrefix("open class") else { return nil }
                let rest = line.split(separator: " ").drop { !["class", "struct", "enum"].contains($0) }
                return rest.dropFirst().first.map { $0.filter { $0 != ":" } }
            }
            files[String(file.path.dropFirst("ShopAPI/".count))] = words
        }
        return files
    }

    func testAModelIsWithItsOnlyUser() throws {
        let generation = try generate(
            #"""
            "components": {"schemas": {"Order": \#(object(#", "line": \#(reference("Line"))"#)),
                "Line": \#(object(#", "price": \#(reference("Price"))"#)), "Price": \#(object("")),
                "Basket": \#(object(#", "price": \#(reference("Price"))"#)), "Event": \#(object("")),
                "Note": \#(object(#", "event": \#(reference("Event"))"#))}}
            """#,
            paths: #"{"/orders": \#(get("Order")), "/baskets": \#(get("Basket"))}"#)
        XCTAssertEqual(
            files(generation),
            [
                "Shop/GetOrdersManager.swift": ["GetOrdersManager", "Order", "Line"],
                "Shop/GetBasketsManager.swift": ["GetBasketsManager", "Basket"],
                "Models/Price.swift": ["Price"], "Models/Note.swift": ["Note", "Event"],
            ])
    }

    func testModelsThatUseOneAnotherAreWithTheirOnlyUser() throws {
        let generation = try generate(
            #"""
            "components": {"schemas": {"Page": \#(object(#", "node": \#(reference("Node"))"#)),
                "Node": \#(object(#", "edges": {"type": "array", "items": \#(reference("Edge"))}"#)),
                "Edge": \#(object(#", "node": \#(reference("Node"))"#))}}
            """#, paths: #"{"/pages": \#(get("Page"))}"#)
        XCTAssertEqual(
            files(generation), ["Shop/GetPagesManager.swift": ["GetPagesManager", "Page", "Node", "Edge"]])
    }

    /// One model of 61 properties fits into the file of a manager, and two do not.
    func testAFileIsOfLimitedLength() throws {
        let wide = (0..<60).map { #", "p\#($0)": {"type": "string"}"# }.joined()
        let generation = try generate(
            #"""
            "components": {"schemas": {"Order": \#(object(#", "a": \#(reference("A")), "b": \#(reference("B"))"#)),
                "A": \#(object(wide)), "B": \#(object(wide))}}
            """#, paths: #"{"/orders": \#(get("Order"))}"#)
        XCTAssertEqual(
            files(generation),
            [
                "Shop/GetOrdersManager.swift": ["GetOrdersManager", "Order", "A"], "Models/B.swift": ["B"],
            ])
        for file in generation.files where file.path.hasPrefix("ShopAPI/Shop") {
            XCTAssertLessThanOrEqual(file.text.split(separator: "\n").count, ModelFiles.lineLimit)
        }
    }

    func testModelsInAModuleOfTheirOwnAreWithModels() throws {
        var options = GeneratorOptions(module: "ShopAPI")
        options.modelsModule = "ShopModels"
        let generation = try generate(
            #"""
            "components": {"schemas": {"Order": \#(object(#", "line": \#(reference("Line"))"#)), "Line": \#(object(""))}}
            """#, paths: #"{"/orders": \#(get("Order"))}"#, options: options)
        XCTAssertEqual(
            generation.files.map(\.path).filter { $0.hasPrefix("ShopModels/") },
            ["ShopModels/Models/Order.swift"])
        XCTAssertEqual(files(generation), ["Shop/GetOrdersManager.swift": ["GetOrdersManager"]])
    }
}
