import Foundation
import XCTest

@testable import ManagerGenerator

/// A generated file that was edited by hand: its edit is named, and is never lost.
final class HandEditTests: XCTestCase {
    private let folder = try! TemporaryFolder()
    private let path = "ShopAPI/A/AManager.swift"
    private let service = "ShopAPI/Service/ShopService.swift"
    private var copy: String { path + ".edited" }

    private func generate(_ parameters: String = "[]", path: String = "/a", _ more: String...) throws
        -> CommandRun
    {
        let operation =
            #"{"operationId": "\#(path.dropFirst())", "tags": ["a"], "parameters": \#(parameters), "responses": {"204": {"description": ""}}}"#
        let input = try folder.write(
            #"{"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://a.example"}], "paths": {"\#(path)": {"get": \#(operation)}}}"#,
            to: "openapi.json")
        return CommandRun(
            [input, "--module", "ShopAPI", "--output", folder.url.appendingPathComponent("Generated").path]
                + more)
    }

    private func text(_ path: String) throws -> String { try folder.text("Generated/" + path) }

    /// Adds a line to a generated file.
    /// - Returns: The text before.
    @discardableResult
    private func edit(_ path: String, _ line: String = "// mine") throws -> String {
        let text = try text(path)
        _ = try folder.write(text + line + "\n", to: "Generated/" + path)
        return text
    }

    private func edited(_ run: CommandRun) -> [String] { run.out.filter { $0.hasPrefix("edited: ") } }

    func testTheEditIsKeptBesideTheNewFile() throws {
        XCTAssertEqual(edited(try generate()), [])
        let text = try edit(path)
        let second = try generate()
        XCTAssertEqual(second.status, 0, second.errors.joined())
        XCTAssertEqual(edited(second).count, 1)
        XCTAssertTrue(edited(second)[0].contains("\(path) was changed by hand; it is kept as \(copy)."))
        XCTAssertEqual(try self.text(path), text)
        XCTAssertEqual(try self.text(copy), text + "// mine\n")
        let third = try generate(#"[{"name": "q", "in": "query"}]"#)
        XCTAssertEqual(edited(third), [])
        XCTAssertEqual(try self.text(copy), text + "// mine\n")
    }

    func testCheckNamesEachEditAndChangesNothing() throws {
        _ = try generate()
        let test = "ShopAPITests/A/AManagerTests.swift"
        try edit(path)
        try edit(test)
        let files = folder.files
        let check = try generate("[]", path: "/a", "--check")
        XCTAssertEqual(check.status, 0, check.errors.joined())
        XCTAssertEqual(
            edited(check).map { $0.components(separatedBy: " was changed")[0] },
            ["edited: \(path)", "edited: \(test)"])
        XCTAssertEqual(folder.files, files)
    }

    func testTheEditOfAFileThatIsGoneIsKept() throws {
        _ = try generate()
        let text = try edit(path)
        let second = try generate(path: "/b")
        XCTAssertEqual(edited(second).count, 1)
        XCTAssertFalse(folder.files.contains("Generated/" + path))
        XCTAssertEqual(try self.text(copy), text + "// mine\n")
    }

    func testAnOlderEditIsNotOverwritten() throws {
        _ = try generate()
        let text = try edit(path)
        _ = try generate()
        try edit(path, "// another")
        let refused = try generate()
        XCTAssertEqual(refused.status, 2)
        XCTAssertTrue(refused.errors.joined().contains("AManager.swift.edited has an older edit"))
        XCTAssertEqual(try self.text(path), text + "// another\n")
        XCTAssertEqual(try self.text(copy), text + "// mine\n")
        // The same edit is kept already.
        _ = try folder.write(text + "// mine\n", to: "Generated/" + path)
        XCTAssertEqual(try generate().status, 0)
        XCTAssertEqual(try self.text(path), text)
    }

    func testTheUsersFilesAreNoEdits() throws {
        _ = try generate()
        try edit(service)
        XCTAssertEqual(edited(try generate()), [])
        XCTAssertTrue(try text(service).hasSuffix("// mine\n"))
    }
}
