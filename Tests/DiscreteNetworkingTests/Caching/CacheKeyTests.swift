import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

final class CacheKeyTests: XCTestCase {
    func testNoTwoListsOfPartsAreTheSameKey() {
        let lists: [(String, String, [String])] = [
            ("a", "b", ["c"]), ("ab", "", ["c"]), ("a", "bc", []), ("a", "b", ["c", ""]),
            ("a", "b", ["", "c"]),
            ("a", "b", []), ("a", "b", ["1 c"]), ("a", "b1 c", []), ("a", "b", ["c1 d"]),
            ("a", "b", ["c", "d"]),
            ("a", "b", ["d", "c"]), ("é", "b", ["c"]), ("e\u{301}", "b", ["c"]),
        ]
        let keys = lists.map { CacheKey(service: .init(rawValue: $0), methodName: $1, parts: $2) }
        XCTAssertEqual(Set(keys).count, lists.count)
        XCTAssertEqual(keys[0], CacheKey(service: "a", methodName: "b", parts: ["c"]))
    }

    func testNamesAreDigestsAndShowNothing() throws {
        let key = CacheKey(service: "shop", methodName: "orders", parts: ["casa@example.com"])
        for name in [key.service, key.endpoint, key.entry] {
            XCTAssertTrue(CacheFileName.isDigest(name), name)
        }
        // As `printf '4 shop' | sha256sum` prints them.
        XCTAssertEqual(key.service, "8f3cb786d3e1535126279b779a4878ad")
        XCTAssertEqual(key.endpoint, "91882ae3f993e34a418021f804a7d859")
        XCTAssertEqual(key.entry, "1958ff2184acd4def3fee41bbd687c58")
        XCTAssertEqual("\(key)", "CacheKey(1958ff2184acd4def3fee41bbd687c58)")
        var text = ""
        dump(key, to: &text)
        XCTAssertFalse(text.contains("casa") || text.contains("99, 97, 115, 97"), text)
        XCTAssertEqual(key.service, CacheKey.service("shop"))
        XCTAssertEqual(key.endpoint, CacheKey.endpoint("shop", methodName: "orders"))
    }
}
