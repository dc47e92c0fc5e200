import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

/// The parameters of field values (RFC 9110 section 5.6.6).
final class FieldParametersTests: XCTestCase {
    func testTokensAndQuotedStringsAreRead() {
        let fields = [
            "text/html; charset=utf-8": "utf-8", "text/html;CHARSET = \"utf-8\" ;x=1": "utf-8",
            #"text/html; title="a; charset=gbk"; charset=utf-8"#: "utf-8",
            #"text/html; title="a\"; charset=gbk"; charset=utf-8"#: "utf-8",
            "text/html; charset=utf-8; charset=gbk": "utf-8", ";;charset=utf-8;": "utf-8",
        ]
        for (field, charset) in fields { XCTAssertEqual(FieldParameters(field)["charset"], charset, field) }
        for field in ["", "charset=utf-8", "text/html; charset", "text/html; x=\"; charset=utf-8"] {
            XCTAssertNil(FieldParameters(field)["charset"], field)
        }
    }

    func testMediaTypesHaveTheirNameAndCharset() {
        let types: [(String, String, String?)] = [
            ("Text/HTML ; Charset='GBK'", "text/html", "gbk"), ("application/json", "application/json", nil),
            (#"multipart/x; title="; charset=gbk""#, "multipart/x", nil), ("; charset=", "", nil),
            (";charset=\"\"", "", nil),
        ]
        for (field, name, charset) in types {
            XCTAssertEqual(MediaType(field).name, name, field)
            XCTAssertEqual(MediaType(field).charset, charset, field)
        }
    }
}
