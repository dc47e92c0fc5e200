import Foundation
import XCTest

@testable import ManagerGenerator

/// Options in a configuration file.
final class ConfigurationTests: XCTestCase {
    private let folder = try! TemporaryFolder()

    private func options(_ arguments: String...) throws -> GeneratorOptions {
        try GeneratorOptions(arguments, in: folder.url)
    }

    private func message(_ arguments: String...) -> String {
        do throws(GeneratorError) {
            _ = try GeneratorOptions(arguments, in: folder.url)
            return ""
        } catch {
            return error.message
        }
    }

    private let all = #"""
        {"input": "openapi.json", "output": "Sources", "module": "ShopAPI", "service": "shop", "include": ["tag:a", "tag:b"],
        "exclude": "path:/c", "paging": ["number:page,size"], "formArrays": "brackets", "package": "../.."}
        """#

    func testTheFileInTheWorkingDirectoryHasEveryOption() throws {
        _ = try folder.write(all, to: "generate-managers.json")
        let options = try options()
        XCTAssertEqual(options.input, "openapi.json")
        XCTAssertEqual(options.output, "Sources")
        XCTAssertEqual(options.module, "ShopAPI")
        XCTAssertEqual(options.service, "shop")
        XCTAssertEqual(options.include, ["tag:a", "tag:b"])
        XCTAssertEqual(options.exclude, ["path:/c"])
        XCTAssertEqual(options.paging, ["number:page,size"])
        XCTAssertTrue(options.hasBracketArrays)
        XCTAssertEqual(options.package, "../..")
    }

    func testTheFileAndTheCommandLineGiveTheSameOptions() throws {
        let line = try options(
            "openapi.json", "--output", "Sources", "--module", "ShopAPI", "--service", "shop", "--include",
            "tag:a", "--include", "tag:b", "--exclude", "path:/c", "--paging", "number:page,size",
            "--form-arrays=brackets", "--package", "../..")
        _ = try folder.write(all, to: "generate-managers.json")
        XCTAssertEqual(try options(), line)
    }

    func testTheCommandLineOverridesTheFile() throws {
        _ = try folder.write(all, to: "generate-managers.json")
        let options = try options("other.json", "--module", "Other", "--include", "tag:c", "--check")
        XCTAssertEqual(options.input, "other.json")
        XCTAssertEqual(options.module, "Other")
        XCTAssertEqual(options.include, ["tag:c"])
        XCTAssertEqual(options.output, "Sources")
        XCTAssertTrue(options.isCheck)
    }

    func testAnUnknownKeyIsRefusedWithTheNearestName() throws {
        _ = try folder.write(#"{"modul": "ShopAPI"}"#, to: "generate-managers.json")
        XCTAssertTrue(
            message().hasPrefix("generate-managers.json has the unknown key modul. Did you mean module?"),
            message())
        _ = try folder.write(#"{"colour": "red"}"#, to: "generate-managers.json")
        XCTAssertTrue(
            message().hasPrefix("generate-managers.json has the unknown key colour. The keys are input,"),
            message())
        XCTAssertEqual(message("--modul", "A"), "Unknown option --modul. Did you mean --module?")
    }

    func testAValueOfAnotherTypeIsRefused() throws {
        _ = try folder.write(#"{"module": 7}"#, to: "generate-managers.json")
        XCTAssertEqual(message(), "module in generate-managers.json has to be a text, not a number.")
        _ = try folder.write(#"{"include": ["tag:a", 7]}"#, to: "generate-managers.json")
        XCTAssertEqual(message(), "include in generate-managers.json has an element that is no text.")
        _ = try folder.write("[]", to: "generate-managers.json")
        XCTAssertEqual(message(), "generate-managers.json has to be an object, not an array.")
    }

    func testPathsAreRelativeToTheNamedFile() throws {
        let file = try folder.write(
            #"{"input": "openapi.json", "output": "Out", "module": "ShopAPI"}"#, to: "api/shop.json")
        let options = try options("--config", "api/shop.json")
        let place = URL(fileURLWithPath: file).deletingLastPathComponent().path
        XCTAssertEqual(options.input, place + "/openapi.json")
        XCTAssertEqual(options.output, place + "/Out")
        _ = try folder.write(
            #"{"input": "https://a.example/openapi.json", "module": "ShopAPI"}"#, to: "api/shop.json")
        XCTAssertEqual(try self.options("--config", file).input, "https://a.example/openapi.json")
        XCTAssertTrue(message("--config", "no.json").contains("no.json cannot be read"))
    }

    func testTwoConfigurationFilesAreRefused() throws {
        _ = try folder.write(all, to: "generate-managers.json")
        _ = try folder.write("module: ShopAPI", to: "generate-managers.yaml")
        XCTAssertTrue(message().hasPrefix("There are generate-managers.json and generate-managers.yaml."))
    }

    func testTheFileMayBeYAML() throws {
        _ = try folder.write(
            "input: openapi.json\nmodule: ShopAPI\nexclude: [tag:a]\n", to: "generate-managers.yaml")
        do throws(GeneratorError) {
            let options = try GeneratorOptions([], in: folder.url)
            XCTAssertEqual(options.module, "ShopAPI")
            XCTAssertEqual(options.exclude, ["tag:a"])
        } catch {
            guard error.message.contains("neither a ruby nor a python3") else { throw error }
            if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil { XCTFail(error.message) }
            throw XCTSkip(error.message)
        }
    }

    func testTheCommandGeneratesByTheFile() throws {
        _ = try folder.write(
            #"{"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://a.example"}], "paths": {"/item": {"get": {"operationId": "getItem", "responses": {"204": {"description": ""}}}}}}"#,
            to: "openapi.json")
        let file = try folder.write(
            #"{"input": "openapi.json", "output": "Out", "module": "ShopAPI"}"#, to: "shop.json")
        let run = CommandRun(["--config", file])
        XCTAssertEqual(run.status, 0, run.errors.joined())
        XCTAssertTrue(folder.files.contains("Out/ShopAPI/Item/GetItemManager.swift"))
    }
}
