import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What stands where a file or folder should be, and disks that say no.
final class DiskCacheAccessTests: XCTestCase {
    private var temporary: TemporaryFolder!
    private var folder: URL!
    private var cache: DiskCache!
    private let key = CacheFixture.key(1)
    private var file: URL { DiskCacheFixture.file(of: key, in: folder) }

    override func setUpWithError() throws {
        temporary = try temporaryFolder()
        folder = temporary.file("cache")
        cache = DiskCache(folder: folder)
        cache.store(CacheFixture.response(), for: key)
    }

    private func makeFolder(_ url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    // MARK: In place of a file

    func testLinksPipesAndFoldersInPlaceOfAFile() throws {
        let outside = temporary.file("outside")
        try FileManager.default.copyItem(at: file, to: outside)
        XCTAssertEqual(chmod(outside.path, 0o600), 0)
        let makers: [(String, () -> Int32)] = [
            ("link", { symlink(outside.path, self.file.path) }),
            ("broken link", { symlink("/nowhere", self.file.path) }),
            ("link to itself", { symlink(self.file.path, self.file.path) }),
            ("pipe", { mkfifo(self.file.path, 0o600) }), ("folder", { mkdir(self.file.path, 0o700) }),
        ]
        for (name, make) in makers {
            for readsFirst in [true, false] {
                try? FileManager.default.removeItem(at: file)
                XCTAssertEqual(make(), 0, name)
                if readsFirst {
                    XCTAssertNil(cache.response(for: key), name)
                    XCTAssertNil(FileStatus(file.path, in: AT_FDCWD), "\(name) is removed")
                }
                cache.store(CacheFixture.response(version: name), for: key)
                XCTAssertEqual(cache.response(for: key), CacheFixture.response(version: name), name)
            }
        }
        XCTAssertNotNil(FileStatus(path: outside.path))
    }

    func testAFullFolderInPlaceOfAFileIsLeftAlone() throws {
        try FileManager.default.removeItem(at: file)
        try makeFolder(file)
        try Data("mine".utf8).write(to: file.appendingPathComponent("note"))
        XCTAssertNil(cache.response(for: key))
        cache.store(CacheFixture.response(), for: key)
        XCTAssertNil(cache.response(for: key))
        XCTAssertEqual(
            CacheFixture.files(in: folder).map { URL(fileURLWithPath: $0).lastPathComponent }, ["note"])
    }

    func testFilesOfOthersAndForOthersAreNotRead() throws {
        XCTAssertEqual(chmod(file.path, 0o644), 0)
        XCTAssertNil(cache.response(for: key))
        XCTAssertNil(FileStatus(path: file.path))
        try XCTSkipIf(geteuid() != 0, "only root can give a file away")
        cache.store(CacheFixture.response(), for: key)
        XCTAssertEqual(chown(file.path, 12345, 12345), 0)
        XCTAssertNil(cache.response(for: key))
        XCTAssertNil(FileStatus(path: file.path))
    }

    // MARK: In place of a folder

    func testNoLinkLeadsOutOfTheFolder() throws {
        for url in [
            file.deletingLastPathComponent(), file.deletingLastPathComponent().deletingLastPathComponent(),
        ] {
            let outside = temporary.file("outside-\(url.lastPathComponent)")
            try FileManager.default.moveItem(at: url, to: outside)
            XCTAssertEqual(symlink(outside.path, url.path), 0)
            let before = CacheFixture.files(in: outside)
            let cache = DiskCache(folder: folder)
            XCTAssertNil(cache.response(for: key))
            cache.store(CacheFixture.response(), for: CacheFixture.key(2))
            cache.remove(.key(key))
            cache.remove(.all)
            XCTAssertEqual(cache.usage.count, 0)
            XCTAssertEqual(CacheFixture.files(in: outside), before)
            XCTAssertEqual(before.count, 1)
            XCTAssertEqual(unlink(url.path), 0)
            try FileManager.default.moveItem(at: outside, to: url)
        }
        XCTAssertNotNil(cache.response(for: key))
    }

    func testAFileInPlaceOfAFolder() throws {
        let service = file.deletingLastPathComponent().deletingLastPathComponent()
        for url in [service, folder!] {
            try FileManager.default.removeItem(at: url)
            try Data("mine".utf8).write(to: url)
            cache.store(CacheFixture.response(), for: key)
            XCTAssertNil(cache.response(for: key))
            cache.remove(.all)
            XCTAssertEqual(try Data(contentsOf: url), Data("mine".utf8))
        }
    }

    func testFoldersOfOthersAreNotUsed() throws {
        let service = file.deletingLastPathComponent().deletingLastPathComponent()
        XCTAssertEqual(chmod(service.path, 0o777), 0)
        XCTAssertNil(cache.response(for: key), "anybody may have put it there")
        cache.store(CacheFixture.response(), for: key)
        XCTAssertNotNil(cache.response(for: key), "it is private again")
        try XCTSkipIf(geteuid() != 0, "only root can give a folder away")
        XCTAssertEqual(chown(service.path, 12345, 12345), 0)
        XCTAssertNil(cache.response(for: key))
        cache.store(CacheFixture.response(), for: CacheFixture.key(2))
        XCTAssertEqual(CacheFixture.files(in: folder).count, 1)
    }

    func testTheFolderMayGoAtAnyTime() throws {
        try FileManager.default.removeItem(at: folder)
        XCTAssertNil(cache.response(for: key))
        cache.store(CacheFixture.response(), for: key)
        XCTAssertNotNil(cache.response(for: key))
        XCTAssertEqual(cache.usage.count, 1)
    }

    // MARK: File systems that say no

    #if os(Linux)
        /// A small file system of its own in place of the folder.
        private func mountSmallDisk() throws {
            cache.remove(.all)
            let options = "size=256k,mode=700"
            guard mount("tmpfs", folder.path, "tmpfs", 0, options) == 0 else {
                throw XCTSkip("no file system can be mounted here: \(String(cString: strerror(errno)))")
            }
            let path = folder.path
            addTeardownBlock { umount2(path, Int32(MNT_DETACH)) }
        }

        func testAFullDisk() throws {
            try mountSmallDisk()
            func response(_ number: Int) -> CachedResponse {
                CacheFixture.response(number, size: 10_000 + number)
            }
            for number in 0..<60 { cache.store(response(number), for: CacheFixture.key(number)) }
            let found = (0..<60).filter { number in
                guard let found = cache.response(for: CacheFixture.key(number)) else { return false }
                XCTAssertEqual(found, response(number))
                return true
            }
            XCTAssertGreaterThan(found.count, 10)
            XCTAssertLessThan(found.count, 60)
            XCTAssertEqual(CacheFixture.files(in: folder).count, found.count, "nothing half-written is left")
            XCTAssertEqual(cache.usage.count, found.count)
            // What was there stays when there is no room for what is to replace it.
            cache.store(CacheFixture.response(1, size: 200_000), for: CacheFixture.key(found[0]))
            XCTAssertEqual(cache.response(for: CacheFixture.key(found[0])), response(found[0]))
            cache.remove(.all)
            cache.store(response(1), for: key)
            XCTAssertEqual(cache.response(for: key), response(1))
        }

        func testWhereNothingCanBeWritten() throws {
            try mountSmallDisk()
            let bad = CacheFixture.key(2)
            for key in [key, bad] { cache.store(CacheFixture.response(), for: key) }
            try Data("damaged".utf8).write(to: DiskCacheFixture.file(of: bad, in: folder))
            XCTAssertEqual(mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil), 0)
            for cache in [cache!, DiskCache(folder: folder)] {
                cache.store(CacheFixture.response(version: "2"), for: key)
                cache.store(CacheFixture.response(), for: CacheFixture.key(3))
                cache.remove(.all)
                for _ in 1...2 {
                    XCTAssertEqual(cache.response(for: key), CacheFixture.response())
                    XCTAssertNil(cache.response(for: bad))
                    XCTAssertNil(cache.response(for: CacheFixture.key(3)))
                }
            }
        }
    #endif
}
