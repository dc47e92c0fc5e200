import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

/// Header fields: order, case, duplicates, and what may not go on the wire.
final class HTTPFieldsTests: XCTestCase {
    private func lines(_ fields: HTTPFields) -> [String] { fields.map { "\($0.name): \($0.value)" } }

    func testOrderIsKept() throws {
        XCTAssertEqual(lines(["B": "1", "a": "2", "C": "3", "B": "4"]), ["B: 1", "a: 2", "C: 3", "B: 4"])
        XCTAssertEqual(
            lines(try HTTPFields(validating: ["b": "1", "a": "2", "c": "3"])), ["a: 2", "b: 1", "c: 3"])
        XCTAssertEqual(lines(HTTPFields()), [])
        XCTAssertEqual(
            lines(HTTPFields([.init(name: "z", value: "1"), .init(name: "a", value: "2")])), ["z: 1", "a: 2"])
    }

    func testNamesAreFoundWithoutRegardToASCIICase() {
        let fields: HTTPFields = ["Content-TYPE": "a", "X_^": "b"]
        XCTAssertEqual(fields["content-type"], "a")
        XCTAssertEqual(fields["CONTENT-type"], "a")
        XCTAssertNil(fields["Content-Typ"])
        XCTAssertNil(fields["Content-Types"])
        XCTAssertNil(fields["X_~"], "^ and ~ differ by 0x20 but are no letters")
    }

    func testDuplicatesAreJoined() {
        var fields: HTTPFields = ["Accept": "a", "X": "1", "accept": "b"]
        fields.append("ACCEPT", "c")
        XCTAssertEqual(fields["accept"], "a, b, c")
        XCTAssertEqual(fields.values(of: "accept"), ["a", "b", "c"])
        XCTAssertEqual(lines(fields), ["Accept: a", "X: 1", "accept: b", "ACCEPT: c"])
        XCTAssertEqual(fields.values(of: "Y"), [])
    }

    func testSetCookieIsNotJoined() {
        let fields: HTTPFields = ["Set-Cookie": "a=1", "set-cookie": "b=2, c"]
        XCTAssertEqual(fields["SET-COOKIE"], "a=1")
        XCTAssertEqual(fields.values(of: "Set-Cookie"), ["a=1", "b=2, c"])
    }

    func testSettingReplacesAllInPlace() {
        var fields: HTTPFields = ["A": "1", "X": "2", "x": "3", "B": "4", "X": "5"]
        fields["x"] = "6"
        XCTAssertEqual(lines(fields), ["A: 1", "x: 6", "B: 4"])
        fields["C"] = "7"
        XCTAssertEqual(lines(fields), ["A: 1", "x: 6", "B: 4", "C: 7"])
        fields["c"] = ""
        XCTAssertEqual(fields["C"], "")
    }

    func testSettingNilRemovesAll() {
        var fields: HTTPFields = ["X": "1", "A": "2", "x": "3"]
        fields["X"] = nil
        XCTAssertEqual(lines(fields), ["A: 2"])
        fields["Y"] = nil
        XCTAssertEqual(lines(fields), ["A: 2"])
        fields["a"] = nil
        XCTAssertTrue(fields.isEmpty)
    }

    func testMergeReplacesFieldsOfTheSameName() {
        var fields: HTTPFields = ["A": "1", "X": "2", "x": "3", "B": "4"]
        fields.merge(["X": "5", "C": "6", "x": "7"])
        XCTAssertEqual(lines(fields), ["A: 1", "B: 4", "X: 5", "C: 6", "x: 7"])
        fields.merge([:])
        XCTAssertEqual(fields.count, 5)

        var empty = HTTPFields()
        empty.merge(["X": "5", "x": "7"])
        XCTAssertEqual(lines(empty), ["X: 5", "x: 7"])
    }

    /// With a pass over all fields for each of them this would take many minutes.
    func testMergingManyIsNoMoreThanTwoPasses() throws {
        let names = (0..<FullLength.rounds(50_000, of: 200_000)).map { "X-\($0)" }
        func all(_ names: [String], _ value: String) throws -> HTTPFields {
            HTTPFields(try names.map { .init(name: try .init(validating: $0), value: value) })
        }
        var fields = try all(names, "old")
        fields.merge(try all(names.map { $0.lowercased() }, "new"))
        XCTAssertEqual(fields.count, names.count)
        XCTAssertTrue(fields.allSatisfy { $0.value == "new" })
    }

    func testEqualityAndHash() {
        let fields: HTTPFields = ["Accept": "a", "X": "b"]
        XCTAssertEqual(fields, ["ACCEPT": "a", "x": "b"])
        XCTAssertEqual(fields.hashValue, (["ACCEPT": "a", "x": "b"] as HTTPFields).hashValue)
        XCTAssertEqual(Set([fields, ["accept": "a", "X": "b"]]).count, 1)
        for other: HTTPFields in [
            ["X": "b", "Accept": "a"], ["Accept": "A", "X": "b"], ["Accept": "a"], ["Accept": "a", "Y": "b"],
            [:],
            ["Accept": "a", "X": "b", "Z": ""],
        ] {
            XCTAssertNotEqual(fields, other)
            XCTAssertNotEqual(other, fields)
        }
    }

    // MARK: Validation

    private func reason(_ fields: HTTPFields) -> String? {
        do throws(InvalidRequestError) {
            try fields.validate()
            return nil
        } catch {
            return error.reason
        }
    }

    func testGoodFieldsPass() {
        XCTAssertNil(reason([:]))
        XCTAssertNil(reason(["X-a.b_c~!#$%&'*+^`|9": "", "X": "a\tb", "Y": "茶 é \u{85}", "Z": "~ :;\"\\"]))
    }

    func testControlCharactersInValuesAreRefused() {
        let controls = (UInt8(0)..<0x20).filter { $0 != 9 }.map { String(UnicodeScalar($0)) }
        for control in controls + ["\u{7F}", "\r\n", "\r\nEvil: 1", "\n\u{301}", "\r\n\r\nGET / HTTP/1.1"] {
            for value in ["s3cr3t" + control, control + "s3cr3t", "s3" + control + "cr3t"] {
                let reason = reason(["A": "b", "X-Name": value]) ?? ""
                XCTAssertTrue(reason.contains("X-Name"), value.debugDescription)
                XCTAssertFalse(reason.contains("cr3t"), reason)
            }
        }
    }

    func testNamesThatAreNoTokensAreRefused() {
        let names = [
            "", " ", "a b", "a:", ":a", "a\r\nb", "a\u{0}", "é", "a\tb", "(a)", "a,b", "\"a\"", "a/b", "{a}",
            "a@", "X-A\r\nX-Evil", "X-Evil: 1\r\nX",
        ]
        for name in names {
            var reason = ""
            do throws(InvalidRequestError) {
                let fields = try HTTPFields(validating: ["A": "b", name: "s3cr3t"])
                XCTFail("\(fields)")
            } catch {
                reason = error.reason
            }
            XCTAssertTrue(reason.contains(name.debugDescription), name.debugDescription)
            XCTAssertFalse(reason.contains("s3cr3t"), reason)
            XCTAssertFalse(reason.utf8.contains { $0 < 0x20 }, reason)
        }
    }

    func testNamesAreTheSameWithoutRegardToCase() throws {
        let name = try HTTPFields.Name(validating: "X-Partner-ID")
        XCTAssertEqual(name.rawName, "X-Partner-ID")
        XCTAssertEqual(name.canonicalName, "x-partner-id")
        XCTAssertEqual(Set([name, "x-partner-id", "X-PARTNER-ID", "X-Partner"]).count, 2)
        XCTAssertEqual("\(name)", "X-Partner-ID")
    }

    // MARK: Standard fields

    func testAcceptLanguageListsTheLanguages() {
        XCTAssertEqual(HTTPFields.acceptLanguage([]), "*")
        XCTAssertEqual(HTTPFields.acceptLanguage(["zh-Hans-CN"]), "zh-Hans-CN")
        XCTAssertEqual(HTTPFields.acceptLanguage(["en", "de-AT", "fr"]), "en, de-AT;q=0.9, fr;q=0.8")
        XCTAssertEqual(
            HTTPFields.acceptLanguage(["a", "b", "c", "d", "e", "f", "g", "h"]),
            "a, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5")
        XCTAssertEqual(HTTPFields.acceptLanguage(["", "en\r\nX: 1", "e_n", "é", "de"]), "de")
        XCTAssertEqual(HTTPFields.acceptLanguage(["en;q=1"]), "*")
    }

    func testUserAgentNamesProgramAndFramework() {
        let own = "DiscreteNetworking/\(frameworkVersion)"
        XCTAssertEqual(HTTPFields.userAgent(program: "Shop", version: "1.2"), "Shop/1.2 " + own)
        XCTAssertEqual(HTTPFields.userAgent(program: "Shop", version: nil), "Shop " + own)
        XCTAssertEqual(HTTPFields.userAgent(program: "Shop", version: ""), "Shop " + own)
        XCTAssertEqual(HTTPFields.userAgent(program: "", version: nil), own)
        XCTAssertEqual(
            HTTPFields.userAgent(program: "My 茶/App\r\n", version: "1 (2)"), "My---App--/1--2- " + own)
    }

    func testTheStandardFieldsCanBeSent() throws {
        XCTAssertEqual(HTTPFields.standard.map(\.name.rawName), ["Accept", "Accept-Language", "User-Agent"])
        XCTAssertTrue(HTTPFields.standard["Accept"]?.hasPrefix("application/json") ?? false)
        XCTAssertTrue(HTTPFields.standard["User-Agent"]?.contains("DiscreteNetworking/") ?? false)
        try HTTPFields.standard.validate()
    }
}
