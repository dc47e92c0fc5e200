#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The arrows between the rooms of `Sources` go one way; see `Sources/README.md`.
    final class RoomsTests: XCTestCase {
        private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

        func testNoArrowGoesUpAndThePictureIsWhatTheCodeSays() throws {
            let (status, output) = try Self.checks.value()[0].get()
            XCTAssertEqual(status, 0, output)
        }

        /// What the check says of this checkout, and of a copy with mistakes. At once, because each takes seconds.
        static let checks = Ahead<[Result<(status: Int32, output: String), any Error>]> {
            Concurrently.map([false, true]) { try check($0 ? copyWithMistakes() : checkout) }
        }

        private static var planted: Result<(status: Int32, output: String), any Error> {
            Result { try checks.value()[1].get() }
        }

        /// A copy with mistakes that have nothing to do with each other.
        private static func copyWithMistakes() throws -> URL {
            let copy = try copyOfSources()
            let room = copy.appendingPathComponent("Sources/DiscreteNetworkingCore")
            try """
            /// "BaseAPIManager" in a comment or a string is no arrow.
            struct PlantedArrow { let manager: BaseAPIManager }
            """
            .write(to: room.appendingPathComponent("Call/PlantedArrow.swift"))
            try """
            extension APICall {
                var plantedName: String { methodName }
                func path(planted text: String) -> String { text }
            }
            """
            .write(to: room.appendingPathComponent("ApiProxy/Planted.swift"))
            try "func planted(_ call: APICall) -> String { call.plantedName + call.path(planted: call.path) }"
                .write(to: room.appendingPathComponent("Service/PlantedUse.swift"))
            try "@testable import LoopbackServer"
                .write(to: room.appendingPathComponent("Call/PlantedImport.swift"))
            let page = copy.appendingPathComponent("Sources/README.md")
            try withAnotherArrow(String(contentsOf: page, encoding: .utf8)).write(to: page)
            for number in 1...6 {
                try "struct Planted\(number) { let next: [Planted\(number % 6 + 1)] }"
                    .write(to: room.appendingPathComponent("Call/Planted\(number).swift"))
            }
            return copy
        }

        func testAnArrowThatGoesUpIsFound() throws {
            let (status, output) = try Self.planted.get()
            XCTAssertEqual(status, 1)
            XCTAssertTrue(
                output.contains(
                    "PlantedArrow.swift uses BaseAPIManager of Sources/DiscreteNetworkingCore/APIManager/BaseAPIManager.swift: Call stands below APIManager."
                ), output)
        }

        /// A member of an extension names no type of the room that declares it.
        func testAMemberThatIsUsedFromBelowIsFound() throws {
            let (_, output) = try Self.planted.get()
            let file = "Sources/DiscreteNetworkingCore/Service/PlantedUse.swift"
            let place = "Sources/DiscreteNetworkingCore/ApiProxy/Planted.swift"
            for name in ["plantedName", "path(planted:)"] {
                let line = "\(file) uses \(name) of \(place): Service stands below ApiProxy."
                XCTAssertTrue(output.contains(line), output)
            }
        }

        func testALargeCycleIsFound() throws {
            let (status, output) = try Self.planted.get()
            XCTAssertEqual(status, 1)
            XCTAssertTrue(output.contains("A cycle of 6 files"), output)
            XCTAssertTrue(output.contains("Planted3.swift"), output)
        }

        func testAPictureThatIsOutOfDateIsFound() throws {
            XCTAssertTrue(
                try Self.planted.get().output.contains("The picture in Sources/README.md is out of date"))
            let copy = try Self.copyOfSources()
            let page = copy.appendingPathComponent("Sources/README.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            try Self.withAnotherArrow(text).write(to: page)
            _ = try Self.check(copy, "--draw")
            XCTAssertEqual(try String(contentsOf: page, encoding: .utf8), text)
        }

        func testAnImportThatItsTargetDoesNotDeclareIsFound() throws {
            let (_, output) = try Self.planted.get()
            XCTAssertTrue(
                output.contains(
                    "PlantedImport.swift imports LoopbackServer, which DiscreteNetworkingCore does not declare in Package.swift."
                ), output)
        }

        // MARK: -

        private static let copies = Locked<[URL]>([])

        override class func tearDown() {
            for copy in copies.withLock({ $0 }) { try? FileManager.default.removeItem(at: copy) }
            super.tearDown()
        }

        private static func withAnotherArrow(_ picture: String) -> String {
            picture.replacingOccurrences(of: "Service --> Call", with: "Call --> Service")
        }

        private static func copyOfSources() throws -> URL {
            let copy = FileManager.default.temporaryDirectory.appendingPathComponent("rooms-\(UUID())")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            copies.withLock { $0.append(copy) }
            for name in ["Sources", ".ci", "Package.swift"] {
                try FileManager.default.copyItem(
                    at: checkout.appendingPathComponent(name), to: copy.appendingPathComponent(name))
            }
            return copy
        }

        private static func check(_ folder: URL, _ arguments: String...) throws -> (
            status: Int32, output: String
        ) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", ".ci/rooms"] + arguments
            process.currentDirectoryURL = folder
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.runWithAllSignals()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if process.terminationStatus == 127 { throw XCTSkip("python3 is not installed") }
            return (process.terminationStatus, text)
        }
    }

    extension String {
        fileprivate func write(to url: URL) throws { try write(to: url, atomically: true, encoding: .utf8) }
    }
#endif
