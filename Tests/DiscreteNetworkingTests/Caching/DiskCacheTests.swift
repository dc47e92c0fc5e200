import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

final class DiskCacheTests: XCTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        folder = try temporaryFolder().file("cache")
    }

    private func key(_ number: Int) -> CacheKey { CacheFixture.key(number) }
    private func file(_ key: CacheKey) -> URL { DiskCacheFixture.file(of: key, in: folder) }

    func testAnotherProcessFindsAllThatWasStored() throws {
        for (number, size) in [0, 1, 4096, 3_000_001].enumerated() {
            let response = CacheFixture.response(number, size: size)
            DiskCache(folder: folder).store(response, for: key(number))
            let found = try XCTUnwrap(DiskCache(folder: folder).response(for: key(number)))
            XCTAssertEqual(found, response)
            XCTAssertEqual(found.headers.map(\.name.rawName), ["ETag", "set-cookie", "Set-Cookie", "Empty"])
            XCTAssertEqual(
                found.headers.map { Data($0.value.utf8) }, response.headers.map { Data($0.value.utf8) })
            XCTAssertEqual(found.body.startIndex, 0)
        }
        XCTAssertNil(DiskCache(folder: folder).response(for: key(9)))
    }

    func testAHeadOfSixteenMegabytesIsTheLargest() {
        func file(_ count: Int) -> Data? {
            let response = CachedResponse(
                url: URL(string: "https://api.example.com/")!, status: 200,
                headers: ["X-Large": String(repeating: "x", count: count)], body: Data(), storedAt: Date(),
                version: "")
            return CacheFile.encode(response, for: CacheFileKey(key(1)))
        }
        let least = (file(0)?.count ?? 0) - CacheFile.beginningSize
        XCTAssertNotNil(file((16 << 20) - least))
        XCTAssertNil(file((16 << 20) - least + 1))
    }

    func testReadingMakesNothing() {
        let cache = DiskCache(folder: folder)
        XCTAssertNil(cache.response(for: key(1)))
        cache.remove(.all)
        XCTAssertEqual(cache.usage, CacheUsage(bytes: 0, count: 0))
        XCTAssertNil(FileStatus(path: folder.path))
    }

    /// Also when it is opened anew every now and then, and under a clock that jumps.
    func testDiskCacheBehavesLikeItsModel() {
        var random = FixedRandom(seed: 11)
        let clock = Locked(Date(timeIntervalSince1970: 1_700_000_000))
        var model = CacheModel(byteLimit: 10 * 4096) { response, key in
            let start = CacheFile.encode(response, for: CacheFileKey(key))?.count ?? 0
            return CacheIndex.cost(Int64(start + response.body.count))
        }
        for _ in 0..<FullLength.rounds(15, of: 40) {
            let cache = DiskCache(folder: folder, byteLimit: model.byteLimit) {
                clock.withLock { date in
                    date += 1
                    return date
                }
            }
            // Before it has looked at the files, it cannot know that their times are ahead of the clock.
            _ = cache.usage
            model.compare(cache, rounds: 60, sizes: 0..<14_000, &random) { cache.usage }
            clock.withLock { $0 += .random(in: -1_000_000...1_000_000, using: &random) }
        }
        XCTAssertEqual(CacheFixture.files(in: folder).count, model.entries.count)
    }

    func testTheOrderOfUseOutlivesAClockThatIsSetBack() {
        func cache(at seconds: TimeInterval) -> DiskCache {
            DiskCache(folder: folder, byteLimit: 3 * 4096) { Date(timeIntervalSince1970: seconds) }
        }
        for number in 1...2 {
            cache(at: 1_700_000_000).store(CacheFixture.response(), for: key(number))
        }
        cache(at: 1_600_000_000).store(CacheFixture.response(), for: key(3))
        cache(at: 1_600_000_000).store(CacheFixture.response(), for: key(4))
        let left = cache(at: 1_600_000_000)
        XCTAssertEqual((1...4).filter { left.response(for: key($0)) != nil }, [2, 3, 4])
    }

    func testTheFoldersOfWhatIsRemovedAreRemoved() {
        let cache = DiskCache(folder: folder)
        let endpoint = file(key(1)).deletingLastPathComponent()
        let service = endpoint.deletingLastPathComponent()
        cache.store(CacheFixture.response(), for: key(1))
        cache.remove(.endpoint("shop", methodName: "item"))
        XCTAssertNil(FileStatus(path: endpoint.path))
        XCTAssertNotNil(FileStatus(path: service.path))
        cache.store(CacheFixture.response(), for: key(1))
        cache.remove(.service("shop"))
        XCTAssertNil(FileStatus(path: service.path))
    }

    func testCacheWorksWithExtremeDates() {
        for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300)] {
            let cache = DiskCache(folder: folder, byteLimit: 2 * 4096) { date }
            for number in 1...3 { cache.store(CacheFixture.response(), for: key(number)) }
            XCTAssertNil(cache.response(for: key(1)))
            XCTAssertNotNil(cache.response(for: key(3)))
        }
    }

    func testStoringATooLargeResponseRemovesTheOldOne() {
        let cache = DiskCache(folder: folder, byteLimit: 8192)
        cache.store(CacheFixture.response(), for: key(1))
        cache.store(CacheFixture.response(1, size: 8192), for: key(1))
        XCTAssertNil(cache.response(for: key(1)))
        XCTAssertEqual(CacheFixture.files(in: folder), [])
    }

    func testOnlyTheOwnerReachesTheFiles() {
        let old = umask(0)
        defer { umask(old) }
        DiskCache(folder: folder).store(CacheFixture.response(), for: key(1))
        var path = file(key(1))
        XCTAssertEqual(FileStatus(path: path.path)?.permissions, 0o600)
        for _ in 1...3 {
            path.deleteLastPathComponent()
            XCTAssertEqual(FileStatus(path: path.path)?.permissions, 0o700, path.path)
        }
        XCTAssertEqual(path.path, folder.path)
    }

    // MARK: The index

    /// A file that came by another way is not looked for, but counted once it is met.
    func testTheFolderIsNotScannedAtEachStore() throws {
        let cache = DiskCache(folder: folder)
        // The second one sees that the folder of the service has come.
        for number in 1...2 { cache.store(CacheFixture.response(), for: key(number)) }
        XCTAssertEqual(cache.usage.count, 2)
        let other = DiskCache(folder: folder)
        other.store(CacheFixture.response(), for: key(3))
        cache.store(CacheFixture.response(), for: key(4))
        XCTAssertEqual(cache.usage.count, 3)
        XCTAssertNotNil(cache.response(for: key(3)))
        XCTAssertEqual(cache.usage.count, 4)
        try FileManager.default.removeItem(at: file(key(3)))
        XCTAssertNil(cache.response(for: key(3)))
        XCTAssertEqual(cache.usage.count, 3)
    }

    /// What a process says to others is no news to itself.
    func testAloneItNeverLooksAgain() throws {
        let cache = DiskCache(folder: folder, byteLimit: 64 * 4096)
        for number in 1...2 { cache.store(CacheFixture.response(), for: key(number)) }
        let planted = file(CacheFixture.key(0))
        try FileManager.default.copyItem(at: file(key(1)), to: planted)
        for number in 3...40 { cache.store(CacheFixture.response(), for: key(number)) }
        XCTAssertEqual(cache.usage.count, 40)
        // But another one does, and counts it.
        XCTAssertEqual(DiskCache(folder: folder).usage.count, 41)
    }

    func testTwoThatShareAFolderKeepTheLimitTogether() {
        let caches = (1...2).map { _ in DiskCache(folder: folder, byteLimit: 64 * 4096) }
        for round in 0..<6 {
            for number in 0..<60 {
                caches[round % 2].store(CacheFixture.response(), for: key(round * 60 + number))
            }
            // Each may hold back two until it says so.
            XCTAssertLessThanOrEqual(CacheFixture.files(in: folder).count, 64 + 4, "round \(round)")
        }
    }

    // MARK: Whose files

    func testNothingOfOthersIsRemoved() throws {
        let cache = DiskCache(folder: folder, byteLimit: 3 * 4096)
        cache.store(CacheFixture.response(), for: key(0))
        let endpoint = file(key(0)).deletingLastPathComponent()
        let name = key(0).entry
        let foreign = [
            folder.appendingPathComponent("note"), folder.appendingPathComponent(name),
            folder.appendingPathComponent("\(name).response"),
            endpoint.appendingPathComponent("\(name).json"),
            endpoint.appendingPathComponent(name),
            endpoint.appendingPathComponent("A\(name.dropFirst()).response"),
            endpoint.appendingPathComponent("x.1-2.new"),
            endpoint.deletingLastPathComponent().appendingPathComponent("\(name).response"),
        ]
        for url in foreign { try Data("mine".utf8).write(to: url) }
        for number in 1...9 { cache.store(CacheFixture.response(), for: key(number)) }
        cache.remove(.service("shop"))
        cache.remove(.all)
        XCTAssertEqual(cache.usage.count, 0)
        XCTAssertEqual(
            CacheFixture.files(in: folder),
            foreign.map { String($0.path.dropFirst(folder.path.count + 1)) }.sorted())
    }

    func testFilesOfInterruptedWritesAreRemoved() throws {
        let cache = DiskCache(folder: folder)
        cache.store(CacheFixture.response(), for: key(0))
        let endpoint = file(key(0)).deletingLastPathComponent()
        let entry = key(0).entry
        // No process has the highest number there is.
        let (dead, alive, old) = (
            "\(entry).\(pid_t.max)-1f.new", "\(entry).\(getpid())-1f.new", "\(entry).\(getpid())-2f.new"
        )
        for name in [dead, alive, old] { try Data().write(to: endpoint.appendingPathComponent(name)) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)],
            ofItemAtPath: endpoint.appendingPathComponent(old).path)
        DiskCache(folder: folder).store(CacheFixture.response(), for: key(0))
        let names = try FileManager.default.contentsOfDirectory(atPath: endpoint.path).sorted()
        XCTAssertEqual(names, [alive, "\(entry).response"].sorted())
        cache.remove(.endpoint("shop", methodName: "item"))
        XCTAssertEqual(CacheFixture.files(in: folder), [])
    }

    /// By the reference implementation, xxHash 0.8.4: no bytes, some of each way through, and a seed.
    func testChecksumIsThatOfTheReference() {
        func hash(_ data: Data, seed: UInt64 = 0) -> UInt64 {
            data.withUnsafeBytes { XXHash64.hash($0, seed: seed) }
        }
        XCTAssertEqual(hash(Data()), 0xEF46_DB37_51D8_E999)
        XCTAssertEqual(hash(Data("abc".utf8)), 0x44BC_2CF5_AD77_0999)
        XCTAssertEqual(hash(Data("xxhash".utf8), seed: 20_141_025), 0xB559_B98D_844E_0635)
        XCTAssertEqual(hash(Data(0..<32)), 0xCBF5_9C51_16FF_32B4)
        XCTAssertEqual(hash(Data(0..<63), seed: 1), 0x5264_EC07_19E1_0595)
        XCTAssertEqual(hash(Data(0..<100)), 0x6AC1_E580_3216_6597)
    }
}

enum DiskCacheFixture {
    static func file(of key: CacheKey, in folder: URL) -> URL {
        folder.appendingPathComponent(key.service).appendingPathComponent(key.endpoint)
            .appendingPathComponent(CacheFileName.response(CacheFileKey(key)))
    }
}
