import Foundation
import XCTest

/// The Xcode project of the sample app, which was written by hand. Nothing here opens it in Xcode.
final class SampleProjectTests: XCTestCase {
    private typealias Object = [String: Any]

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appendingPathComponent("Samples/StorefrontApp")

    private var text = ""
    private var project: Object = [:]
    private var objects: [String: Object] = [:]

    override func setUpWithError() throws {
        let file = Self.folder.appendingPathComponent("StorefrontApp.xcodeproj/project.pbxproj")
        text = try String(contentsOf: file, encoding: .utf8)
        project = try Self.propertyList(file)
        objects = try XCTUnwrap(project["objects"] as? [String: Object])
    }

    private static func propertyList(_ file: URL) throws -> Object {
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return try XCTUnwrap(list as? Object)
    }

    private func all(_ kind: String) -> [Object] { objects.values.filter { $0["isa"] as? String == kind } }

    private func one(_ kind: String) throws -> Object {
        XCTAssertEqual(all(kind).count, 1, kind)
        return try XCTUnwrap(all(kind).first)
    }

    private func object(_ identifier: Any?) throws -> Object {
        try XCTUnwrap(objects[try XCTUnwrap(identifier as? String)], "\(identifier ?? "")")
    }

    private func strings(_ list: Any?) throws -> [String] { try XCTUnwrap(list as? [String]) }

    /// The identifiers in a value.
    private static func references(_ value: Any) -> [String] {
        switch value {
        case let values as [Any]: values.flatMap(references)
        case let values as Object: values.values.flatMap(references)
        case let text as String where text.count == 24 && text.allSatisfy(\.isHexDigit): [text]
        default: []
        }
    }

    /// The folders, which Xcode compiles whole.
    private func folders() throws -> [URL] {
        try all("PBXFileSystemSynchronizedRootGroup").map {
            Self.folder.appendingPathComponent(try XCTUnwrap($0["path"] as? String)).standardizedFileURL
        }
    }

    private func sources() throws -> [URL] {
        try folders().flatMap {
            try FileManager.default.subpathsOfDirectory(atPath: $0.path).map($0.appendingPathComponent)
        }
    }

    private static func manifest() throws -> String {
        try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
    }

    func testEachObjectIsDefinedOnceAndIsReferenced() throws {
        let definitions = text.components(separatedBy: "\n").filter {
            $0.hasPrefix("\t\t5") && $0.hasSuffix(" = {")
        }
        XCTAssertEqual(definitions.count, objects.count)
        let references = Self.references(Array(objects.values)) + [project["rootObject"] as? String ?? ""]
        XCTAssertEqual(Set(references), Set(objects.keys))
        XCTAssertEqual(try object(project["rootObject"])["isa"] as? String, "PBXProject")
    }

    /// Synchronized folders are known since version 77, which Xcode 16 introduced.
    func testTheFormatKnowsSynchronizedFolders() throws {
        XCTAssertEqual(project["objectVersion"] as? String, "77")
        XCTAssertEqual(try one("PBXProject")["preferredProjectObjectVersion"] as? String, "77")
    }

    func testEachFileAndFolderExistsAndIsShown() throws {
        let shown = try strings(object(one("PBXProject")["mainGroup"])["children"])
        for (identifier, object) in objects where object["sourceTree"] as? String == "<group>" {
            guard let path = object["path"] as? String else { continue }
            let file = Self.folder.appendingPathComponent(path).standardizedFileURL
            XCTAssertTrue(FileManager.default.fileExists(atPath: file.path), file.path)
            XCTAssertTrue(shown.contains(identifier), path)
        }
    }

    /// A module has one entry point, and no two files of one name. Xcode would copy other files into the app.
    func testTheTargetCompilesEachFolder() throws {
        let compiled = try strings(one("PBXNativeTarget")["fileSystemSynchronizedGroups"])
        XCTAssertEqual(
            Set(compiled), Set(objects.filter { "\($0.value["isa"]!)".hasSuffix("RootGroup") }.keys))
        let names = try sources().map(\.lastPathComponent)
        XCTAssertEqual(Set(names).count, names.count)
        XCTAssertEqual(names.filter { !$0.hasSuffix(".swift") }, [])
        let mains = try sources().filter {
            try String(contentsOf: $0, encoding: .utf8).contains("\n    @main\n")
        }
        XCTAssertEqual(mains.map(\.lastPathComponent), ["StorefrontApp.swift"])
    }

    func testTheTargetLinksTheProductsThatItsSourcesImport() throws {
        let package = Self.folder.appendingPathComponent(
            try XCTUnwrap(one("XCLocalSwiftPackageReference")["relativePath"] as? String))
        XCTAssertEqual(package.standardizedFileURL.path, Self.root.standardizedFileURL.path)
        let target = try one("PBXNativeTarget")
        let products = try strings(target["packageProductDependencies"])
        let linked = try strings(one("PBXFrameworksBuildPhase")["files"]).map {
            try object($0)["productRef"] as? String
        }
        XCTAssertEqual(linked, products)
        let names = try products.map { try XCTUnwrap(object($0)["productName"] as? String) }
        let imports = try sources().flatMap { file in
            try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").compactMap { line in
                let words = line.split(separator: " ")
                return words.count == 2 && words[0] == "import" ? String(words[1]) : nil
            }
        }
        let manifest = try Self.manifest()
        let own = Set(imports).filter { manifest.contains(".library(name: \"\($0)\"") }
        XCTAssertEqual(own, Set(names))
    }

    func testTheSettingsAreThePackages() throws {
        let configurations = try [one("PBXProject"), one("PBXNativeTarget")].map { holder in
            try strings(object(holder["buildConfigurationList"])["buildConfigurations"]).map(object)
        }
        for list in configurations {
            XCTAssertEqual(list.map { $0["name"] as? String }, ["Debug", "Release"])
        }
        let settings = try zip(configurations[0], configurations[1]).map { pair in
            let ofProject = try XCTUnwrap(pair.0["buildSettings"] as? Object)
            return ofProject.merging(try XCTUnwrap(pair.1["buildSettings"] as? Object)) { $1 }
        }
        let manifest = try Self.manifest()
        for each in settings {
            let floor = try XCTUnwrap(each["IPHONEOS_DEPLOYMENT_TARGET"] as? String)
            XCTAssertTrue(
                manifest.contains(".iOS(.v\(floor.replacingOccurrences(of: ".0", with: "")))"), floor)
            XCTAssertTrue(manifest.contains("swiftLanguageModes: [.v6]"))
            XCTAssertEqual(each["SWIFT_VERSION"] as? String, "6.0")
            XCTAssertEqual(each["SWIFT_DEFAULT_ACTOR_ISOLATION"] as? String, "nonisolated")
            XCTAssertEqual(each["SDKROOT"] as? String, "iphoneos")
            XCTAssertEqual(each["GENERATE_INFOPLIST_FILE"] as? String, "YES")
            XCTAssertEqual(each["INFOPLIST_KEY_UILaunchScreen_Generation"] as? String, "YES")
            XCTAssertEqual(each["INFOPLIST_KEY_UIApplicationSceneManifest_Generation"] as? String, "YES")
            XCTAssertNotNil(each["PRODUCT_BUNDLE_IDENTIFIER"])
            let file = Self.folder.appendingPathComponent(try XCTUnwrap(each["INFOPLIST_FILE"] as? String))
            let security = try Self.propertyList(file)["NSAppTransportSecurity"] as? [String: Bool]
            XCTAssertEqual(security, ["NSAllowsLocalNetworking": true])
        }
    }
}
