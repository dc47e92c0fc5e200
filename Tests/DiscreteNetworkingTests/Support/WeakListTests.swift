import Dispatch
import XCTest

@testable import DiscreteNetworkingCore

final class WeakListTests: XCTestCase {
    private final class Holder: Sendable {
        let number: Int
        let list: WeakList<Holder>
        init(_ number: Int, _ list: WeakList<Holder>) { (self.number, self.list) = (number, list) }
        // As the proxy's, it takes locks: here the one that it must not be released in.
        deinit { _ = list.all }
    }

    func testObjectsAreThereAsLongAsOthersKeepThem() {
        let list = WeakList<Holder>()
        var kept = (1...3).map { Holder($0, list) }
        for holder in kept { list.add { [weak holder] in holder } }
        XCTAssertEqual(list.all.map(\.number), [1, 2, 3])
        kept.remove(at: 1)
        XCTAssertEqual(list.all.map(\.number), [1, 3])
        XCTAssertEqual(list.removeAll().map(\.number), [1, 3])
        XCTAssertTrue(list.all.isEmpty)
        withExtendedLifetime(kept) {}
    }

    /// The last reference to an object may be released while the list looks whether it exists.
    func testAnObjectMayBeReleasedWhileAnotherIsAdded() {
        let list = WeakList<Holder>()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for number in 0..<30_000 {
                let holder = Holder(number, list)
                list.add { [weak holder] in holder }
            }
        }
        XCTAssertTrue(list.all.isEmpty)
    }
}
