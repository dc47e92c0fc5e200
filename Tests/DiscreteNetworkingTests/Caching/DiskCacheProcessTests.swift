#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCaching
    @testable import DiscreteNetworkingCore

    /// What the tests below do in a process of its own.
    final class DiskCacheChildTests: XCTestCase {
        func testChildObeysItsParentProcess() throws {
            let (order, folder) = try ChildProcess.order()
            let url = URL(fileURLWithPath: folder)
            switch order {
            case "store": try storeForEver(url)
            case "hammer":
                ChildProcess.say(
                    "\(DiskCacheProcessTests.hammer(url, rounds: DiskCacheProcessTests.rounds, seed: UInt64(getpid()))) torn"
                )
            default: XCTFail("unknown order \(order)")
            }
        }

        /// Writes as a cache does, but what was made beforehand, so that it hardly does anything else.
        private func storeForEver(_ url: URL) throws {
            let files = try (0..<4).map { number in
                let (cacheKey, response) = DiskCacheProcessTests.numbered(number)
                let key = CacheFileKey(cacheKey)
                return (key, [try XCTUnwrap(CacheFile.encode(response, for: key)), response.body])
            }
            let key = files[0].0
            let root = try XCTUnwrap(CacheDirectory.root(url.path, makes: true))
            let folder = try XCTUnwrap(
                root.folder(key.service, makes: true)?.folder(key.endpoint, makes: true))
            for number in 0... {
                let (key, parts) = files[number % files.count]
                let name = try XCTUnwrap(folder.write(parts, for: key, at: Int64(number)))
                XCTAssertTrue(folder.finish(name, for: key))
                ChildProcess.say("wrote \(number)")
            }
        }
    }

    /// Folders that several processes share, or that a process leaves when it is killed.
    final class DiskCacheProcessTests: XCTestCase {
        private var folder: URL!

        /// Of each thread that hammers a folder.
        static let rounds = FullLength.rounds(200, of: 600)

        override func setUpWithError() throws {
            folder = try temporaryFolder().file("cache")
        }

        static func numbered(_ number: Int) -> (CacheKey, CachedResponse) {
            (CacheFixture.key(number), CacheFixture.response(number, size: 200_000 + number))
        }

        /// Stores, reads and removes at random, where there is room for about half of it.
        /// - Returns: how many of the responses were not as they were stored.
        static func hammer(_ folder: URL, rounds: Int, seed: UInt64) -> Int {
            let cache = DiskCache(folder: folder, byteLimit: 20 * 4096)
            var random = FixedRandom(seed: seed)
            var torn = 0
            for _ in 0..<rounds {
                let number = Int.random(in: 0..<16, using: &random)
                let (key, response) = (
                    CacheFixture.key(number), CacheFixture.response(number, size: number * 1000)
                )
                switch Int.random(in: 0..<100, using: &random) {
                case 0: cache.remove(.all)
                case 1..<4: cache.remove(.key(key))
                case 4..<50: cache.store(response, for: key)
                default:
                    if let found = cache.response(for: key), found != response { torn += 1 }
                }
            }
            return torn
        }

        func testTwoProcessesAndTwoThreadsHammerOneFolder() throws {
            let url = folder!
            let children = try (1...2).map { _ in
                try ChildProcess("hammer", in: url, test: "DiskCacheChildTests")
            }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                XCTAssertEqual(Self.hammer(url, rounds: Self.rounds, seed: UInt64(thread)), 0)
            }
            for child in children {
                XCTAssertEqual(child.lines(), ["0 torn"])
                XCTAssertEqual(child.status(), 0)
            }
            let files = CacheFixture.files(in: url)
            XCTAssertEqual(files.filter { !$0.hasSuffix(".response") }, [], "nothing unfinished is left")
            let cache = DiskCache(folder: url)
            XCTAssertEqual(
                (0..<16).filter { cache.response(for: CacheFixture.key($0)) != nil }.count, files.count)
        }

        func testAKilledWriteLeavesEveryEntryWholeOrAbsent() throws {
            var random = FixedRandom(seed: 43)
            var leftovers = 0
            var round = 0
            while round < FullLength.rounds(8, of: 100) || leftovers == 0 && round < 2000 {
                round += 1
                let child = try ChildProcess("store", in: folder, test: "DiskCacheChildTests")
                for _ in 1...Int.random(in: 1...12, using: &random) { _ = child.line() }
                child.kill(within: leftovers == 0 ? round : 1)
                _ = child.lines()
                XCTAssertEqual(child.status(), SIGKILL)
                let files = CacheFixture.files(in: folder)
                let whole = files.filter { $0.hasSuffix(".response") }.count
                if files.count > whole { leftovers += 1 }
                let cache = DiskCache(folder: folder)
                let found = (0..<4).filter { number in
                    let (key, response) = Self.numbered(number)
                    guard let found = cache.response(for: key) else { return false }
                    XCTAssertEqual(found, response, "round \(round)")
                    return true
                }
                XCTAssertEqual(found.count, whole, "round \(round): no file is damaged")
                // The next one has to begin anew, and tidies up.
                if round % 10 == 0 {
                    cache.store(CacheFixture.response(), for: CacheFixture.key(9))
                    XCTAssertEqual(CacheFixture.files(in: folder).count, found.count + 1)
                    cache.remove(.all)
                    XCTAssertEqual(CacheFixture.files(in: folder), [])
                }
            }
            XCTAssertGreaterThan(leftovers, 0, "some of them have to be killed in mid-write")
        }
    }
#endif
