import XCTest

@testable import DiscreteNetworkingCore

/// What unified logging would truncate goes out in pieces.
final class SystemLogTests: XCTestCase {
    func testAShortLineStaysWhole() {
        let line = String(repeating: "a", count: SystemLog.longestMessage)
        XCTAssertEqual(SystemLog.pieces(of: line), [line])
        XCTAssertEqual(SystemLog.pieces(of: ""), [""])
    }

    func testALongLineIsNumberedAndWhole() {
        let line = (0..<700).map { "\($0) 茶🫖e\u{301} " }.joined()
        let pieces = SystemLog.pieces(of: line)
        XCTAssertGreaterThan(pieces.count, 5)
        XCTAssertEqual(pieces.map { $0.utf8.count }.filter { $0 > SystemLog.longestMessage }, [])
        for (index, piece) in pieces.enumerated() {
            XCTAssertTrue(piece.hasPrefix("[\(index + 1)/\(pieces.count)] "), piece)
        }
        let joined = pieces.map { $0.drop { $0 != "]" }.dropFirst(2) }.joined()
        XCTAssertEqual(Array(joined.utf8), Array(line.utf8))
    }
}
