import DiscreteNetworkingJSON
import XCTest

@testable import ManagerGenerator

/// References that lead nowhere: the rest of the description is generated.
final class BrokenReferenceTests: XCTestCase {
    private func run(_ paths: String, _ schemas: String = "{}", options: [String] = []) throws -> (
        run: CommandRun, folder: TemporaryFolder
    ) {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            ##"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": \##(paths), "components": {"schemas": \##(schemas)}}"##,
            to: "api.json")
        let run = CommandRun([path, "--module", "ShopAPI", "--output", folder.url.path] + options)
        return (run, folder)
    }

    private func operation(_ reference: String) -> String {
        ##"{"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "\##(reference)"}}}}}}"##
    }

    private func managers(_ folder: TemporaryFolder) -> [String] {
        folder.files.filter { $0.hasPrefix("ShopAPI/") && $0.hasSuffix("Manager.swift") }.sorted()
    }

    func testOperationsWithoutTheirSchemasAreLeftOutAndAllAreNamed() throws {
        let schemas =
            ##"{"Pet": {"properties": {"id": {"type": "integer"}}}, "Shop": {"properties": {"owner": {"$ref": "#/components/schemas/Owner"}}}, "Owner": {"properties": {"shop": {"$ref": "#/components/schemas/Shop"}, "town": {"$ref": "#/components/schemas/Town"}}}}"##
        let good = operation("#/components/schemas/Pet")
        let (run, folder) = try run(
            ##"{"/pets": {"get": \##(good), "post": \##(operation("#/components/schemas/Gone"))}, "/shops": {"get": \##(operation("#/components/schemas/Shop"))}, "/owners": {"get": \##(operation("#/components/schemas/Owner"))}, "/lost": {"$ref": "#/components/pathItems/Lost"}, "/shared": {"parameters": [{"$ref": "#/components/parameters/No"}], "get": \##(good)}}"##,
            schemas)
        XCTAssertEqual(run.status, 3)
        XCTAssertEqual(managers(folder), ["ShopAPI/Pets/GetPetsManager.swift"])
        XCTAssertNoThrow(try folder.model("Pet"))
        XCTAssertThrowsError(try folder.model("Owner"))
        XCTAssertEqual(run.errors.count, 4, "\(run.errors)")
        for (reference, left) in [
            ("#/components/schemas/Gone", "Left out: POST /pets."),
            ("#/components/schemas/Town", "Left out: GET /owners, GET /shops."),
            ("#/components/pathItems/Lost", "Left out: /lost."),
            (
                "/paths/~1shared/parameters/0: The reference #/components/parameters/No",
                "Left out: GET /shared."
            ),
        ] {
            XCTAssertTrue(
                run.errors.contains {
                    $0.hasPrefix("error: api.json#/") && $0.contains(reference) && $0.hasSuffix(left)
                }, "\(reference) in \(run.errors)")
        }
    }

    /// As pygeoapi refers to the schemas of OGC: nothing is read from there, and nothing else stops.
    func testReferencesToOtherServersAreLeftOutAndAllAreNamed() throws {
        let (one, two) = ("https://schemas.example.com/a.yaml#/A", "https://schemas.example.com/b.yaml#/B")
        let good = operation("#/components/schemas/Pet")
        let (run, folder) = try run(
            ##"{"/pets": {"get": \##(good)}, "/a": {"get": \##(operation(one)), "post": \##(operation(two))}, "/b": {"get": \##(operation(two))}}"##,
            ##"{"Pet": {"properties": {"id": {"type": "integer"}}}}"##)
        XCTAssertEqual(run.status, 3)
        XCTAssertEqual(managers(folder), ["ShopAPI/Pets/GetPetsManager.swift"])
        XCTAssertEqual(run.errors.count, 2, "\(run.errors)")
        for (reference, left) in [
            ("/a.yaml", "Left out: GET /a."), ("/b.yaml", "Left out: GET /b, POST /a."),
        ] {
            XCTAssertTrue(
                run.errors.contains {
                    $0.contains("\(reference) leads to another server") && $0.hasSuffix(left)
                }, "\(reference) in \(run.errors)")
        }
    }

    func testAnExampleIsNoReference() throws {
        let example =
            ##"{"responses": {"200": {"description": "", "content": {"application/json": {"example": {"$ref": "#/nowhere"}, "schema": {"type": "object"}}}}}}"##
        let (run, folder) = try run(
            ##"{"/a": {"get": \##(example)}, "/b": {"get": \##(operation("missing.json#/Pet"))}}"##)
        XCTAssertEqual(run.status, 3)
        XCTAssertEqual(managers(folder), ["ShopAPI/A/GetAManager.swift"])
        XCTAssertTrue(run.errors[0].contains("missing.json"), "\(run.errors)")
    }

    func testOnlyChosenOperationsAreMissed() throws {
        let paths =
            ##"{"/a": {"get": \##(operation("#/components/schemas/A"))}, "/b": {"get": \##(operation("#/components/schemas/B"))}}"##
        let schemas = ##"{"A": {"properties": {"id": {"type": "integer"}}}}"##
        XCTAssertEqual(try run(paths, schemas, options: ["--include", "path:/a"]).run.status, 0)
        let (none, _) = try run(paths, schemas, options: ["--include", "path:/b"])
        XCTAssertEqual(none.status, 2)
        XCTAssertTrue(none.errors[0].contains("No operation is left."), "\(none.errors)")
        let (both, folder) = try run(paths, schemas, options: ["--include", "path:/b", "--include=path:/a"])
        XCTAssertEqual(both.status, 3, "\(both.errors)")
        XCTAssertEqual(managers(folder), ["ShopAPI/A/GetAManager.swift"])
        let (wrong, _) = try run(paths, schemas, options: ["--include", "path:/c", "--include=path:/b"])
        XCTAssertTrue(wrong.errors[0].contains("path:/c matches no operation"), "\(wrong.errors)")
    }

    func testASchemaThatNothingNeedsIsLeftOutAndNamed() throws {
        let (run, folder) = try run(
            ##"{"/a": {"get": {"responses": {}}}}"##,
            ##"{"Good": {"properties": {"id": {"type": "integer"}}}, "Bad": {"properties": {"no": {"$ref": "#/no"}}}}"##
        )
        XCTAssertEqual(run.status, 3)
        XCTAssertTrue(run.errors[0].hasSuffix("Left out: the schema Bad."), "\(run.errors)")
        XCTAssertTrue(folder.files.contains("ShopAPI/Models/Good.swift"))
        XCTAssertFalse(folder.files.contains("ShopAPI/Models/Bad.swift"))
    }

    func testADescriptionOfBrokenReferencesIsAnError() throws {
        let (run, folder) = try run(##"{"/a": {"get": \##(operation("#/components/schemas/A"))}}"##)
        XCTAssertEqual(run.status, 2)
        XCTAssertTrue(run.errors[0].contains("No operation is left."), "\(run.errors)")
        XCTAssertEqual(managers(folder), [])
    }
}
