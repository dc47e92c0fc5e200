import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

/// What responses say of the limits of a server, in the fields that servers use.
final class RateLimitFieldsTests: XCTestCase {
    func testLimitsAreReadFromResponseFields() {
        let now = Date(timeIntervalSince1970: 1_704_067_200)
        func read(_ headers: HTTPFields, _ status: Int = 200) -> [Double]? {
            RateLimitFields(headers, status: status, now: now).map { [Double($0.remaining), $0.reset] }
        }
        XCTAssertEqual(read(["RateLimit": #""a";r=5;t=10, "b";r=0;t=3"#]), [0, 3])
        XCTAssertEqual(read(["RateLimit": #""a";r=0"#, "RateLimit-Policy": #""a";q=100;w=60"#]), [0, 60])
        XCTAssertEqual(read(["RateLimit": "limit=10, remaining=4, reset=7"]), [4, 7])
        XCTAssertEqual(read(["RateLimit-Remaining": "0", "RateLimit-Reset": "9"]), [0, 9])
        XCTAssertEqual(read(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1704067230"]), [0, 30])
        XCTAssertEqual(read(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1704067230000"]), [0, 30])
        XCTAssertEqual(read(["Retry-After": "9"], 429), [0, 9])
        XCTAssertEqual(read(["Retry-After": "Mon, 01 Jan 2024 00:00:30 GMT"], 503), [0, 30])
        for headers in [
            [:], ["RateLimit": ""], ["RateLimit": "nonsense"], ["RateLimit": #""a";r=0"#],
            ["RateLimit": #""a";r=-1;t=10"#], ["RateLimit": #""a";r=0;t=-10"#],
            ["RateLimit": #""a";r=0;t=nan"#],
            ["X-RateLimit-Remaining": "0"], ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-5"],
            ["X-RateLimit-Remaining": "nan", "X-RateLimit-Reset": "5"], ["Retry-After": "9"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000001"],
        ] as [HTTPFields] {
            XCTAssertNil(read(headers), "\(headers)")
        }
        XCTAssertEqual(read(["RateLimit": #""a";r=0;t=1e400"#]).map { $0[1] > 60 }, true)
        XCTAssertEqual(read(["RateLimit": #""a";r=1e30;t=10"#])?.last, 10)
        XCTAssertNotNil(read(["RateLimit": String(repeating: #""a";r=0;t=1,"#, count: 100_000)]))
    }
}
