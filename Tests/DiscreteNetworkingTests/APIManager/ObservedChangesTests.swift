import Foundation
import XCTest

@testable import DiscreteNetworkingCore

#if canImport(Observation)
    import Observation

    /// What a view observes, from many threads.
    final class ObservedChangesTests: XCTestCase {
        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
        func testAChangeIsSeenOnceByEachReader() {
            let changes = ObservedChanges()
            let seen = Locked(0)
            for _ in 0..<3 {
                withObservationTracking {
                    changes.access()
                } onChange: {
                    seen.withLock { $0 += 1 }
                }
            }
            XCTAssertEqual(changes.withMutation { 7 }, 7)
            XCTAssertEqual(changes.withMutation { 8 }, 8)
            XCTAssertEqual(seen.current, 3)
            // Another one is not observed.
            withObservationTracking {
                changes.access()
            } onChange: {
                seen.withLock { $0 += 1 }
            }
            ObservedChanges().withMutation {}
            XCTAssertEqual(seen.current, 3)
        }

        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
        func testManyThreadsMayReadAndChange() {
            let (changes, seen) = (ObservedChanges(), Locked(0))
            let rounds = FullLength.rounds(200, of: 20_000)
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for _ in 0..<rounds {
                    if thread.isMultiple(of: 2) {
                        withObservationTracking {
                            changes.access()
                        } onChange: {
                            seen.withLock { $0 += 1 }
                        }
                    } else {
                        changes.withMutation {}
                    }
                }
            }
            changes.withMutation {}
            // Of two changes at a time, both may notify a reader.
            XCTAssertGreaterThanOrEqual(seen.current, 4 * rounds)
        }
    }
#endif
