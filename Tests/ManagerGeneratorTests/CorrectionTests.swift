import DiscreteNetworkingJSON
import XCTest

@testable import ManagerGenerator

/// Corrections and names by options: `--optional`, `--nullable`, `--type`, `--map-format`, `--rename`, `--strip-prefix`,
/// `--access`, `--models-module` and `--tag-module`.
final class CorrectionTests: XCTestCase {
    private static let constructs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/constructs.json").path

    private let pets = """
        {"openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "paths": {
        "/api/v1/pets": {"get": {"operationId": "Api_listPets", "tags": ["pets"], "responses": {"200": {"description": "",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Pets"}}}}}}},
        "/api/v1/owners/{id}": {"get": {"tags": ["owners"], "parameters": [{"name": "id", "in": "path", "required": true,
        "schema": {"type": "string", "format": "snowflake"}}], "responses": {"200": {"description": "",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/api.Owner"}}}}}}}},
        "components": {"schemas": {
        "api.Pets": {"type": "array", "items": {"$ref": "#/components/schemas/api.Pet"}},
        "api.Base": {"type": "object", "required": ["id", "name"], "properties": {"id": {"type": "integer"}}},
        "api.Pet": {"allOf": [{"$ref": "#/components/schemas/api.Base"}, {"type": "object", "required": ["tag"],
        "properties": {"name": {"type": "string"}, "tag": {"type": "string", "description": "Its tag."},
        "owner": {"$ref": "#/components/schemas/api.Owner"}}}]},
        "api.Owner": {"type": "object", "required": ["town", "since"], "properties": {"town": {"type": "string"},
        "since": {"type": "string", "format": "day"}}}}}}
        """

    private func run(_ options: [String], configuration: String? = nil) throws -> (
        run: CommandRun, folder: TemporaryFolder
    ) {
        let folder = try TemporaryFolder()
        let path = try folder.write(pets, to: "pets.json")
        var arguments = [path, "--module", "PetsAPI", "--output", folder.url.path] + options
        if let configuration {
            arguments += ["--config", try folder.write(configuration, to: "generate-managers.json")]
        }
        return (CommandRun(arguments), folder)
    }

    private func model(_ name: String, _ options: [String], line: UInt = #line) throws -> String {
        let (run, folder) = try run(options)
        XCTAssertEqual(run.status, 0, "\(run.errors)", line: line)
        return try folder.model(name)
    }

    private func assert(_ text: String, has lines: [String], line: UInt = #line) {
        for wanted in lines {
            XCTAssertTrue(text.contains(wanted + "\n"), "\(wanted) in \(text)", line: line)
        }
    }

    func testPropertiesBecomeOptionalAndNullable() throws {
        assert(
            try model("APIPet", ["--optional", "api.Pet.name", "--nullable=api.Pet.tag"]),
            has: ["    public var id: Int", "    public var name: String?", "    public var tag: String?"])
        assert(
            try model("APIPet", ["--optional", "api.Pet"]),
            has: ["    public var id: Int?", "    public var name: String?", "    public var tag: String?"])
        assert(
            try model("APIOwner", ["--optional", "api.Pets.owner.town"]),
            has: ["    public var town: String?", "    public var since: String"])
    }

    func testTypesAreReplacedAndTheirTextsKept() throws {
        assert(
            try model(
                "APIPet",
                [
                    "--type", "api.Pet.id=string/uuid", "--type", "api.Pet.tag=integer", "--type",
                    "api.Pet.name=any",
                    "--type", "api.Pet.owner=api.Pets",
                ]),
            has: [
                "    public var id: UUID", "    /// Its tag.\n    public var tag: Int",
                "    public var name: JSONValue", "    public var owner: [APIPet]?",
            ])
    }

    func testFormatsHaveTheTypesOfTheUser() throws {
        let (run, folder) = try run(["--map-format", "snowflake=Int64", "--map-format", "day=FullDate"])
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        assert(try folder.model("APIOwner"), has: ["    public var since: FullDate"])
        assert(
            try folder.text("PetsAPI/Owners/GetAPIV1OwnersByIDManager.swift"),
            has: ["        public var id: Int64"])
    }

    func testNamesAreTheUsers() throws {
        let (run, folder) = try run([
            "--rename", "api.Pet=Animal", "--rename", "Api_listPets=AnimalList", "--strip-prefix", "api.",
            "--strip-prefix", "/api/v1", "--strip-prefix", "Api_",
            "--rename=GET /api/v1/owners/{id}=OwnerManager",
        ])
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        let names = folder.files.filter { $0.hasPrefix("PetsAPI/") && !$0.contains("Service") }
        XCTAssertEqual(
            names.sorted(),
            [
                "PetsAPI/Models/Base.swift", "PetsAPI/Models/Owner.swift",
                "PetsAPI/Owners/OwnerManager.swift", "PetsAPI/Pets/AnimalListManager.swift",
            ])
        assert(
            try folder.text("PetsAPI/Pets/AnimalListManager.swift"),
            has: [
                "open class AnimalListManager: APIManager<[Animal]> {",
                #"    public let methodName = "api/v1/pets""#,
            ])
    }

    /// A new name is in force although the previous run gave another one.
    func testANewNameReplacesThatOfThePreviousRun() throws {
        let (_, folder) = try run([])
        let again = CommandRun([
            folder.url.appendingPathComponent("pets.json").path, "--module", "PetsAPI", "--output",
            folder.url.path,
            "--rename", "api.Owner=Keeper",
        ])
        XCTAssertEqual(again.status, 0, "\(again.errors)")
        XCTAssertNoThrow(try folder.model("Keeper"))
        XCTAssertThrowsError(try folder.model("APIOwner"))
    }

    func testAConfigurationFileHasTheSameCorrections() throws {
        let (run, folder) = try run(
            [],
            configuration:
                #"{"optional": ["api.Pet.name"], "type": {"api.Pet.tag": "integer"}, "rename": {"api.Pet": "Animal"}, "mapFormat": {"day": "FullDate"}}"#
        )
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        assert(
            try folder.model("Animal"),
            has: ["    public var name: String?", "    public var tag: Int"])
    }

    func testAnOptionThatIsWrongForAnyDescription() throws {
        for (options, message) in [
            (["--type", "api.Pet.id"], "needs NAME=VALUE"),
            (["--access", "open"], "--access needs"),
            (["--tag-module", "pets=M", "--models-module", "M"], "need different modules"),
            (["--models-module", "M", "--access", "internal"], "goes with one module"),
            (["--models-module", "1"], "--models-module needs a Swift name"),
        ] {
            let (run, _) = try run(options)
            XCTAssertEqual(run.status, 64, "\(options)")
            XCTAssertTrue(run.errors.first?.contains(message) == true, "\(message) in \(run.errors)")
        }
    }

    func testANameThatTheDescriptionDoesNotHaveIsAnError() throws {
        for (options, message) in [
            (["--optional", "api.Pat"], "there is no such schema. Did you mean api.Pet?"),
            (["--optional", "api.Pet.nme"], "has no property nme. Did you mean name?"),
            (["--type", "api.Pet.id=strng"], "Did you mean string?"),
            (["--map-format", "day=Day"], "needs one of"),
            (["--map-format", "no=Date"], "no schema has this format"),
            (["--rename", "api.Pet=3"], "is no name for a Swift type"),
            (["--rename", "Nobody=A"], "there is no schema"),
            (["--rename", "api.Pet=String"], "a type of Swift"),
            (["--rename", "api.Pet=Same", "--rename", "api.Owner=Same"], "to api.Pet and to api.Owner"),
            (["--tag-module", "pats=PetKit"], "Did you mean pets?"),
        ] {
            let (run, _) = try run(options)
            XCTAssertEqual(run.status, 2, "\(options)")
            XCTAssertTrue(run.errors.first?.contains(message) == true, "\(message) in \(run.errors)")
        }
        let (file, _) = try run([], configuration: #"{"rename": {"a": 1}}"#)
        XCTAssertTrue(file.errors[0].contains("has a member that is no text"), "\(file.errors)")
    }

    // MARK: Modules

    #if os(Linux)
        private func generation(_ change: (inout GeneratorOptions) -> Void) throws -> Generation {
            var options = GeneratorOptions(input: Self.constructs, module: "EverythingAPI")
            options.paging = ["number:page,size"]
            change(&options)
            return try Generation.make(options)
        }

        func testCodeOfEachAccessLevelCompiles() throws {
            for level in [AccessLevel.package, .internal] {
                let generation = try generation { $0.access = level }
                let code = generation.files.filter { $0.path.hasPrefix("EverythingAPI/") }.flatMap {
                    $0.text.split(separator: "\n")
                }
                XCTAssertFalse(code.contains { $0.contains("public ") && !$0.contains("//") })
                XCTAssertEqual(code.contains { $0.hasPrefix("package class") }, level == .package)
                XCTAssertEqual(
                    generation.files.contains { $0.path.contains("Contracts/") }, level == .package)
                guard FullLength.isOn else { continue }
                XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "EverythingAPI"), "")
            }
        }

        func testModelsAndTagsInModulesOfTheirOwnCompile() throws {
            let generation = try generation {
                $0.modelsModule = "EverythingModels"
                $0.tagModules = [NamePair(name: "bodies", value: "BodyKit")]
            }
            func files(_ module: String) -> [String] {
                generation.files.map(\.path).filter { $0.hasPrefix(module + "/") }
            }
            XCTAssertTrue(files("EverythingModels").allSatisfy { $0.contains("/Models/") })
            XCTAssertFalse(files("EverythingAPI").contains { $0.contains("/Models/") })
            XCTAssertTrue(
                files("BodyKit").contains { $0.hasSuffix("PutRawManager.swift") }, "\(files("BodyKit"))")
            if FullLength.isOn {
                XCTAssertEqual(
                    try TypeCheck().complaints(
                        about: generation, module: "EverythingAPI",
                        others: ["EverythingModels", "EverythingAPI", "BodyKit"]), "")
            }
            let layout = ModuleLayout(
                {
                    var options = GeneratorOptions(module: "EverythingAPI")
                    options.modelsModule = "EverythingModels"
                    options.tagModules = [NamePair(name: "bodies", value: "BodyKit")]
                    return options
                }())
            let targets = PackageFile.targets(layout, hasContracts: false).joined(separator: "\n")
            XCTAssertTrue(
                targets.contains(
                    """
                        name: "BodyKit",
                        dependencies: [
                            "EverythingAPI",
                            "EverythingModels",
                            .product(name: "DiscreteNetworking", package: "DiscreteNetworking"),
                        ],
                    """), targets)
        }
    #endif
}
