#if os(Linux)
    import Foundation
    import XCTest

    /// The privacy manifest names what the libraries use of Apple's required-reason APIs, and nothing else. App Store Connect
    /// answers an upload of an app that uses one of them without a reason with ITMS-91053.
    final class PrivacyTests: XCTestCase {
        /// A category of https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
        private struct Category {
            let name: String
            /// Functions of the C library.
            let functions: Set<String>
            /// Names of Foundation and UIKit.
            let words: Set<String>
        }

        private static let attributes: Set = [
            "getattrlist", "getattrlistbulk", "fgetattrlist", "getattrlistat",
        ]

        private static let categories = [
            Category(
                name: "FileTimestamp",
                functions: attributes.union(["stat", "fstat", "fstatat", "lstat"]),
                words: [
                    "creationDate", "creationDateKey", "modificationDate", "fileModificationDate",
                    "contentModificationDate", "contentModificationDateKey",
                ]),
            Category(
                name: "SystemBootTime", functions: ["mach_absolute_time"],
                words: ["systemUptime"]),
            Category(
                name: "DiskSpace",
                functions: attributes.union(["statfs", "statvfs", "fstatfs", "fstatvfs"]),
                words: [
                    "volumeAvailableCapacity", "volumeAvailableCapacityKey",
                    "volumeAvailableCapacityForImportantUsageKey",
                    "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacity",
                    "volumeTotalCapacityKey", "systemFreeSize", "systemSize",
                ]),
            Category(name: "ActiveKeyboards", functions: [], words: ["activeInputModes"]),
            Category(name: "UserDefaults", functions: [], words: ["UserDefaults", "AppStorage"]),
        ]

        /// The modules of the library products. Those that do not depend on DiscreteNetworkingCore, in which the manifest is,
        /// may not use any of the APIs.
        private static let covered = [
            "DiscreteNetworkingCaching", "DiscreteNetworkingCommands", "DiscreteNetworkingContracts",
            "DiscreteNetworkingCookies",
            "DiscreteNetworkingCore",
            "DiscreteNetworkingCurl", "DiscreteNetworkingHTTP", "DiscreteNetworkingInspector",
            "DiscreteNetworkingJSON", "DiscreteNetworkingOAuth", "DiscreteNetworkingOutbox",
            "DiscreteNetworkingSigning", "DiscreteNetworkingSupport", "DiscreteNetworkingTelemetry",
            "DiscreteNetworkingTesting", "DiscreteNetworkingResilience",
            "DiscreteNetworkingTraffic", "DiscreteNetworkingTransfers",
        ]
        private static let alone = ["DiscreteNetworking", "LoopbackServer"]

        func testTheManifestNamesWhatIsUsed() throws {
            XCTAssertEqual(
                Set(try manifest().keys), try used(in: Self.covered), "change PrivacyInfo.xcprivacy")
            XCTAssertEqual(try used(in: Self.alone), [])
        }

        func testTheReasonsAreThoseOfApplesList() throws {
            XCTAssertEqual(
                try manifest(), ["FileTimestamp": ["C617.1"], "UserDefaults": ["CA92.1", "1C8F.1"]])
        }

        func testNothingIsTrackedOrCollected() throws {
            let plist = try plist()
            XCTAssertEqual(plist["NSPrivacyTracking"] as? Bool, false)
            XCTAssertEqual((plist["NSPrivacyTrackingDomains"] as? [Any])?.count, 0)
            XCTAssertEqual((plist["NSPrivacyCollectedDataTypes"] as? [Any])?.count, 0)
        }

        /// The test sees a `stat` of another module, so that it would see a new one.
        func testFunctionsAreFoundInObjectFiles() throws {
            XCTAssertTrue(try functions(of: "DiscreteNetworkingSupport").isSuperset(of: ["stat", "fstat"]))
        }

        func testEveryLibraryIsLookedAt() throws {
            let sources = try FileManager.default.contentsOfDirectory(
                atPath: Snippets.root.appendingPathComponent("Sources").path)
            let tools: Set = [
                "CCodings", "CCurl", "CPoll", "ManagerGenerator", "generate-managers", "inspect", "README.md",
            ]
            XCTAssertEqual(Set(sources).subtracting(tools), Set(Self.covered + Self.alone))
        }

        // MARK: What is used

        private func used(in modules: [String]) throws -> Set<String> {
            var found: Set<String> = []
            for module in modules {
                let (functions, words) = (try functions(of: module), try words(of: module))
                for category in Self.categories
                where !category.functions.isDisjoint(with: functions)
                    || !category.words.union(category.functions).isDisjoint(with: words)
                {
                    found.insert(category.name)
                }
            }
            return found
        }

        /// The functions that the object files of a module refer to.
        private func functions(of module: String) throws -> Set<String> {
            let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("\(module).build")
            let objects = try Snippets.files(in: folder, ".o").map(\.path)
            XCTAssertFalse(objects.isEmpty, module)
            let output = String(decoding: try Tool.run("nm", ["-u"] + objects), as: UTF8.self)
            return Set(
                output.components(separatedBy: "\n").compactMap {
                    $0.split(separator: " ").last.map(String.init)
                })
        }

        /// The words of the categories in a module's code, which holds what is compiled for other platforms too: members after
        /// a dot, types, and functions that are called.
        private func words(of module: String) throws -> Set<String> {
            let names = Self.categories.reduce(into: Set<String>()) {
                $0.formUnion($1.words.union($1.functions))
            }
            let pattern = #"(?<![\w"])(?:"# + names.sorted().joined(separator: "|") + #")\b"#
            let word = try NSRegularExpression(pattern: pattern)
            var words: Set<String> = []
            for file in try Snippets.files(
                in: Snippets.root.appendingPathComponent("Sources/\(module)"), ".swift")
            where !file.path.contains(".docc/") {
                let text = try Snippets.text(file)
                guard names.contains(where: { strstr(text, $0) != nil }) else { continue }
                for line in text.components(separatedBy: "\n") {
                    let code = line.components(separatedBy: "//")[0]
                    for match in word.matches(in: code, range: NSRange(code.startIndex..., in: code)) {
                        if let range = Range(match.range, in: code) { words.insert(String(code[range])) }
                    }
                }
            }
            return words
        }

        // MARK: The manifest

        private func plist() throws -> [String: Any] {
            let file = Snippets.root.appendingPathComponent(
                "Sources/DiscreteNetworkingCore/PrivacyInfo.xcprivacy")
            let value = try PropertyListSerialization.propertyList(
                from: try Data(contentsOf: file), format: nil)
            return try XCTUnwrap(value as? [String: Any])
        }

        /// The reasons by category.
        private func manifest() throws -> [String: [String]] {
            let types = try XCTUnwrap(try plist()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
            var reasons: [String: [String]] = [:]
            for type in types {
                let name = try XCTUnwrap(type["NSPrivacyAccessedAPIType"] as? String)
                XCTAssertTrue(name.hasPrefix("NSPrivacyAccessedAPICategory"), name)
                reasons[String(name.dropFirst("NSPrivacyAccessedAPICategory".count))] =
                    type["NSPrivacyAccessedAPITypeReasons"] as? [String]
            }
            return reasons
        }
    }
#endif
