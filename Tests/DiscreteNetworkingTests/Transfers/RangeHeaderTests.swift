import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// The headers that a resumed download depends on.
final class RangeHeaderTests: XCTestCase {
    func testContentRangeIsParsed() {
        let part = ContentRange("bytes 100-199/300")
        XCTAssertEqual(part?.bounds, 100...199)
        XCTAssertEqual(part?.total, 300)
        XCTAssertEqual(ContentRange("Bytes 0-0/*")?.bounds, 0...0)
        XCTAssertNil(ContentRange("bytes 0-0/*")?.total)
        XCTAssertEqual(ContentRange("bytes */300")?.total, 300)
        XCTAssertNil(ContentRange("bytes */300")?.bounds)
        for bad in [
            nil, "", "bytes", "bytes 1-2", "bytes 2-1/5", "bytes 1-5/5", "bytes -1-5/9", "bytes 1-/9",
            "bytes +1-2/9",
            "bytes 1-2-3/9", "bytes */*", "bytes 1-2/9/9", "items 1-2/9", "bytes 1-99999999999999999999/*",
            "bytes=1-2/9",
        ] {
            XCTAssertNil(ContentRange(bad), bad ?? "nil")
        }
    }

    func testHTTPDatesAreParsed() {
        XCTAssertEqual(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777)
        XCTAssertEqual(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT"), 0)
        XCTAssertEqual(HTTPDate.seconds("Tue, 29 Feb 2000 23:59:59 GMT"), 951_868_799)
        XCTAssertEqual(HTTPDate.seconds("Sat, 01 Mar 2036 00:00:00 GMT"), 2_087_942_400)
        for bad in [
            "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Wed, 30 Feb 1994 08:49:37 GMT", "Thu, 31 Nov 1994 08:49:37 GMT",
        ] {
            XCTAssertNil(HTTPDate.seconds(bad), bad)
        }
    }
}
