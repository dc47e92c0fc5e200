import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

final class ContractFileTests: XCTestCase {
    func testTheTextIsForReview() throws {
        let body = try json(
            #"{"l":[{"s":"x","n":null},{"s":"x","n":1},{"s":"x"}],"d":"2026-11-21T10:00:00Z"}"#)
        var contract = Contract(recording: [body])
        contract.fields["d"]?.values = .any
        let file = ContractFile(
            name: "ParcelManager", endpoint: "GET parcels", service: "depot", contract: contract)

        XCTAssertEqual(
            file.text,
            """
            {
              "endpoint": "GET parcels",
              "fields": {
                "$": {"types": ["object"]},
                "d": {"format": "date-time", "types": ["string"], "values": "any"},
                "l": {"types": ["array"]},
                "l[]": {"types": ["object"]},
                "l[].n": {"optional": true, "types": ["integer", "null"]},
                "l[].s": {"types": ["string"], "values": ["x"]}
              },
              "format": 1,
              "name": "ParcelManager",
              "service": "depot"
            }

            """)
        XCTAssertEqual(try ContractFile(parsing: Data(file.text.utf8)), file)
    }

    func testErrorsSayWhatAndWhere() {
        for (text, message) in [
            ("{", "This is not a contract: Invalid JSON at line 1, column 2 (byte 1)"),
            (#"{"format":2}"#, #""format" is not 1"#), (#"{"format":1}"#, #"no "fields""#),
            (#"{"format":1,"fields":{"a..b":{"types":["null"]}}}"#, #""a..b" is not a path"#),
            (#"{"format":1,"fields":{"a":{"types":["int"]}}}"#, #"The field a has the type "int""#),
            (#"{"format":1,"fields":{"a":{"types":[]}}}"#, #"The field a needs "types""#),
            (#"{"format":1,"fields":{"a":{"types":["null"],"x":1}}}"#, "may have only"),
            (#"{"format":1,"fields":{"a":{"types":["null"],"values":[1]}}}"#, #""values" of the field a"#),
            (#"{"format":1,"fields":{"a":{"types":["null"],"optional":1}}}"#, #""optional" of the field a"#),
            (#"{"format":1,"fields":{"a":{"types":["null"],"format":"x"}}}"#, #"the format "x""#),
        ] {
            XCTAssertThrowsError(try ContractFile(parsing: Data(text.utf8))) { error in
                XCTAssertTrue("\(error)".contains(message), "\(error)")
            }
        }
    }

    func testContractsAreStoredInAFolder() throws {
        let folder = ContractFolder(try temporaryFolder().appendingPathComponent("new"))
        let file = ContractFile(name: "../a/b", contract: Contract(recording: [1]))

        XCTAssertNil(try folder.read("../a/b"))
        try folder.write(file)

        XCTAssertEqual(try folder.read("../a/b"), file)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["_.._a_b.json"])
        try Data("{".utf8).write(to: folder.file(named: "broken"))
        XCTAssertThrowsError(try folder.read("broken")) { error in
            XCTAssertTrue("\(error)".hasPrefix("broken.json: This is not a contract"), "\(error)")
        }
    }
}
