import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Files that are not as they were written: a miss, and gone.
final class DiskCacheDamageTests: XCTestCase {
    private var folder: URL!
    private var cache: DiskCache!
    private let key = CacheFixture.key(1)
    private var file: URL { DiskCacheFixture.file(of: key, in: folder) }

    override func setUpWithError() throws {
        folder = try temporaryFolder().file("cache")
        cache = DiskCache(folder: folder)
        cache.store(CacheFixture.response(), for: key)
    }

    private func assertMissAndGone(_ damaged: Data, _ message: String, line: UInt = #line) throws {
        try damaged.write(to: file)
        XCTAssertEqual(chmod(file.path, 0o600), 0)
        XCTAssertNil(cache.response(for: key), message, line: line)
        XCTAssertNil(FileStatus(path: file.path), message, line: line)
    }

    func testTruncatedFilesAreRemoved() throws {
        let whole = try Data(contentsOf: file)
        for count in 0..<whole.count { try assertMissAndGone(whole.prefix(count), "cut at \(count)") }
        try assertMissAndGone(whole + [0], "one byte more")
        try whole.write(to: file)
        XCTAssertEqual(chmod(file.path, 0o600), 0)
        XCTAssertEqual(cache.response(for: key), CacheFixture.response())
    }

    func testEveryFlippedBit() throws {
        let whole = try Data(contentsOf: file)
        // A step of three is in each byte, and at each bit of some.
        for bit in stride(from: 0, to: whole.count * 8, by: FullLength.rounds(3, of: 1)) {
            var damaged = whole
            damaged[bit / 8] ^= 1 << (bit % 8)
            try assertMissAndGone(damaged, "bit \(bit)")
        }
    }

    func testZerosInPlaceOfTheEnd() throws {
        cache.store(CacheFixture.response(7, size: 10_000), for: key)
        let whole = try Data(contentsOf: file)
        for count in stride(from: 0, to: whole.count, by: 512) {
            try assertMissAndGone(whole.prefix(count) + Data(count: whole.count - count), "from \(count)")
        }
    }

    func testFilesOfOtherKeysAreRemoved() throws {
        let other = CacheFixture.key(2)
        cache.store(CacheFixture.response(), for: other)
        let moved = try Data(contentsOf: DiskCacheFixture.file(of: other, in: folder))
        try assertMissAndGone(moved, "another key's")
        try assertMissAndGone(Data("{}".utf8), "text")
        var random = FixedRandom(seed: 5)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            try assertMissAndGone(moved.prefix(.random(in: 0..<60, using: &random)) + bytes, "\(bytes)")
        }
    }

    /// Its size is not believed, and no memory is taken for it.
    func testAnEnormousFile() throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 1 << 40)
        try handle.close()
        XCTAssertNil(cache.response(for: key))
        XCTAssertNil(FileStatus(path: file.path))
    }
}
