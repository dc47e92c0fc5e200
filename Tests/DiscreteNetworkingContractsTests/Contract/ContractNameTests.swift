import DiscreteNetworking
import Foundation
import XCTest

@testable import DiscreteNetworkingContracts

final class ContractNameTests: XCTestCase {
    /// Two contracts whose names differ only in a character that no file name has.
    func testAContractDoesNotOverwriteAnother() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("contracts-\(UUID())")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = ContractFolder(url)
        let names = ["v1/users", "v1_users", "v1:users"]
        var written: [String] = []
        for (index, name) in names.enumerated() {
            let body: JSONValue = .object(["field\(index)": 1])
            let file = ContractFile(name: name, contract: Contract(recording: [body]))
            // It may as well be refused, but not without a word.
            if (try? folder.write(file)) != nil { written.append(name) }
        }
        for name in written { XCTAssertEqual(try folder.read(name)?.name, name) }
    }
}
