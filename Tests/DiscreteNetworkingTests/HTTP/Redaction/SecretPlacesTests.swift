import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Secrets in other formats than JSON, under other names than a password's, and under no name at all.
final class SecretPlacesTests: XCTestCase {
    private let redaction = Redaction.standard
    private static let token =
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"

    private func check(_ cases: [(String, String)], line: UInt = #line) {
        for (text, expected) in cases {
            XCTAssertEqual(redaction.redacted(text: text), expected, text, line: line)
        }
    }

    private func checkHidden(_ texts: [String], _ secret: String = "s3cr3t-s3cr3t", line: UInt = #line) {
        for text in texts {
            XCTAssertTrue(text.contains(secret), "no secret in \(text)", line: line)
            let redacted = redaction.redacted(text: text)
            XCTAssertFalse(redacted.contains(secret), "\(text)\nbecame\n\(redacted)", line: line)
        }
    }

    private func checkKept(_ texts: [String], line: UInt = #line) {
        check(texts.map { ($0, $0) }, line: line)
    }

    // MARK: Names

    func testNamesOfOtherSecrets() {
        for name in [
            "pass", "user[pass]", "passcode", "pass_code", "bearer", "device_code", "deviceCode",
            "SAMLResponse",
            "SAMLRequest", "X-CSRF", "X-CSRF-Token", "X-XSRF-TOKEN", "_csrf", "密码", "登录密码", "口令", "令牌",
            "access令牌",
            "accessToken", "access_token", "ACCESS-TOKEN", "AccessToken", "Access.Token", "client_assertion",
            "verification_code", "smsCode", "otp_code", "aes_key", "x-auth-key", "signingKey", "PHPSESSID",
            "authKey", "user_pwd", "loginPwd", "oldPwd",
        ] {
            XCTAssertTrue(redaction.isSecret(param: name), name)
        }
        for name in [
            "passed", "passenger", "bypass", "compass", "code", "zipCode", "errorCode", "pass_rate",
            "bearers", "密",
        ] {
            XCTAssertFalse(redaction.isSecret(param: name), name)
        }
        check([
            (#"{"密码":"s3","口令":["s4"],"a":1}"#, #"{"密码":"<redacted>","口令":"<redacted>","a":1}"#),
            (#"{"\u5bc6\u7801":"s3"}"#, #"{"\u5bc6\u7801":"<redacted>"}"#),
            ("a=1&%E5%AF%86%E7%A0%81=s3", "a=1&%E5%AF%86%E7%A0%81=<redacted>"),
        ])
        XCTAssertEqual(redaction.redacted(sentence: "密码错误: 已锁定"), "密码错误: 已锁定")
    }

    /// An authorization code is a secret; the business code of an envelope is not.
    func testAuthorizationCodesAreHiddenAndBusinessCodesAreNot() throws {
        let code = "SplxlOBeZQQYbYS6WxSbIA"
        check([
            ("code=\(code)&state=x", "code=<redacted>&state=x"), ("a=1&code=123456", "a=1&code=<redacted>"),
            ("grant_type=authorization_code&code=x-1", "grant_type=authorization_code&code=<redacted>"),
            (#"{"code":"\#(code)","id":7}"#, #"{"code":"<redacted>","id":7}"#),
            (#"{"url":"https://h/cb?code=\#(code)&b=1"}"#, #"{"url":"https://h/cb?code=<redacted>&b=1"}"#),
            (#"{"Code":"061Yxv000aBcdE1234fG"}"#, #"{"Code":"<redacted>"}"#),
        ])
        let url = try XCTUnwrap(URL(string: "app://cb?code=4%2F0AX4XfWh-2a_b3c&scope=a#code=\(code)"))
        XCTAssertEqual(redaction.redacted(url), "app://cb?code=<redacted>&scope=a#code=<redacted>")
        checkKept([
            #"{"code":0,"msg":"ok"}"#, #"{"code":40102}"#, #"{"code":"40102"}"#, #"{"code":"A0230"}"#,
            #"{"code":"ERR_PAYMENT_DECLINED_402"}"#, #"{"code":"orderNotFoundError404"}"#,
            #"{"code":"validation.failed.field2"}"#, #"{"code":1234567890123456}"#, #"{"code":null}"#,
            #"{"code":{"a":1}}"#, #"{"errorCode":"\#(code)"}"#, "code: 40102", "failed with code=40102",
            "failed with code=INVALID_GRANT, sorry", "?code=200&a=1", "a=1&code=", #"{"code":"SPRING-2026"}"#,
        ])
        XCTAssertEqual(Redaction(words: [], names: []).redacted(text: "code=\(code)"), "code=\(code)")
    }

    // MARK: Formats

    func testSecretsOfXMLAreRedacted() {
        check([
            ("<a><token>s3</token><b>1</b></a>", "<a><token><redacted></token><b>1</b></a>"),
            (
                #"<wsse:Password Type="http://x#PasswordText">s3</wsse:Password><b>1</b>"#,
                #"<wsse:Password Type="http://x#PasswordText"><redacted></wsse:Password><b>1</b>"#
            ),
            (
                "<a><Access-Token\n>s3 s4</Access-Token\n></a>",
                "<a><Access-Token\n><redacted></Access-Token\n></a>"
            ),
            (#"<login user="x" password="s 3" b="1"/>"#, #"<login user="x" password="<redacted>" b="1"/>"#),
            ("<login password='s\"3'>b</login>", "<login password='<redacted>'>b</login>"),
            ("<a><token><![CDATA[s3</token>]]></token>b</a>", "<a><token><redacted></token>b</a>"),
            ("<secret><a>s3</a><secret>s4</secret>s5</secret>b", "<secret><redacted></secret>b"),
            ("<token/><a>1</a>", "<token/><a>1</a>"), ("<a><token></token></a>", "<a><token></token></a>"),
            (
                "<key>Token</key>\n<string>s3</string><key>a</key>",
                "<key>Token</key>\n<string><redacted></string><key><redacted></key>"
            ),
            (
                "<member><name>password</name><value><string>s3</string></value></member>",
                "<member><name>password</name><value><string><redacted></string></value></member>"
            ),
            (#"<string name="token">s3</string>"#, #"<string name="token"><redacted></string>"#),
            (#"<add value="s3" key="apiKey"/>"#, #"<add value="<redacted>" key="apiKey"/>"#),
            (#"<meta name="csrf-token" content="s3">b"#, #"<meta name="csrf-token" content="<redacted>">b"#),
            (#"<input type="password" value="s3">"#, #"<input type="password" value="<redacted>">"#),
            (
                #"<a href="https://h/?a=1&amp;token=s3">x</a>"#,
                #"<a href="https://h/?a=1&amp;token=&lt;redacted&gt;">x</a>"#
            ),
            (#"{"soap":"<a><token>s3<\/token></a>"}"#, #"{"soap":"<a><token><redacted></token></a>"}"#),
            ("<a>&lt;token&gt;s3&lt;/token&gt;</a>", "<a>&lt;token&gt;&lt;redacted&gt;&lt;/token&gt;</a>"),
            ("<密码>s3</密码>", "<密码><redacted></密码>"),
        ])
        // Cut or malformed.
        checkHidden([
            "<a><token>s3cr3t-s3cr3t", "<a><token>x<b>s3cr3t-s3cr3t</b>", "<login password=\"s3cr3t-s3cr3t",
            "<login password='s3cr3t-s3cr3t", "<token>a</token ><token>s3cr3t-s3cr3t</tok",
            "<a password=s3cr3t-s3cr3t>",
            #"{"a":"\u003cpassword\u003es3cr3t-s3cr3t\u003c/password\u003e"}"#,
            "<soap:Envelope><soap:Body><m:Login xmlns:m=\"u\"><m:pass>s3cr3t-s3cr3t</m:pass></m:Login>",
        ])
        checkKept([
            "a < b && c > d", "<a>1 < 2</a>", "List<Token> cannot be read from START_OBJECT",
            "<!-- a --><a b=\"c\">d</a>",
            "<https://x.example/a>; rel=next", "<", "<a", "</token>", "<a b='c",
        ])
    }

    func testFormsAndStreamsOfAnyType() {
        checkHidden([
            "a=1&token=s3cr3t-s3cr3t", "a=\"1&token=s3cr3t-s3cr3t", "a='1&token=s3cr3t-s3cr3t&b='",
            "a={\"b\":1&token=s3cr3t-s3cr3t", "a=%22&token=s3cr3t-s3cr3t", "a=<b&token=s3cr3t-s3cr3t",
            "a=1;token=s3cr3t-s3cr3t", "a=1&token=%73&pass=s3cr3t-s3cr3t", "[]&a=b:c&token=s3cr3t-s3cr3t",
            "id: 1\ndata: {\"access_token\":\"s3cr3t-s3cr3t\"}\n\n", "data: a=1&token=s3cr3t-s3cr3t\n\n",
            "{\"a\":1}\n{\"token\":\"s3cr3t-s3cr3t\"}\n", #"{"tokens":["a","s3cr3t-s3cr3t"]}"#,
            #"{"query":"mutation { login(password: \"s3cr3t-s3cr3t\") { id } }"}"#,
            #"{"query":"mutation L($pass: String!) { a }","variables":{"pass":"s3cr3t-s3cr3t"}}"#,
            #"{"a":"{\"b\":\"{\\\"token\\\":\\\"s3cr3t-s3cr3t\\\"}\"}"}"#,
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a?token=s3cr3t-s3cr3t\"\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; filename=\"x\"; name=\"pass\"\r\n\r\ns3cr3t-s3cr3t\r\n--b--",
            #"{"name":"Authorization","value":"Bearer s3cr3t-s3cr3t-8"}"#, "[token] => s3cr3t-s3cr3t",
        ])
    }

    // MARK: Values under any name

    func testTokensAreHiddenByTheirShape() {
        let token = Self.token
        check([
            (#"{"a":"\#(token)"}"#, #"{"a":"<redacted>"}"#), ("x \(token) y", "x <redacted> y"),
            ("a=\(token)&b=1", "a=<redacted>&b=1"), ("a=Bearer%20\(token)&b=1", "a=Bearer%20<redacted>&b=1"),
            ("see https://u:s3@h/a and b", "see https://<redacted>@h/a and b"),
            (#"{"u":"https:\/\/u:s3@h\/a"}"#, #"{"u":"https:\/\/<redacted>@h\/a"}"#),
            ("https://u:p@s3@h:80/", "https://<redacted>@h:80/"),
            ("https://u:s'3@h/a", "https://<redacted>@h/a"),
            ("u=https%3A%2F%2Fu%3As3%40h", "u=https%3A%2F%2F%3Credacted%3E%40h"),
            ("sent Basic dXNlcjpodW50ZXIy, failed", "sent Basic <redacted>, failed"),
            ("sent bearer abcDEF0123456789/+~-._==, failed", "sent bearer <redacted>, failed"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----\nb",
                "-----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----\nb"
            ),
        ])
        checkKept([
            "eyJhbGciOiJIUzI1NiJ9", "the bearer token is not valid", "Basic authentication",
            "Basic information12345",
            "https://h/a@b?c=d@e", "['https://h','a@b']", "bearer authentication of users", "bearer token2",
            "-----BEGIN CERTIFICATE-----\nMIIabc",
            "keyJhbGciOiJIUzI1NiJ9.abcdefgh.abcdefgh",
        ])
        XCTAssertEqual(Redaction.none.redacted(text: token), token)
        let url = URL(string: "https://h/a/\(token)/b")
        XCTAssertEqual(url.map(redaction.redacted), "https://h/a/<redacted>/b")
    }

    func testRepeatedSecretsAreHiddenInTheirEncodings() throws {
        let secret = "s3cr3t value/1?"
        let hiding = redaction.hiding([secret])
        let encoded = PercentEncoding.unreserved.encode(secret)
        var forms = [secret, encoded, encoded.lowercased(), PercentEncoding.unreserved.encode(encoded)]
        forms.append(encoded.replacingOccurrences(of: "%20", with: "+"))
        for shift in 0..<3 {
            let text = (Data(repeating: 0x7A, count: shift) + Data(secret.utf8) + Data("z".utf8))
                .base64EncodedString()
            forms += [
                text, text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_"),
            ]
        }
        for form in forms {
            let url = URL(string: "https://h/x/\(form)/y?z=1")
            for text in [hiding.redacted(text: "a \(form) b")]
                + (form == secret ? [] : [url.map(hiding.redacted)].compactMap { $0 })
            {
                XCTAssertTrue(text.contains(Redaction.mark), "\(form) in \(text)")
                XCTAssertFalse(text.contains(form.dropFirst(6).dropLast(6)), "\(form) in \(text)")
            }
        }
        XCTAssertEqual(
            redaction.hiding(["hunter2-hunter2"]).redacted(URL(string: "https://hunter2-hunter2.h/")!),
            "https://<redacted>.h/")
    }

    /// Each text would take minutes if a part of it were looked at for each of its bytes.
    func testTimeIsLinear() {
        let count = FullLength.rounds(5000, of: 80_000)
        let value = String(repeating: "a", count: 4000) + "b"
        let hiding = redaction.hiding([value])
        let unclosed = (0..<8000).map { "x<token\($0)>" }.joined()
        for text in [
            String(repeating: "a", count: count), String(repeating: "<token>", count: count / 7) + "</x>",
            "x" + String(repeating: "x<token>", count: count / 8) + "</x>", unclosed + "</x>",
            String(repeating: "<a '", count: count / 4) + ">", String(repeating: "eyJ.", count: count / 4),
            String(repeating: "eyJhbGciOiJIUzI1NiJ9.", count: count / 20),
            String(repeating: "Basic+", count: count / 6),
            String(repeating: "bearer ", count: count / 7), String(repeating: "://", count: count / 3),
            "<a " + String(repeating: "key=x ", count: count / 6) + ">",
            String(repeating: "&lt;", count: count / 4),
            String(repeating: "<a name=token>", count: count / 14),
            String(repeating: "<key>token</key>", count: count / 16),
            String(repeating: "-----BEGIN ", count: count / 11),
            String(repeating: "code=x", count: count / 6), String(repeating: "/code=x", count: count / 7),
            String(repeating: "\"code\":", count: count / 7), String(repeating: "code:", count: count / 5),
            "code=" + String(repeating: "code:", count: count / 5),
            String(repeating: "token:\n ", count: count / 8), String(repeating: "a'://", count: count / 5),
        ] {
            // The value is found behind each of them.
            let all = text + value
            XCTAssertFalse(hiding.redacted(text: all).contains(value), String(text.prefix(20)))
            let beginning = hiding.redacted(beginningOf: all.utf8, limit: 100_000).text
            XCTAssertFalse(
                String(decoding: beginning, as: UTF8.self).contains(value), String(text.prefix(20)))
        }
    }
}
