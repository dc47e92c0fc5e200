import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingCurl

final class ChunkedCodingTests: XCTestCase {
    private struct Decoded: Equatable {
        var content = ""
        var isComplete = false
        /// What follows the body.
        var rest = ""
    }

    /// Decodes pieces of at most a size.
    private func decode(_ text: String, size: Int, trailerLimit: Int = 1000) throws -> Decoded {
        var coding = ChunkedCoding(trailerLimit: trailerLimit)
        var decoded = Decoded()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
                var piece = piece
                while let content = try coding.next(in: &piece) {
                    decoded.content += String(decoding: content, as: UTF8.self)
                }
                decoded.rest += String(decoding: piece, as: UTF8.self)
            }
        }
        decoded.isComplete = coding.isComplete
        return decoded
    }

    /// Decodes a text in pieces of every size, which must make no difference.
    private func decode(_ text: String, file: StaticString = #filePath, line: UInt = #line) throws -> Decoded
    {
        let whole = try decode(text, size: .max >> 1)
        for size in 1...text.utf8.count {
            XCTAssertEqual(try decode(text, size: size), whole, "pieces of \(size)", file: file, line: line)
        }
        return whole
    }

    func testChunksInAnyPieces() throws {
        for (text, content) in [
            ("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", "abc0123456789"),
            ("0\r\n\r\n", ""), ("000\r\n\r\n", ""), ("0003\r\nabc\r\n0\r\n\r\n", "abc"),
            ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
            ("3;a=b;c=\"d\"\r\nabc\r\n0;x\r\n\r\n", "abc"), ("3 ;a\r\nabc\r\n0\t\r\n\r\n", "abc"),
            ("3\r\nabc\r\n0\r\nX-Sum: 7\r\nY: 1\n\r\n", "abc"), ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
        ] {
            XCTAssertEqual(try decode(text), Decoded(content: content, isComplete: true), text)
        }
    }

    func testBytesAfterTheLastChunkAreLeft() throws {
        XCTAssertEqual(
            try decode("1\r\na\r\n0\r\n\r\nHTTP/1.1 200"),
            Decoded(content: "a", isComplete: true, rest: "HTTP/1.1 200"))
    }

    func testABodyThatIsCutIsIncomplete() throws {
        let text = "3;a\r\nabc\r\n0\r\nX: 1\r\n\r\n"
        for count in 1..<text.utf8.count {
            XCTAssertFalse(try decode(String(decoding: text.utf8.prefix(count), as: UTF8.self)).isComplete)
        }
    }

    func testMalformedChunksAreRefused() {
        for text in [
            "0x5\r\nabcde\r\n0\r\n\r\n", "+5\r\nabcde\r\n", "-5\r\n", " 5\r\nabcde\r\n", "\r\n\r\n", ";a\r\n",
            "5x\r\nabcde\r\n", "5 5\r\nabcde\r\n", "5\nabcde\r\n", "5;a\nabcde\r\n", "5\r\rabcde\r\n",
            "5\rabcde",
            "5\r\nabcd\r\n0\r\n\r\n", "5\r\nabcdef\r\n0\r\n\r\n", "5\r\nabcde0\r\n\r\n",
            "5\r\nabcde\n0\r\n\r\n",
            "5\r\nabcde\r\r\n0\r\n\r\n", "g\r\n", "10000000000000000\r\n", "FFFFFFFFFFFFFFFFFF\r\n",
            "\u{FF15}\r\n",
            "5;" + String(repeating: "x", count: 20_000) + "\r\nabcde\r\n",
            String(repeating: "0", count: 20_000) + "\r\n\r\n",
        ] {
            XCTAssertThrowsError(try decode(text, size: 7), text) {
                XCTAssertEqual(($0 as? TransportError)?.kind, .badResponse)
            }
        }
    }

    func testTrailersHaveALimit() throws {
        let text = "0\r\nX: 12345\r\n\r\n"
        XCTAssertTrue(try decode(text, size: 3, trailerLimit: 12).isComplete)
        XCTAssertThrowsError(try decode(text, size: 3, trailerLimit: 11))
    }

    func testTheLargestSizeIsTaken() throws {
        var coding = ChunkedCoding(trailerLimit: 0)
        try Array("FFFFFFFFFFFFFFFF\r\nabc".utf8).withUnsafeBytes { bytes in
            var bytes = bytes
            XCTAssertEqual(try coding.next(in: &bytes)?.count, 3)
        }
        XCTAssertFalse(coding.isComplete)
    }
}
