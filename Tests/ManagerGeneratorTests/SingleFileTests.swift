import XCTest

@testable import ManagerGenerator

/// The code of a module in one file, as the build-time plugin writes it.
final class SingleFileTests: XCTestCase {
    private let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/constructs.json").path

    func testTheFileHasTheCodeOfTheModuleAndNothingElse() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("new/SingleFile.swift").path
        let run = CommandRun([fixture, "--module", "SingleFile", "--single-file", file])
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        XCTAssertEqual(folder.files, ["new/SingleFile.swift"])
        let text = try folder.text("new/SingleFile.swift")
        XCTAssertEqual(text.components(separatedBy: "import DiscreteNetworking\n").count, 2)
        XCTAssertEqual(text.components(separatedBy: "Do not edit").count, 2)
        XCTAssertFalse(text.contains("XCTestCase"))
        XCTAssertFalse(text.contains("final class EverythingService:"), "the service is the user's")
        #if os(Linux)
            XCTAssertEqual(
                try TypeCheck().complaints(aboutFile: file).components(separatedBy: "error:").dropFirst().map
                {
                    $0.prefix { $0 != "\n" }
                }, [])
        #endif
    }

    func testABrokenReferenceFailsTheBuild() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            ##"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/a": {"get": {"responses": {"200": {"$ref": "#/no"}}}}, "/b": {"get": {"responses": {}}}}}"##,
            to: "api.json")
        let file = folder.url.appendingPathComponent("A.swift").path
        let run = CommandRun([path, "--module", "A", "--single-file", file])
        XCTAssertEqual(run.status, 3)
        XCTAssertTrue(run.errors[0].contains("Left out: GET /a."), "\(run.errors)")
        XCTAssertTrue(try folder.text("A.swift").contains("class GetBManager"))
        let nowhere = CommandRun([path, "--module", "A", "--single-file", "/proc/nowhere/A.swift"])
        XCTAssertEqual(nowhere.status, 2)
        XCTAssertTrue(nowhere.errors[0].contains("cannot be written"), "\(nowhere.errors)")
    }
}
