import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// The name of the file of a response (RFC 6266).
final class SuggestedFilenameTests: XCTestCase {
    private func name(_ disposition: String?, url: String = "https://x.test/files/a%20b.txt?c=d") throws
        -> String
    {
        var headers = HTTPFields()
        if let disposition { headers["Content-Disposition"] = disposition }
        let url = try XCTUnwrap(URL(string: url))
        return APIResponse(
            requestID: .next(), response: TransportResponse(url: url, status: 200, headers: headers)
        ).suggestedFilename
    }

    /// Examples of RFC 6266 section 5, and cases that Julian Reschke's collection of tests made known.
    func testContentDispositionGivesTheFilename() throws {
        let cases: [(String, String)] = [
            (#"attachment; filename="foo.html""#, "foo.html"),
            (#"Attachment; filename=example.html"#, "example.html"),
            (#"INLINE; FILENAME= "an example.html""#, "an example.html"),
            (#"attachment; filename*= UTF-8''%e2%82%ac%20rates"#, "€ rates"),
            (#"attachment; filename="EURO rates"; filename*=utf-8''%e2%82%ac%20rates"#, "€ rates"),
            (#"attachment; filename*=utf-8''%e2%82%ac%20rates; filename="EURO rates""#, "€ rates"),
            (#"attachment; filename*=iso-8859-1'en'%A3%20rates"#, "£ rates"),
            (#"attachment; filename*=UTF-8'zh'%E9%BE%99%E4%BA%95%E8%8C%B6.pdf"#, "龙井茶.pdf"),
            (#"attachment; filename="f\oo.html""#, "oo.html"),
            (#"attachment; filename="\"quoting\" tested.html""#, #""quoting" tested.html"#),
            (#"attachment; filename="Here's a semicolon;.html""#, "Here's a semicolon;.html"),
            (#"attachment; foo="bar"; filename="foo.html""#, "foo.html"),
            (#"attachment; foo="\"\\";filename="foo.html""#, "foo.html"),
            (#"attachment; xfilename=foo.html; filename=bar.html"#, "bar.html"),
            (#"attachment; filename="first.html"; filename="second.html""#, "first.html"),
            (#"attachment;filename="foo-%41.html""#, "foo-%41.html"),
            // Refused: a charset that nobody has to know, damaged UTF-8, no charset at all.
            (#"attachment; filename="a.txt"; filename*=koi8-r''%f0"#, "a.txt"),
            (#"attachment; filename="a.txt"; filename*=utf-8''%ff%fe"#, "a.txt"),
            (#"attachment; filename="a.txt"; filename*=b.txt"#, "a.txt"),
            (#"attachment; filename="龙井茶.pdf""#, "龙井茶.pdf"),
            (#"attachment; filename="open"#, "open"),
            (#"attachment; filename="#, "a b.txt"), (#"attachment"#, "a b.txt"), (#""#, "a b.txt"),
        ]
        for (field, expected) in cases { XCTAssertEqual(try name(field), expected, field) }
        XCTAssertEqual(try name(nil), "a b.txt")
        XCTAssertEqual(try name(nil, url: "https://x.test/"), "download")
        XCTAssertEqual(try name(nil, url: "https://x.test"), "download")
    }

    func testFilenamesDoNotLeaveTheFolder() throws {
        let cases: [(String, String)] = [
            ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), (#"C:\Users\ming\a.txt"#, "a.txt"),
            (#"..\\..\\a.txt"#, "a.txt"), (".bashrc", "bashrc"), ("..", "a b.txt"), (".", "a b.txt"),
            ("a/..", "a b.txt"), ("a\u{0}b.txt", "ab.txt"), ("a\u{7}b.txt", "ab.txt"),
            ("photo\u{202E}gpj.exe", "photogpj.exe"), (" a.txt. ", "a.txt"), ("a:b.txt", "ab.txt"),
            ("\u{2028}", "a b.txt"), ("...", "a b.txt"), ("\u{FEFF}.profile", "profile"),
        ]
        for (value, expected) in cases {
            XCTAssertEqual(try name("attachment; filename=\"\(value)\""), expected, value.debugDescription)
            let escaped = value.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            // Backslashes have no meaning of their own in this form.
            let plain = value.replacingOccurrences(of: #"\\"#, with: #"\"#)
            XCTAssertEqual(
                try name("attachment; filename*=UTF-8''\(escaped.joined())"), expected, plain.debugDescription
            )
        }
        XCTAssertEqual(try name(nil, url: "https://x.test/a/%2e%2e%2f%2e%2e%2fpasswd"), "passwd")
    }

    /// Otherwise one server could write what the download from another one goes on with.
    func testNamesOfIncompleteDownloadsAreNotMade() throws {
        for name in ["a.map.partial", "a.map.PARTIAL", "a.map.partial.json", ".partial"] {
            XCTAssertEqual(
                try self.name("attachment; filename=\"\(name)\""), name == ".partial" ? "partial" : name + "_"
            )
        }
    }

    func testLongNamesKeepTheirExtension() throws {
        let name = try name("attachment; filename=\"\(String(repeating: "茶", count: 300)).tar.gz\"")
        XCTAssertLessThanOrEqual(name.utf8.count, 200)
        XCTAssertTrue(name.hasPrefix("茶茶") && name.hasSuffix(".gz"), name)
        XCTAssertLessThanOrEqual(
            try self.name("a; filename=a.\(String(repeating: "b", count: 999))").utf8.count, 200)
    }

    func testAnyHeaderFieldGivesAValidFilename() throws {
        var random = FixedRandom(seed: 6266)
        let pieces = [
            "filename", "filename*", "=", ";", "\"", "\\", "/", "..", "utf-8''", "%e8", "%8c%b6", "%00",
            "%2f", "'",
            " ", "a", "茶", ".", ":", "\u{202E}", "\u{301}", "\t", "%", "%2", "iso-8859-1''",
        ]
        for _ in 0..<FullLength.rounds(5000, of: 20_000) {
            let field = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let name = try name("attachment; filename" + field)
            XCTAssertFalse(name.isEmpty || name.hasPrefix(".") || name.utf8.count > 200, field)
            XCTAssertFalse(name.contains { "/\\:\0".contains($0) }, field)
        }
    }
}
