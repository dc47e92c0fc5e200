import DiscreteNetworking
import Foundation
import XCTest

@testable import StorefrontKit

/// The command as a nightly job runs it, against the sample's backend, which drifts.
final class ContractCommandTests: XCTestCase {
    #if os(macOS) || os(Linux)
        private struct Run {
            let status: Int32
            let out: String
            let errors: String
        }

        private var folder: URL!

        override func setUpWithError() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "check-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        override func tearDown() { try? FileManager.default.removeItem(at: folder) }

        private func run(_ arguments: String...) throws -> Run {
            let products = Bundle(for: ContractCommandTests.self).bundleURL.deletingLastPathComponent()
            let folders = [
                products, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            ]
            let program = folders.map { $0.appendingPathComponent("contract-check") }.first {
                FileManager.default.isExecutableFile(atPath: $0.path)
            }
            let process = Process()
            process.executableURL = try XCTUnwrap(program, "contract-check is not built; run swift build.")
            process.arguments = arguments
            process.currentDirectoryURL = folder
            // Files rather than pipes, which fill up.
            let (out, errors) = (
                folder.appendingPathComponent("out"), folder.appendingPathComponent("errors")
            )
            for file in [out, errors] { try Data().write(to: file) }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: out)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            process.waitUntilExit()
            return Run(
                status: process.terminationStatus, out: try String(contentsOf: out, encoding: .utf8),
                errors: try String(contentsOf: errors, encoding: .utf8))
        }

        /// Those that are kept with the sample.
        private var contracts: String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Samples/ContractCheck/Contracts").path
        }

        func testTheShopIsAsRecorded() throws {
            let run = try run("--contracts", contracts)

            XCTAssertEqual(run.status, 0, run.out + run.errors)
            XCTAssertTrue(run.out.hasSuffix("\n7 checked: 7 ok.\n"), run.out)
        }

        func testEveryDriftIsCaughtWithItsSeverity() throws {
            for (drift, status, lines) in [
                (
                    "renamed-field", 1,
                    [
                        "breaking content.deliveries[].fee: removed (was integer). The output cannot be made: at content.deliveries.0.fee: the key is missing.",
                        "news content.deliveries[].price: added (integer)",
                    ]
                ),
                (
                    "number-as-string", 1,
                    ["breaking content.deliveries[].fee: type changed from integer to string."]
                ),
                (
                    "dropped-nullable", 0,
                    ["warning content.deliveries[].courier: removed (was string or null)"]
                ),
                (
                    "new-enum-case", 1,
                    [
                        #"breaking content.deliveries[].state: new enum value "returned". The output cannot be made: at content.deliveries.4.state: "#
                    ]
                ),
                ("added-field", 0, ["news content.deliveries[].insured: added (boolean)"]),
            ] {
                let run = try run("--contracts", contracts, "--drift", drift, "--junit", "r.xml")
                XCTAssertEqual(run.status, Int32(status), drift + run.out + run.errors)
                for line in lines { XCTAssertTrue(run.out.contains("    " + line), run.out) }
                let drifts = run.out.split(separator: "\n").filter { $0.hasPrefix("    ") }
                XCTAssertEqual(drifts.count, lines.count, run.out)
                let junit = try String(contentsOf: folder.appendingPathComponent("r.xml"), encoding: .utf8)
                XCTAssertTrue(junit.contains("tests=\"7\" failures=\"\(status)\" errors=\"0\""), junit)
            }
        }

        func testEveryDriftIsTested() { XCTAssertEqual(ShopDrift.allCases.count, 5) }

        func testRecordingMakesTheFilesOfTheSample() throws {
            let run = try run("--record", "--contracts", "new")

            XCTAssertEqual(run.status, 0, run.out + run.errors)
            let names = try FileManager.default.contentsOfDirectory(atPath: contracts).sorted()
            XCTAssertEqual(names.count, 7)
            for name in names {
                XCTAssertEqual(
                    try String(contentsOf: folder.appendingPathComponent("new/\(name)"), encoding: .utf8),
                    try String(contentsOfFile: "\(contracts)/\(name)", encoding: .utf8), name)
            }
        }

        func testCommandFailsIfTheServerIsDown() throws {
            let run = try run("--contracts", contracts, "--base-url", "http://127.0.0.1:1")

            XCTAssertEqual(run.status, 69)
            XCTAssertTrue(run.out.hasSuffix("\n7 checked: 7 failed.\n"), run.out)
            XCTAssertTrue(run.out.contains("The transport failed"), run.out)
        }

        func testHelpNamesWhatTheSampleAdds() throws {
            let run = try run("--help")
            XCTAssertEqual(run.status, 0)
            XCTAssertTrue(run.out.hasPrefix("Usage: contract-check"), run.out)
            XCTAssertTrue(
                run.out.contains(
                    "\n  --drift NAME        change the backend built in:\n                      renamed-field, "
                ))
            XCTAssertTrue(run.out.hasSuffix("\n  --help              show this\n"), run.out)
        }

        func testADriftAfterAnEqualsSign() throws {
            let run = try run("--drift=sideways", "--help")
            XCTAssertEqual(run.status, 64)
            XCTAssertTrue(run.errors.hasPrefix("error: --drift needs one of renamed-field, "), run.errors)
        }

        func testWrongOptionsAreRefused() throws {
            for (arguments, message) in [
                (["--drift", "sideways"], "--drift needs one of renamed-field, "),
                (["--drift"], "--drift needs one of "),
                (["--drift", "added-fiel"], "--drift needs one of "),
                (["--drfit"], "Unknown option --drfit. Did you mean --drift?"),
                (["--only", "HomeManger"], "There is no manager HomeManger. Did you mean HomeManager?"),
                (["--colour"], "Unknown option --colour."),
            ] {
                let run = try run(arguments[0], arguments.count > 1 ? arguments[1] : "--help")
                XCTAssertEqual(run.status, 64)
                XCTAssertTrue(run.errors.hasPrefix("error: \(message)"), run.errors)
            }
        }
    #endif
}
