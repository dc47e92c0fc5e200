import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// The file beside the file.
final class PartialFileTests: XCTestCase {
    func testWhoGaveItUpHasItNoLonger() throws {
        let folder = try temporaryFolder()
        let first = try PartialFile.open(folder.file("a"))
        try first.append(Data("ab".utf8))
        let second = try XCTUnwrap(first.surrender())
        XCTAssertNil(first.surrender())
        XCTAssertThrowsError(try first.append(Data("x".utf8)))
        XCTAssertThrowsError(try first.finish())
        first.discard()
        first.close()
        try second.append(Data("c".utf8))
        try second.finish()
        XCTAssertEqual(try Data(contentsOf: folder.file("a")), Data("abc".utf8))
        XCTAssertEqual(folder.names, ["a"])
    }

    func testTheLockGoesWithTheFile() throws {
        let folder = try temporaryFolder()
        let first = try PartialFile.open(folder.file("a"))
        XCTAssertThrowsError(try PartialFile.open(folder.file("a"))) {
            XCTAssertEqual($0 as? TransferFailure, .destinationInUse)
        }
        try first.finish()
        let second = try PartialFile.open(folder.file("a"))
        XCTAssertEqual(second.size, 0, "a new one, not the one that has its name now")
        second.discard()
        XCTAssertEqual(folder.names, ["a"])
    }

    /// Somebody else's link would have us empty the file that it leads to.
    func testALinkIsTakenAway() throws {
        let folder = try temporaryFolder()
        let victim = try folder.write("victim", Data("precious".utf8))
        for isSymbolic in [false, true] {
            let link = folder.file("a.partial")
            if isSymbolic {
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            } else {
                try FileManager.default.linkItem(at: victim, to: link)
            }
            do {
                let file = try PartialFile.open(folder.file("a"))
                try file.start(nil)
                try file.append(Data("new".utf8))
                try file.finish()
                XCTAssertEqual(try Data(contentsOf: folder.file("a")), Data("new".utf8))
            } catch {
                // A symbolic link is refused.
                XCTAssertEqual("\(error)".contains("cannot be opened"), true, "\(error)")
                try FileManager.default.removeItem(at: folder.file("a.partial"))
            }
            XCTAssertEqual(try Data(contentsOf: victim), Data("precious".utf8))
        }
    }

    /// A pipe would hold up whoever opens it, and somebody else reads what is written to it.
    func testAPipeIsTakenAway() throws {
        let folder = try temporaryFolder()
        XCTAssertEqual(mkfifo(folder.file("a.partial").path, 0o600), 0)
        let file = try PartialFile.open(folder.file("a"))
        try file.append(Data("new".utf8))
        try file.finish()
        XCTAssertEqual(try Data(contentsOf: folder.file("a")), Data("new".utf8))
    }

    func testPartialFileIsKeptUntilARestart() throws {
        let folder = try temporaryFolder()
        _ = try folder.write("a.partial", Data("old".utf8))
        let file = try PartialFile.open(folder.file("a"))
        XCTAssertEqual(file.size, 3)
        XCTAssertNil(file.resumePoint, "nobody knows whose it is")
        try file.append(Data("er".utf8))
        XCTAssertEqual(try Data(contentsOf: file.url), Data("older".utf8))
        try file.start(nil)
        XCTAssertEqual(file.size, 0)
    }

    /// A call that is over discards its file while the next one takes it over.
    func testDiscardedAndTakenOverAtTheSameTime() throws {
        let folder = try temporaryFolder()
        let problems = Locked<[String]>([])
        for _ in 0..<FullLength.rounds(40, of: 500) {
            let first = try PartialFile.open(folder.file("a"))
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                if side == 0 { return first.discard() }
                do {
                    let second = try first.surrender() ?? PartialFile.open(folder.file("a"))
                    try second.append(Data("map".utf8))
                    try second.finish()
                    guard try Data(contentsOf: folder.file("a")) == Data("map".utf8) else {
                        throw POSIXError(.EIO)
                    }
                } catch {
                    problems.withLock { $0.append("\(error)") }
                }
            }
            try? FileManager.default.removeItem(at: folder.file("a"))
        }
        XCTAssertEqual(problems.current, [])
    }

    /// The next call takes over what a call finishes at that very moment: what is finished stays as it is.
    func testFinishedAndTakenOverAtTheSameTime() throws {
        let folder = try temporaryFolder()
        for _ in 0..<200 {
            let first = try PartialFile.open(folder.file("a"))
            try first.append(Data("old".utf8))
            let isFinished = Locked(false)
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                if side == 0 {
                    isFinished.current = (try? first.finish()) != nil
                    return
                }
                guard let second = first.surrender() else { return }
                try? second.start(nil)
                second.discard()
            }
            let content = try? Data(contentsOf: folder.file("a"))
            XCTAssertEqual(content, isFinished.current ? Data("old".utf8) : nil)
            XCTAssertEqual(folder.names, isFinished.current ? ["a"] : [])
            try? FileManager.default.removeItem(at: folder.file("a"))
        }
    }
}
