import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// The pieces that rules of signing are made of.
final class SignedFieldsTests: XCTestCase {
    func testParamsBecomeText() {
        let fields = SignedFields([
            "s": "a b&c=d", "n": 1.50, "i": -7, "t": true, "none": JSONValue.null, "empty": "",
            "a": [1, "二"] as JSONValue,
            "o": ["b": 1, "a": "x"] as Params,
        ])
        XCTAssertEqual(
            fields.joined(separator: "|"),
            #"a=[1,"二"]|empty=|i=-7|n=1.5|none=|o={"a":"x","b":1}|s=a b&c=d|t=true"#)
    }

    /// A separator is one for a server whatever follows it.
    func testAMarkBehindASeparatorJoinsNothing() {
        let form = SignedFields(form: Data("a=1&\u{301}b=\u{301}2&c+\u{301}=3".utf8))
        XCTAssertEqual(form.fields.map(\.name), ["a", "\u{301}b", "c \u{301}"])
        XCTAssertEqual(form.fields.map(\.value), ["1", "\u{301}2", "3"])
        XCTAssertEqual(SignedFields(form: Data("e\u{301}=1".utf8)).removing("\u{E9}").fields.count, 1)
    }

    func testAQueryIsDecoded() throws {
        let url = try XCTUnwrap(URL(string: "https://h/p?b=%E8%8C%B6&a=1+2%2B3&&flag&=x&b=%FF&c=d=e#f?g=h"))
        XCTAssertEqual(
            SignedFields(queryOf: url).fields.map { "\($0.name)>\($0.value)" },
            ["b>茶", "a>1 2+3", "flag>", ">x", "b>%FF", "c>d=e"])
        XCTAssertEqual(SignedFields(form: Data("b=1&a=x+y".utf8)).joined(separator: ";"), "b=1;a=x y")
        for text in ["https://h", "https://h/p", "https://h/p?", "https://h?#a=b"] {
            XCTAssertEqual(SignedFields(queryOf: try XCTUnwrap(URL(string: text))).fields, [], text)
        }
    }

    func testOrderAndWhatIsLeftOut() {
        let names = ["b", "B", "a", "é", "z", "a2", "", "𝒜", "ﬀ"]
        let fields = SignedFields(names.map { .init(name: $0, value: "1") })
        // By bytes: capitals first, and what is beyond U+FFFF last, unlike in UTF-16.
        XCTAssertEqual(fields.sorted().fields.map(\.name), ["", "B", "a", "a2", "b", "z", "é", "ﬀ", "𝒜"])
        let twice = SignedFields([.init(name: "a", value: "2"), .init(name: "a", value: "10")])
        XCTAssertEqual(twice.sorted().joined(separator: "&"), "a=10&a=2")
        let some = SignedFields(["a": "", "b": "1", "sign": "x"]).removing("sign").leavingOutEmpty()
        XCTAssertEqual(some.joined(separator: "&"), "b=1")
    }

    func testWhereASignatureGoes() throws {
        func written(
            _ place: SignatureLocation, _ url: String, _ headers: HTTPFields = [:], _ body: String? = nil
        )
            throws -> APIRequest
        {
            var request = APIRequest(
                url: try XCTUnwrap(URL(string: url)), method: .post, headers: headers,
                body: body.map { .data(Data($0.utf8)) } ?? .none)
            try place.write("x+y", into: &request)
            return request
        }
        let urls = [
            ("https://h/p", "https://h/p?s%20n=x%2By"), ("https://h", "https://h?s%20n=x%2By"),
            ("https://h/p?a=%E8", "https://h/p?a=%E8&s%20n=x%2By"),
            ("https://h/p?#f?g", "https://h/p?s%20n=x%2By#f?g"),
            ("https://h/p#f", "https://h/p?s%20n=x%2By#f"),
            ("https://h/p?s%20n=forged&a=1", "https://h/p?a=1&s%20n=x%2By"),
        ]
        for (url, expected) in urls {
            XCTAssertEqual(try written(.query("s n"), url).url.absoluteString, expected)
            XCTAssertEqual(try written(.param("s n"), url).url.absoluteString, expected)
        }
        let header = try written(.header("X-Sign"), "https://h/p", ["x-sign": "forged"])
        XCTAssertEqual(header.headers, ["X-Sign": "x+y"])
        let form = ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"] as HTTPFields
        let signedForm = try written(.param("sign"), "https://h/p?a=1", form, "b=2&sign=forged")
        XCTAssertEqual(signedForm.body.text, "b=2&sign=x%2By")
        XCTAssertEqual(signedForm.url.absoluteString, "https://h/p?a=1")
        let json = ["Content-Type": "Application/JSON"] as HTTPFields
        XCTAssertEqual(
            try written(.param("sign"), "https://h/p", json, #"{"b":1e2,"sign":"forged"}"#).body.text,
            #"{"b":1e2,"sign":"x+y"}"#)
        for body in ["[1]", "{", ""] {
            XCTAssertThrowsError(try written(.param("sign"), "https://h/p", json, body)) { error in
                XCTAssertTrue((error as? InvalidRequestError)?.reason.contains("JSON object") == true)
            }
        }
        let other = try written(.param("sign"), "https://h/p", ["Content-Type": "text/plain"], "b=2")
        XCTAssertEqual(other.url.absoluteString, "https://h/p?sign=x%2By")
        XCTAssertEqual(other.body.text, "b=2")
    }

    func testStampsAreWholeSecondsAndNoncesAreUnique() throws {
        func seconds(_ time: TimeInterval) throws -> String {
            try NonceSource(now: { Date(timeIntervalSince1970: time) }).seconds()
        }
        XCTAssertEqual(try seconds(1_700_000_000.999), "1700000000")
        XCTAssertEqual(try seconds(0), "0")
        XCTAssertEqual(try seconds(-0.5), "-1")
        for time in [Double.nan, .infinity, -.infinity, 1e30] { XCTAssertThrowsError(try seconds(time)) }
        let nonces = Set((0..<1000).map { _ in NonceSource.randomNonce() })
        XCTAssertEqual(nonces.count, 1000)
        for nonce in nonces {
            XCTAssertTrue(nonce.count == 32 && nonce.allSatisfy { "0123456789abcdef".contains($0) }, nonce)
        }
    }

    func testNoTextShowsAKey() {
        let key = SigningKey("s3cr3t")
        for value in [key, FieldSigner(key: key), HMACSigner(key: key)] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                XCTAssertFalse(text.contains("s3cr3t") || text.contains("bytes"), text)
            }
        }
    }
}
