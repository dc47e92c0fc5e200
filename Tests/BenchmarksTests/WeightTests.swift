import XCTest

@testable import Benchmarks

final class WeightTests: XCTestCase {
    /// As GNU binutils and cctools print it.
    func testTheCodeIsTheFirstColumn() {
        let linux =
            "   text\t   data\t    bss\t    dec\t    hex\tfilename\n   1200\t 8\t 0\t 1208\t 4b8\ta.o\n 34\t0\t0\t34\t22\tb.o\n"
        XCTAssertEqual(Weight.bytes(ofCodeIn: linux), 1234)
        let mac = "__TEXT\t__DATA\t__OBJC\tothers\tdec\thex\n1200\t8\t0\t0\t1208\t4b8\ta.o\n"
        XCTAssertEqual(Weight.bytes(ofCodeIn: mac), 1200)
        XCTAssertEqual(Weight.bytes(ofCodeIn: ""), 0)
    }
}
