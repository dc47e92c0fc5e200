import DiscreteNetworking
import DiscreteNetworkingTesting
import Foundation
import XCTest

/// Calls are written at the end of a test.
final class WriteTrafficTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// Checks the folder when the test has ended: teardown blocks run in reverse order.
    private func expectFile(_ suffix: String?) {
        addTeardownBlock { [folder] in
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            XCTAssertEqual(files.map { $0.hasSuffix(suffix ?? "") }, suffix == nil ? [] : [true], "\(files)")
            for file in files {
                let archive = try JSONValue(
                    parsing: Data(contentsOf: folder.appendingPathComponent(file)))
                XCTAssertEqual(archive[path: "log.version"], "1.2")
            }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    func testTheFileHasTheNameOfTheTest() {
        expectFile("WriteTrafficTests.testTheFileHasTheNameOfTheTest.har")
        writeTraffic(of: ApiProxy(services: ServiceFactory()), to: folder, when: .always)
    }

    func testATestThatPassesWritesNothing() {
        expectFile(nil)
        writeTraffic(of: ApiProxy(services: ServiceFactory()), to: folder)
    }
}
