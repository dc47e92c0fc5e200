import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What is hidden and what stays, in every form in which a secret is written.
final class RedactionTests: XCTestCase {
    private let redaction = Redaction.standard

    private func check(
        _ cases: [(String, String)], by redaction: Redaction = .standard, line: UInt = #line
    ) {
        for (text, expected) in cases {
            XCTAssertEqual(redaction.redacted(text: text), expected, text, line: line)
        }
    }

    func testSecretNamesAreRecognized() {
        for name in [
            "password", "PassWord", "user_password", "x-API-Key", "api_key", "apiKey", "accessToken", "token",
            "refresh-token", "client_secret", "Signature", "sign", "SIG", "pin", "P-I_N", "cvv", "Session-ID",
            "pwd",
            "key", "credentials", "private_key", "otp", "set-cookie", "authorization",
        ] {
            XCTAssertTrue(redaction.isSecret(param: name), name)
            XCTAssertTrue(redaction.isSecret(header: name), name)
        }
        for name in [
            "", "id", "name", "keyboard", "spin", "design", "signal", "author", "page", "monkey", "tok-e",
        ] {
            XCTAssertFalse(redaction.isSecret(param: name), name)
            XCTAssertFalse(redaction.isSecret(header: name), name)
        }
    }

    func testSecretsOfJSONAreRedacted() {
        check([
            (#"{"token":"s3","id":7}"#, #"{"token":"<redacted>","id":7}"#),
            (#"{"id":7,"token":"s3"}"#, #"{"id":7,"token":"<redacted>"}"#),
            (
                "{ \"Pass_Word\" :\n \"s\\\"3\" , \"a\" : 1 }",
                "{ \"Pass_Word\" :\n \"<redacted>\" , \"a\" : 1 }"
            ),
            (
                #"{"pin":1234,"cvv":null,"otp":true}"#,
                #"{"pin":"<redacted>","cvv":"<redacted>","otp":"<redacted>"}"#
            ),
            (#"{"token":["s",{"a":"3"}],"b":[1]}"#, #"{"token":"<redacted>","b":[1]}"#),
            (#"{"token":{"a":"}s3","b":["]"]},"b":{}}"#, #"{"token":"<redacted>","b":{}}"#),
            (#"[{"a":{"pwd":"s3"}},{"pwd":"s4"}]"#, #"[{"a":{"pwd":"<redacted>"}},{"pwd":"<redacted>"}]"#),
            (#"{"\u0070w\u0064":"s3"}"#, #"{"\u0070w\u0064":"<redacted>"}"#),
            (#"{"msg":"the token is bad","a":"token"}"#, #"{"msg":"the token is bad","a":"token"}"#),
            (#"["token","password"]"#, #"["token","password"]"#),
            (#"{"a":"x\ny\u00e9","b":"c:d=e"}"#, #"{"a":"x\ny\u00e9","b":"c:d=e"}"#),
            (#"{"名称":"青花瓷茶壶 😀"}"#, #"{"名称":"青花瓷茶壶 😀"}"#),
        ])
    }

    func testJSONInsideJSON() {
        check([
            (#"{"data":"{\"token\":\"s3\",\"id\":7}"}"#, #"{"data":"{\"token\":\"<redacted>\",\"id\":7}"}"#),
            (#"{"url":"https://h/?token=s3&b=1"}"#, #"{"url":"https://h/?token=<redacted>&b=1"}"#),
            (#"{"data":"{\"token\":\"s3"#, #"{"data":"{\"token\":\"<redacted>\""#),
            (#"{\"token\":\"s3\"}"#, #"{\"token\":\"<redacted>\"}"#),
        ])
    }

    func testCutOrMalformedJSON() {
        check([
            (#"{"token":"s3"#, #"{"token":"<redacted>""#), (#"{"token":"s3\"#, #"{"token":"<redacted>""#),
            (#"{"token":"#, #"{"token":"#), (#"{"token""#, #"{"token""#), (#"{"tok"#, #"{"tok"#),
            (#"{"token":["s3",{"#, #"{"token":"<redacted>""#), (#"{"pin":12"#, #"{"pin":"<redacted>""#),
            (#"{"token":s3}"#, #"{"token":"<redacted>"}"#),
            (#""token":"s3","a":1"#, #""token":"<redacted>","a":1"#),
            (#"{"a":"b"c","token":"s3","d":1}"#, #"{"a":"b"c","token":"<redacted>","d":1}"#),
            (#"{"a":"C:\","token":"s3","d":1}"#, #"{"a":"C:\","token":"<redacted>","d":1}"#),
            (#"{'token': 's3, "3"', 'a': 1}"#, #"{'token': "<redacted>", 'a': 1}"#),
            (#"{"token": 's3, 3', "a": 1}"#, #"{"token": "<redacted>", "a": 1}"#),
            (#"{"pass\u0077ord\ud800":"s3"}"#, #"{"pass\u0077ord\ud800":"<redacted>"}"#), ("\"", "\""),
            ("", ""),
            ("{\"token\n\":\"s3\"}", "{\"token\n\":\"<redacted>\"}"),
        ])
        XCTAssertFalse(redaction.redacted(text: "{token: \"s3\", a: 1}").contains("s3"))
        XCTAssertFalse(redaction.redacted(text: "{token: [\n\"s3\",\n\"s3\"]}").contains("s3"))
    }

    func testSecretsOfFormsAreRedacted() {
        check([
            ("token=s3&a=1", "token=<redacted>&a=1"), ("a=1&Pass-Word=s3", "a=1&Pass-Word=<redacted>"),
            ("user[password]=s3&user[name]=x", "user[password]=<redacted>&user[name]=x"),
            ("user%5Bpassword%5D=s3", "user%5Bpassword%5D=<redacted>"),
            ("user.pin=s3", "user.pin=<redacted>"),
            ("pin%5B0%5D=s3&pin[]=s4", "pin%5B0%5D=<redacted>&pin[]=<redacted>"),
            ("p%69n=s3", "p%69n=<redacted>"),
            ("token=&a=1", "token=&a=1"), ("a=token&b=password", "a=token&b=password"), ("token", "token"),
            ("token=s%203%26+x&a=1", "token=<redacted>&a=1"), ("token=s3;3&a=1", "token=<redacted>&a=1"),
            ("token~=s3", "token~=<redacted>"), ("token=s=3&a=1", "token=<redacted>&a=1"),
            ("my+token=s3", "my+token=<redacted>"),
            (#"token="s3, 3" a=1"#, "token=<redacted> a=1"),
            (#"token={"a":"s3"}&b=1"#, "token=<redacted>&b=1"),
            ("token => s3 a", "token => <redacted> a"),
            (#"{"token"=>"s3","id"=>7}"#, #"{"token"=>"<redacted>","id"=>7}"#),
            (#"{:token=>"s3", :id=>7}"#, "{:token=><redacted> :id=>7}"),
            ("token = s3 a", "token = <redacted> a"), ("t%6Fken%zz=s3", "t%6Fken%zz=<redacted>"),
            (
                "next=https%3A%2F%2Fh%3Ftoken%3Ds3%26a%3D1",
                "next=https%3A%2F%2Fh%3Ftoken%3D%3Credacted%3E%26a%3D1"
            ),
            ("d=%7B%22token%22%3A%22s3", "d=%7B%22token%22%3A%22%3Credacted%3E%22"),
            ("a=100%25&b=%E8%8C%B6", "a=100%25&b=%E8%8C%B6"),
        ])
    }

    func testSecretsOfHeaderLinesAreRedacted() {
        check([
            ("Authorization: Bearer s3\r\nAccept: */*", "Authorization: <redacted>\r\nAccept: */*"),
            ("Authorization: Digest response=\"s3\", a=\"s4\"", "Authorization: <redacted>"),
            ("cookie:s3; b=s4\nX: 1", "cookie:<redacted>\nX: 1"),
            (
                "Authorization: Digest a=\"b\",\r\n response=\"s3\",\r\n\tc=d\r\nX: 1",
                "Authorization: <redacted>\r\nX: 1"
            ),
            // Indented lines are no header.
            ("  token: s3\n  a: 1", "  token: <redacted>\n  a: 1"),
        ])
    }

    func testSecretsOfMultipartPartsAreRedacted() {
        let part = "Content-Disposition: form-data; name="
        check([
            (
                "--b\r\n\(part)\"pwd\"\r\n\r\ns3\r\n--x: s3\r\n--b\r\n\(part)\"a\"\r\n\r\n1\r\n--b--\r\n",
                "--b\r\n\(part)\"pwd\"\r\n\r\n<redacted>\r\n--b\r\n\(part)\"a\"\r\n\r\n1\r\n--b--\r\n"
            ),
            (
                "--b\r\nContent-Type: text/plain\r\ncontent-disposition:form-data;name=pin\r\n\r\ns3",
                "--b\r\nContent-Type: text/plain\r\ncontent-disposition:form-data;name=pin\r\n\r\n<redacted>"
            ),
            (
                "--b\n\(part)\"user[token]\"; filename=\"a\"\n\ns3\n--b--",
                "--b\n\(part)\"user[token]\"; filename=\"a\"\n\n<redacted>\n--b--"
            ),
            (
                "--b\r\nContent-Disposition: form-data;\r\n name=\"token\"\r\n\r\ns3\r\n--b--\r\n",
                "--b\r\nContent-Disposition: form-data;\r\n name=\"token\"\r\n\r\n<redacted>\r\n--b--\r\n"
            ),
            (
                #"{"dump":"--b\r\n\#(part)\"token\"\r\n\r\ns3\r\n--b--"}"#,
                #"{"dump":"--b\r\n\#(part)\"token\"\r\n\r\n<redacted>\r\n--b--"}"#
            ),
        ])
        let lines = String(repeating: "--a: b\n", count: 10_000)
        XCTAssertEqual(redaction.redacted(text: lines), lines, "each line is looked at once")
    }

    /// What tells a reader why something failed is not taken for a secret.
    func testExplainingWordsAreNotRedacted() {
        for name in ["token_type", "tokenType", "token_type_hint", "signature_method", "token_endpoint"] {
            XCTAssertFalse(redaction.isSecret(param: name), name)
        }
        for text in [
            "s/oauth/token: The server responded with status 400.", "POST /oauth/token: it timed out",
            "Invalid token: expired", "Wrong password: it has to have at least 8 characters.",
            "The token: is not valid", "无效的 token: 已过期", #"{"token_type":"bearer","a":1}"#,
            #"{"msg":"Invalid token: expired"}"#, "token_type=bearer&a=1",
        ] {
            XCTAssertEqual(redaction.redacted(text: text), text)
        }
        check([
            ("the token: s3cr3t", "the token: <redacted>"),
            ("use password: s3 now", "use password: <redacted>"),
            ("got authorization: Bearer abcdef", "got authorization: <redacted>"),
            ("wrong password: hunter", "wrong password: <redacted>"),
            ("s/oauth/token=s3&a=1", "s/oauth/token=<redacted>&a=1"),
        ])
    }

    func testLayersThatAreNotOpenedAreHidden() {
        for depth in 1...12 {
            var json: JSONValue = ["token": "s3cr3t"]
            var query = "token=s3cr3t"
            for _ in 0..<depth {
                json = ["a": .string(json.canonicalText)]
                query = "a=" + PercentEncoding.unreserved.encode(query)
            }
            for text in [json.canonicalText, query, "\"\(query)\"", #"{"a":"\#(query)"}"#] {
                XCTAssertFalse(redaction.redacted(text: text).contains("s3cr3t"), "\(depth): \(text)")
            }
        }
        check([
            (
                #"{"next":"https%3A%2F%2Fh%3Ftoken%3Ds3"}"#,
                #"{"next":"https%3A%2F%2Fh%3Ftoken%3D%3Credacted%3E"}"#
            )
        ])
    }

    func testSecretHeadersAreRedacted() {
        let headers: HTTPFields = [
            "Authorization": "Bearer s3", "Proxy-AUTHORIZATION": "s3", "Cookie": "s3", "Set-Cookie": "s3",
            "set-cookie": "s4", "WWW-Authenticate": "s3", "X-Api_Key": "s3", "Accept": "*/*",
            "Location": "https://h/cb?access_token=s3&a=1", "ETag": "\"abc\"",
        ]
        let redacted = redaction.redacted(headers)
        XCTAssertEqual(redacted.map(\.name.rawName), headers.map(\.name.rawName))
        XCTAssertEqual(
            redacted.map(\.value),
            Array(repeating: Redaction.mark, count: 7) + [
                "*/*", "https://h/cb?access_token=<redacted>&a=1", "\"abc\"",
            ])
        // HTTP's own are secret whatever the rules are.
        let bare = Redaction(words: [], names: [])
        XCTAssertEqual(bare.redacted(headers).filter { $0.value == Redaction.mark }.count, 6)
        XCTAssertFalse(bare.isSecret(header: "X-Api-Key"))
    }

    func testSecretsOfURLsAreRedacted() throws {
        for (text, expected) in [
            ("https://h/token/a?token=s3&b=1", "https://h/token/a?token=<redacted>&b=1"),
            ("https://u:s3@h:80/a?b=1", "https://<redacted>@h:80/a?b=1"),
            ("https://s3@h", "https://<redacted>@h"),
            ("https://h/a?user%5Bpin%5D=s3#x", "https://h/a?user%5Bpin%5D=<redacted>"),
            ("https://h/cb#access_token=s3&b=1", "https://h/cb#access_token=<redacted>&b=1"),
            ("https://h/a;jsessionid=s3", "https://h/a;jsessionid=<redacted>"),
            ("https://h/a;sid=s3;b=1/c", "https://h/a;sid=<redacted>/c"),
            ("/cb?token=s3&next=https://h/p", "/cb?token=<redacted>&next=https://h/p"),
            ("myapp:cb?token=s3&next=https://h/p", "myapp:cb?token=<redacted>&next=https://h/p"),
            ("//u:s3@h/a?b=https://c", "//<redacted>@h/a?b=https://c"),
            ("https://h/a@b?c=d@e", "https://h/a@b?c=d@e"), ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ] {
            let url = try XCTUnwrap(URL(string: text))
            XCTAssertEqual(redaction.redacted(url), expected)
            XCTAssertEqual(Redaction.none.redacted(url), text)
        }
    }

    func testNoneHidesNothing() {
        let text = #"{"token":"s3"} token=s3"#
        XCTAssertEqual(Redaction.none.redacted(text: text), text)
        let headers: HTTPFields = ["Authorization": "s3", "Cookie": "s4", "X": "token=s3"]
        XCTAssertEqual(Redaction.none.redacted(headers), headers)
        XCTAssertFalse(Redaction.none.isSecret(header: "Authorization"))
        XCTAssertFalse(Redaction.none.isSecret(param: "password"))
    }

    func testValuesOfAddedNamesAreRedacted() {
        let more = redaction.adding("X-Partner", "mobile", "card.no")
        check(
            [
                (#"{"x_partner":"s3","Mobile":"s4"}"#, #"{"x_partner":"<redacted>","Mobile":"<redacted>"}"#),
                (
                    "XPartner=s3&user[mobile]=s4&card.no=s5",
                    "XPartner=<redacted>&user[mobile]=<redacted>&card.no=<redacted>"
                ),
                ("token=s3&mobiles=1", "token=<redacted>&mobiles=1"),
            ], by: more)
        XCTAssertTrue(more.isSecret(header: "x-partner"))
        XCTAssertFalse(redaction.isSecret(param: "mobile"))
        check(
            [("a-b_c=s3&xABCx=s4&t=1&A_A=2", "a-b_c=<redacted>&xABCx=<redacted>&t=1&A_A=<redacted>")],
            by: Redaction(words: ["A_bc"], names: ["a-a"]))
    }

    func testManyLayersAreNoTrap() {
        let hostile = "%" + String(repeating: "25", count: 50_000) + "3Dx%3Dy"
        XCTAssertFalse(redaction.redacted(text: hostile + "&token=s3").contains("s3"))
        let deep = String(repeating: "[", count: 50_000)
        XCTAssertEqual(redaction.redacted(text: #"{"token":"# + deep + "s3"), #"{"token":"<redacted>""#)
    }
}
