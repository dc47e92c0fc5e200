import XCTest

@testable import ManagerGenerator

/// The operations that are chosen with `--include` and `--exclude`.
final class SelectionTests: XCTestCase {
    private func managers(include: [String] = [], exclude: [String] = []) throws -> [String] {
        func operation(_ id: String, _ tag: String) -> String {
            #"{"get": {"operationId": "\#(id)", "tags": ["\#(tag)"], "responses": {"204": {"description": ""}}}}"#
        }
        var options = GeneratorOptions(module: "ShopAPI")
        options.include = include
        options.exclude = exclude
        let generation = try generate(
            paths: """
                {"/orders": \(operation("listOrders", "orders")), "/orders/last": \(operation("lastOrder", "orders")),
                "/admin": \(operation("admin", "internal"))}
                """, options: options)
        return generation.files.map(\.path).filter { $0.hasSuffix("Manager.swift") }
            .compactMap { $0.split(separator: "/").last.map(String.init) }.sorted()
    }

    private func problem(include: [String] = [], exclude: [String] = []) -> String {
        do {
            return try managers(include: include, exclude: exclude).joined()
        } catch {
            return "\(error)"
        }
    }

    func testExcludedOperationsAreLeftOut() throws {
        XCTAssertEqual(
            try managers(exclude: ["tag:internal"]), ["LastOrderManager.swift", "ListOrdersManager.swift"])
        XCTAssertEqual(try managers(exclude: ["path:/orders"]), ["AdminManager.swift"])
    }

    func testExcludeWinsOverInclude() throws {
        XCTAssertEqual(
            try managers(include: ["tag:orders"], exclude: ["operation:lastOrder"]),
            ["ListOrdersManager.swift"])
    }

    func testAFilterThatMatchesNothingIsAnErrorWithTheNearestName() {
        XCTAssertEqual(
            problem(include: ["tag:order", "tag:orders"]),
            "--include tag:order matches no operation. Did you mean orders?")
        XCTAssertEqual(
            problem(include: ["operation:listOrder"], exclude: ["path:/nothing"]),
            "--include operation:listOrder matches no operation. Did you mean listOrders? --exclude path:/nothing matches no operation."
        )
        XCTAssertEqual(
            problem(exclude: ["orders"]),
            "--exclude needs tag:NAME, path:/BEGINNING or operation:ID, not orders.")
    }
}
