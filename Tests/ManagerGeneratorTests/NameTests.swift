import Foundation
import XCTest

@testable import ManagerGenerator

/// How names of a description become names in Swift.
final class NameTests: XCTestCase {
    func testNamesOfMembersAreConverted() {
        for (text, expected) in [
            ("pet_id", "petID"), ("petId", "petID"), ("PetID", "petID"), ("photoUrls", "photoURLs"),
            ("X-Trace-ID", "xTraceID"),
            ("id", "id"), ("ID", "id"), ("URL", "url"), ("+1", "plus1"), ("-1", "minus1"),
            ("2nd", "value2nd"),
            ("@type", "type"), ("$ref", "ref"), ("", "value"), ("订单号", "订单号"), ("self", "selfValue"),
            ("init", "initValue"),
            ("DARK_GREEN", "darkGreen"), ("SHOUTING", "shouting"), ("v1", "v1"), ("userIDs", "userIDs"),
            ("a.b", "aB"),
        ] {
            XCTAssertEqual(SwiftName.member(text), expected, text)
        }
        XCTAssertEqual(SwiftName.escaped("default"), "`default`")
        XCTAssertEqual(SwiftName.escaped("name"), "name")
    }

    func testNamesOfTypesAreConverted() {
        for (text, expected) in [
            ("pet", "Pet"), ("new-pet", "NewPet"), ("Error", "ErrorModel"), ("String", "StringModel"),
            ("service", "ServiceModel"),
            ("HTTPValidationError", "HTTPValidationError"), ("Body_upload_file__post", "BodyUploadFilePost"),
            ("com.example.Pet", "ComExamplePet"), ("List<Pet>", "ListLessPetGreater"), ("3D", "Value3D"),
        ] {
            XCTAssertEqual(SwiftName.type(text), expected, text)
        }
    }

    /// As Matrix has them.
    func testAnAcronymAfterADigitHasOneSpelling() {
        for (text, expected) in [
            ("add3PID", "Add3PID"), ("delete3pidFromAccount", "Delete3PIDFromAccount"),
            ("account_3pid", "Account3PID"),
            ("Unbind3Pid", "Unbind3PID"), ("post3PIDs", "Post3PIDs"), ("get-3pids", "Get3PIDs"),
            ("three_pid_creds", "ThreePIDCreds"), ("threePidCreds", "ThreePIDCreds"), ("3pid", "Value3PID"),
            ("base64url", "Base64URL"), ("v2api", "V2API"), ("md5sum", "Md5sum"),
        ] {
            XCTAssertEqual(SwiftName.type(text), expected, text)
        }
        for (text, expected) in [
            ("delete3pid", "delete3PID"), ("3pid", "value3PID"), ("3PID", "value3PID"), ("pid", "pid"),
        ] {
            XCTAssertEqual(SwiftName.member(text), expected, text)
        }
    }

    func testNamesOfOperationsAreShortened() {
        let names = OperationNames([
            ("/pets/{petId}", "get", nil), ("/pets/{petId}", "delete", "removePet"),
            ("/users/{id}/", "get", "read_user_users__id___get"),
            ("/a/x", "get", "list_a_x_get"), ("/b/x", "get", "list_b_x_get"),
        ])
        XCTAssertEqual(
            names.words.map(Words.upperCamel),
            ["GetPetsByPetID", "RemovePet", "ReadUser", "ListAXGet", "ListBXGet"])
    }

    /// A model with the name of a public type would shadow it.
    func testEveryPublicTypeIsReserved() throws {
        let sources = testFolder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources")
        let declaration = try NSRegularExpression(
            pattern:
                #"^(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\s+(?:(?:final|indirect|nonisolated)\s+)*(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)"#,
            options: .anchorsMatchLines)
        for folder in try FileManager.default.contentsOfDirectory(atPath: sources.path)
        where folder.hasPrefix("DiscreteNetworking") {
            let files = try XCTUnwrap(
                FileManager.default.enumerator(atPath: sources.appendingPathComponent(folder).path))
            for case let path as String in files where path.hasSuffix(".swift") {
                let file = sources.appendingPathComponent(folder).appendingPathComponent(path)
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                let whole = NSRange(text.startIndex..., in: text)
                for match in declaration.matches(in: text, range: whole) {
                    let name = try XCTUnwrap(Range(match.range(at: 1), in: text).map { String(text[$0]) })
                    XCTAssertTrue(ReservedTypes.names.contains(name), "\(name) of \(path) is not reserved")
                }
            }
        }
    }
}
