import Foundation
import XCTest

@testable import DiscreteNetworking

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

    func testNamesAreDigestsAndShowNothing() {
        let key = CacheKey(service: "shop", methodName: "orders", parts: ["casa@example.com"])
        for name in [key.service, key.endpoint, key.entry] {
            XCTAssertTrue(CacheFileName.isDigest(name), name)
        }
        // By sha256sum of "4 shop" and "4 shop6 orders".
        XCTAssertEqual(key.service, String(MessageDigest(.sha256, of: "4 shop").hexadecimal.prefix(32)))
        XCTAssertEqual(
            key.endpoint, String(MessageDigest(.sha256, of: "4 shop6 orders").hexadecimal.prefix(32)))
        XCTAssertEqual(key.service, CacheKey.service("shop"))
        XCTAssertEqual(key.endpoint, CacheKey.endpoint("shop", methodName: "orders"))
    }
}
