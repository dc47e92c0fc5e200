#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Files of credentials that several processes share, or that a process leaves when it is killed.
    final class FileCredentialProcessTests: XCTestCase {
        private var folder: URL!

        override func setUpWithError() throws {
            folder = try CredentialFixture.folder(for: self)
        }

        private var names: [String] { CredentialFixture.names(in: folder) }

        /// How often one that hammers a file writes it.
        static func rounds(of whole: Int) -> Int { FullLength.rounds(whole / 4, of: whole) }

        func testTwoProcessesAndTwoThreadsHammerOneFile() throws {
            let children = try (1...2).map { _ in try ChildProcess("hammer", in: folder) }
            let store = FileCredentialStore(folder: folder)
            let torn = Locked(0)
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for round in 1...Self.rounds(of: 40) {
                    let number = UInt64(thread) << 48 | UInt64(round)
                    do {
                        try store.write(Numbered(number).data, for: "key")
                        if try Numbered(store.read("key")) == nil { torn.withLock { $0 += 1 } }
                    } catch {
                        XCTFail("\(error)")
                    }
                }
            }
            for child in children {
                XCTAssertEqual(child.lines(), ["done"])
                XCTAssertEqual(child.status(), 0)
            }
            XCTAssertEqual(torn.current, 0)
            XCTAssertEqual(names, [CredentialFile.name(of: "key"), "lock"].sorted())
        }

        func testAKilledWriteLeavesTheOldOrTheNewCredentialWhole() throws {
            let count = Numbered.prepared
            for number in 0..<count {
                let file = CredentialFile.encode(Numbered(UInt64(number)).data, key: "key")
                try file.write(to: URL(fileURLWithPath: "\(folder.path).\(number)"))
            }
            var random = FixedRandom(seed: 41)
            let store = FileCredentialStore(folder: folder)
            var leftovers = 0
            var round = 0
            while round < FullLength.rounds(8, of: 100) || leftovers == 0 && round < 2000 {
                round += 1
                let child = try ChildProcess("replace", in: folder)
                var said: String?
                for _ in 1...Int.random(in: 1...20, using: &random) { said = child.line() }
                child.kill(within: leftovers == 0 ? round : 1)
                // Whatever it said before it died was written.
                said = child.lines().last ?? said
                XCTAssertEqual(child.status(), SIGKILL)
                let last = try XCTUnwrap(said?.split(separator: " ").last.flatMap { Int($0) })
                if names.contains(where: { $0.hasSuffix(".new") }) { leftovers += 1 }
                let found = try XCTUnwrap(Numbered(try store.read("key")), "round \(round)")
                XCTAssertTrue(
                    [last % count, (last + 1) % count].contains(Int(found.number)),
                    "\(found.number) after \(last)")
            }
            XCTAssertGreaterThan(leftovers, 0, "some of them have to be killed in mid-write")
            try store.write(Data([1]), for: "key")
            XCTAssertEqual(
                names, [CredentialFile.name(of: "key"), "lock"].sorted(), "the next write tidies up")
        }

        func testFileOfAnInterruptedWriteIsRemovedWithItsKey() throws {
            let store = FileCredentialStore(folder: folder)
            try store.write(Data([1]), for: "key")
            try store.write(Data([2]), for: "other")
            let name = CredentialFile.name(of: "key")
            try Data([1]).write(to: folder.appendingPathComponent(name + ".new"))
            try store.remove("key")
            XCTAssertEqual(names, [CredentialFile.name(of: "other"), "lock"].sorted())
        }

        func testModesDoNotDependOnTheUmask() throws {
            let child = try ChildProcess("umask", in: folder)
            XCTAssertEqual(child.lines(), [0, 0o022, 0o077, 0o777].map { "\($0): 700 600" })
            XCTAssertEqual(child.status(), 0)
        }

        func testAProcessThatKeepsTheLockIsNotWaitedForForEver() throws {
            try FileCredentialStore(folder: folder).write(Data([1]), for: "key")
            let lock = open(folder.appendingPathComponent("lock").path, O_RDWR)
            XCTAssertEqual(flock(lock, LOCK_EX), 0)
            let hasty = FileCredentialStore(folder: folder, lockTimeout: 0)
            for change in [{ try hasty.write(Data([2]), for: "key") }, { try hasty.remove("key") }] {
                XCTAssertThrowsError(try change()) { error in
                    XCTAssertEqual((error as? CredentialStoreError)?.kind, .busy)
                }
            }
            XCTAssertEqual(try hasty.read("key"), Data([1]), "reading does not wait")
            close(lock)
            try hasty.write(Data([3]), for: "key")
        }
    }
#endif
