#if DEBUG
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The order of the framework's locks, which each debug build checks.
    final class LockOrderTests: XCTestCase {
        func testOrderIsOneWay() throws {
            let session = "TokenSession: SessionState"
            let jar = "JarPart: State"
            XCTAssertNil(LockOrder.violation(session, jar))
            let text = try XCTUnwrap(LockOrder.violation(jar, session))
            XCTAssertTrue(text.contains(session) && text.contains(jar), text)
            XCTAssertNotNil(LockOrder.violation(jar, jar), "a lock inside itself never ends")
        }

        func testLocksOfNoOrderAreHeldAlone() {
            XCTAssertNotNil(LockOrder.violation("TokenSession: SessionState", "Elsewhere: Int"))
            XCTAssertNotNil(LockOrder.violation("Elsewhere: Int", "TokenSession: SessionState"))
        }

        func testLocksOfEachModuleOfTheFrameworkAreChecked() {
            for module in ["DiscreteNetworkingCore", "DiscreteNetworkingCookies", "DiscreteNetworkingOutbox"]
            {
                XCTAssertEqual(LockOrder.name("\(module)/Jar.swift", Int.self), "Jar: Int")
            }
            for module in ["Shop", "DiscreteNetworkingTests"] {
                XCTAssertNil(LockOrder.name("\(module)/Jar.swift", Int.self))
            }
        }

        /// A lock that was renamed or removed would stand there for ever.
        func testEachLockIsInAFile() throws {
            let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Sources").standardized
            let files = try XCTUnwrap(FileManager.default.enumerator(atPath: sources.path))
                .compactMap { ($0 as? String).map { ($0 as NSString).lastPathComponent } }
            for lock in LockOrder.locks {
                let file = lock.prefix { $0 != ":" } + ".swift"
                XCTAssertTrue(files.contains(String(file)), lock)
            }
            XCTAssertEqual(Set(LockOrder.locks).count, LockOrder.locks.count)
        }
    }
#endif
