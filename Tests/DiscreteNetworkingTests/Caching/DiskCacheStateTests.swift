import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

final class DiskCacheStateTests: XCTestCase {
    private func status(of url: URL, modified: TimeInterval? = nil) throws -> FileStatus {
        if let modified {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: url.path)
        }
        return try XCTUnwrap(FileStatus(path: url.path))
    }

    func testAnnouncedBytesAreNotAnnouncedAgain() throws {
        let folder = try temporaryFolder()
        let root = try XCTUnwrap(CacheDirectory.root(folder.url.path, makes: false))
        let file = folder.file("a")
        try Data(count: 100).write(to: file)
        var state = DiskCacheState()
        state.update(from: root, at: 1)
        state.stored(try status(of: file), for: CacheFileKey(CacheFixture.key(1)))
        XCTAssertGreaterThan(state.unannounced, 0)
        state.announce(in: root, at: 2)
        XCTAssertEqual(state.unannounced, 0)
    }

    /// Another process, whose clock is ahead, has used a file last.
    func testTheLatestFileStaysTheLatestUnderAClockThatWasSetBack() throws {
        let folder = try temporaryFolder()
        let root = try XCTUnwrap(CacheDirectory.root(folder.url.path, makes: false))
        var state = DiskCacheState()
        state.update(from: root, at: 1)
        let file = folder.file("a")
        try Data(count: 100).write(to: file)
        let later = try status(of: file, modified: 2_000_000_000)
        let key = CacheFileKey(CacheFixture.key(1))
        XCTAssertNil(state.use(key, after: later, in: root, at: 5), "it is the latest already")
        XCTAssertEqual(state.next(after: 5), later.modified + 1)
    }
}
