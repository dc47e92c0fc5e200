import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A value behind a lock loses no change, whoever throws and however many threads come.
final class LockedTests: XCTestCase {
    func testReadsAndWrites() {
        let value = Locked(1)
        XCTAssertEqual(value.current, 1)
        value.current = 2
        XCTAssertEqual(value.current, 2)
        let old = value.withLock { value in
            defer { value = 3 }
            return value
        }
        XCTAssertEqual(old, 2)
        XCTAssertEqual(value.current, 3)
    }

    func testCopiesShareTheValue() {
        let value = Locked("a")
        let copy = value
        copy.current = "b"
        XCTAssertEqual(value.current, "b")
    }

    func testTheValueIsReleasedWithTheLastCopy() {
        final class Object: Sendable {}
        weak var object: Object?
        do {
            let first = Locked(Object())
            object = first.current
            let second = Locked(first)
            XCTAssertNotNil(object)
            XCTAssertTrue(second.current.current === object)
        }
        XCTAssertNil(object)
    }

    /// A service has several; `dump` shows none of their values.
    func testAMirrorShowsNoValue() {
        var text = ""
        dump(Locked("secret"), to: &text)
        XCTAssertFalse(text.contains("secret"))
    }

    func testNoChangeIsLost() {
        let list = Locked<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<1000 { list.withLock { $0.append(thread * 1000 + index) } }
        }
        XCTAssertEqual(list.current.sorted(), Array(0..<8000))
    }

    func testAnErrorKeepsItsTypeAndFreesTheLock() {
        struct Failure: Error, Equatable { let old: Int }
        let value = Locked(1)
        do throws(Failure) {
            try value.withLock { value throws(Failure) in
                value += 1
                throw Failure(old: value)
            }
            XCTFail("nothing thrown")
        } catch {
            XCTAssertEqual(error, Failure(old: 2))
        }
        XCTAssertEqual(value.current, 2)
    }

    func testReplacedValueMayReadTheLockInItsDeinit() {
        final class Asker: Sendable {
            let lock: Locked<Asker?>
            let heard: Locked<Int>
            init(_ lock: Locked<Asker?>, _ heard: Locked<Int>) { (self.lock, self.heard) = (lock, heard) }
            deinit { heard.withLock { $0 += lock.current == nil ? 1 : 100 } }
        }
        let (lock, heard) = (Locked<Asker?>(nil), Locked(0))
        lock.current = Asker(lock, heard)
        lock.current = nil
        XCTAssertEqual(heard.current, 1)
    }
}
