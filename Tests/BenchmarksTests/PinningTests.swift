#if os(Linux)
    import Foundation
    import XCTest

    @testable import Benchmarks

    final class PinningTests: XCTestCase {
        /// The number of cores that `nproc` of coreutils sees when it is launched like this.
        private func cores(as part: Pinning.Part?) throws -> String {
            let (process, output) = (Process(), Pipe())
            Pinning.launch(process, URL(fileURLWithPath: "/usr/bin/nproc"), [], as: part)
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func testAPartHasOneCore() throws {
            try XCTSkipIf(
                !Pinning.description(isOn: true).hasPrefix("Pinned"), "there is one core, or no taskset")
            XCTAssertEqual(try cores(as: .client), "1")
            XCTAssertEqual(try cores(as: .server), "1")
            XCTAssertNotEqual(Pinning.Part.client.core, Pinning.Part.server.core)
            XCTAssertNotEqual(try cores(as: nil), "1")
        }

        func testPinningIsOnUnlessItIsRefused() throws {
            XCTAssertTrue(try Options([]).isPinned)
            XCTAssertFalse(try Options(["--no-pin"]).isPinned)
            XCTAssertTrue(Pinning.description(isOn: false).hasPrefix("Not pinned"))
        }
    }
#endif
