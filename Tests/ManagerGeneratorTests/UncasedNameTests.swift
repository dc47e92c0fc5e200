import XCTest

@testable import ManagerGenerator

/// Names in a script without capitals, in which a type and a property may be one word.
final class UncasedNameTests: XCTestCase {
    private let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/chinese.json").path

    func testChineseTypesHaveASuffixOnlyWhereTheyNeedOne() throws {
        let folder = try TemporaryFolder()
        let arguments = [fixture, "--module", "PetAPI", "--output", folder.url.path]
        XCTAssertEqual(CommandRun(arguments).status, 0)
        XCTAssertEqual(
            Set(folder.files.filter { $0.hasPrefix("PetAPI/") }),
            [
                "PetAPI/Models/主人Model.swift", "PetAPI/Models/宠物Model.swift",
                "PetAPI/Service/宠物店Service.swift", "PetAPI/Service/宠物店ServiceDescription.swift",
                "PetAPI/宠物/新建宠物Manager.swift", "PetAPI/宠物/获取宠物Manager.swift",
            ])
        XCTAssertTrue(CommandRun(arguments).out[0].contains("0 files written"), "the names are kept")
    }

    #if os(Linux)
        func testChineseNamesCompile() throws {
            try FullLength.require()
            let generation = try Generation.make(GeneratorOptions(input: fixture, module: "PetAPI"))
            XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "PetAPI"), "")
        }
    #endif
}
