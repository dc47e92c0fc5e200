import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingCurl

final class CurlHeadTests: XCTestCase {
    private func head(_ text: String) -> CurlHead { head(Array(text.utf8)) }

    /// The head as libcurl tells it: a line at a time.
    private func head(_ bytes: [UInt8]) -> CurlHead {
        var head = CurlHead()
        var line: [UInt8] = []
        for byte in bytes {
            line.append(byte)
            if byte == 0x0A {
                line.withUnsafeBytes { head.append($0) }
                line = []
            }
        }
        return head
    }

    func testFieldsInOrderWithTheirCase() {
        let head = head("HTTP/1.1 200 OK\r\nX-B: 1\r\nx-a:2 \r\nX-b:\t3\r\nEmpty:\r\n\r\n")
        XCTAssertEqual(head.status, 200)
        XCTAssertTrue(head.isComplete)
        XCTAssertEqual(head.headers.map(\.name.rawName), ["X-B", "x-a", "X-b", "Empty"])
        XCTAssertEqual(head.headers.map(\.value), ["1", "2", "3", ""])
        XCTAssertEqual(head.headers.values(of: "x-B"), ["1", "3"])
    }

    func testAFieldWithABareCarriageReturnIsInvalid() {
        let head = head("HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: b=1\r\nX-B: b\r\n c\rd\r\nX-C: e\r\n\r\n")
        XCTAssertEqual(head.headers.map(\.value), ["e"])
    }

    func testVersionsOfHTTP() {
        XCTAssertEqual(head("HTTP/2 204 \r\n\r\n").status, 204)
        XCTAssertEqual(head("HTTP/1.0 404\r\n\r\n").status, 404)
        XCTAssertEqual(head("HTTP/1.1  599 Strange\r\n\r\n").status, 599)
    }

    func testInterimResponsesArePassedOver() {
        let head = head(
            "HTTP/1.1 100 Continue\r\nX-I: 1\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\nHTTP/1.1 201 Made\r\nX: 2\r\n\r\n"
        )
        XCTAssertEqual(head.status, 201)
        XCTAssertEqual(head.headers.map(\.name.rawName), ["X"])
        XCTAssertFalse(self.head("HTTP/1.1 103 Hints\r\nLink: a\r\n\r\n").isComplete)
    }

    func testTrailersAreNoHeaders() {
        let head = head("HTTP/1.1 200 OK\r\nA: 1\r\n\r\nDigest: x\r\n\r\n")
        XCTAssertEqual(head.headers.map(\.name.rawName), ["A"])
        XCTAssertTrue(head.isComplete)
    }

    func testAStatusLineIsOneOnlyAtTheStart() {
        let inside = head("HTTP/1.1 200 OK\r\nA: 1\r\nHTTP/1.1 404 Gone: x\r\nB: 2\r\n\r\n")
        XCTAssertEqual(inside.status, 200)
        XCTAssertEqual(inside.headers.map(\.name.rawName), ["A", "B"], "no line of that name")
        let after = head("HTTP/1.1 200 OK\r\nA: 1\r\n\r\nHTTP/1.1 404 Gone\r\nB: 2\r\n\r\n")
        XCTAssertEqual(after.status, 200)
        XCTAssertEqual(after.headers.map(\.name.rawName), ["A"])
        let asked = head("HTTP/1.1 401 No\r\nA: 1\r\n\r\nHTTP/1.1 200 OK\r\nB: 2\r\n\r\n")
        XCTAssertEqual(asked.status, 200)
        XCTAssertEqual(asked.headers.map(\.name.rawName), ["B"])
    }

    func testFramingFollowsTheHead() throws {
        func framing(_ lines: String, version: String = "1.1") throws -> ResponseFraming {
            let head = head("HTTP/\(version) 200 OK\r\n\(lines)\r\n\r\n")
            return try head.framing(head.bodyFields)
        }
        XCTAssertEqual(try framing("Content-Length: 5"), .length(5))
        XCTAssertEqual(try framing("A: 1"), .untilClose)
        XCTAssertEqual(try framing("Transfer-Encoding: Chunked"), .chunked)
        XCTAssertEqual(try framing("Transfer-Encoding:\r\n chunked"), .chunked)
        XCTAssertThrowsError(try framing("Transfer-Encoding: chunked", version: "1.0"))
        XCTAssertThrowsError(try framing("Transfer-Encoding: chunked", version: "2"))
        XCTAssertEqual(try framing("Content-Length: 5\r\ncontent-length: 5, 5"), .length(5))
        XCTAssertThrowsError(try framing("Content-Length: 5\r\nContent-Length: 6"))
        XCTAssertEqual(try framing("CONTENT-length : 5"), .length(5))
        XCTAssertEqual(try framing("Content-Length:\r\n 5"), .length(5))
        XCTAssertEqual(
            try framing("Content-Lengths: 5\r\nContent-Locally: 6\r\nX: 1\r\n 5"), .untilClose)
    }

    func testFieldsOfTheBodyAreFoundInOnePass() {
        let head = head(
            "HTTP/1.1 200 OK\r\nContent-Type: a\r\ncontent-encoding: gzip\r\nTrailer: b\r\n"
                + "Transfer-encoding: chunked\r\nContent-Language: zh\r\nCONTENT-LENGTH :\r\n 5\r\n"
                + "Content-Encodings: c\r\nContent-Encoding: br\r\n\r\n")
        XCTAssertEqual(
            head.bodyFields.map(\.name.rawName),
            ["content-encoding", "Transfer-encoding", "CONTENT-LENGTH", "Content-Encoding"])
        XCTAssertEqual(head.bodyFields.map(\.value), ["gzip", "chunked", "5", "br"])
    }

    func testFoldedLinesAreUnfolded() {
        let head = head("HTTP/1.1 200 OK\r\nA: one\r\n  two\r\n\tthree\r\nB: 4\r\n\r\n")
        XCTAssertEqual(head.headers.map(\.value), ["one two three", "4"])
    }

    func testBlanksAboutAFoldedValueAreNoPartOfIt() {
        let head = head(
            "HTTP/1.1 302 Found\r\nLocation:\r\n /ok\r\nA: b\r\n \r\n\t\r\nC:\r\n \r\n d \r\n\r\n")
        XCTAssertEqual(head.headers.map(\.value), ["/ok", "b", "d"])
    }

    func testBareLineFeeds() {
        let head = head("HTTP/1.1 200 OK\nA: 1\n\n")
        XCTAssertTrue(head.isComplete)
        XCTAssertEqual(head.headers["A"], "1")
    }

    func testEveryByteSurvives() {
        let bytes =
            Array("HTTP/1.1 200 \u{FF}\r\n".utf8) + Array("L: ".utf8) + [0x61, 0xE9, 0xFF, 0x0D, 0x0A]
            + Array("U: 茶\r\nName : v\r\n\r\n".utf8)
        let head = head(bytes)
        XCTAssertEqual(head.headers["L"], "aéÿ")
        XCTAssertEqual(head.headers["U"], "茶")
        XCTAssertEqual(head.headers["Name"], "v")
    }

    func testNoBytesOfAnyKindDoHarm() {
        var random = FixedRandom(seed: 3)
        let alphabet = Array("HTTP/1.1 200\r\n\n\n: \tabc\u{0}\u{7F}".utf8) + [0xFF, 0xC3]
        for _ in 0..<5000 {
            let count = Int.random(in: 0...60, using: &random)
            let head = head(
                (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
            XCTAssertTrue((0...999).contains(head.status))
        }
    }
}
