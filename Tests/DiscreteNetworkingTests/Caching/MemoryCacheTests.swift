import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

final class MemoryCacheTests: XCTestCase {
    func testMemoryCacheBehavesLikeItsModel() {
        for (seed, limits) in [(20_000, 1000), (1 << 20, 7), (3000, 3), (0, 5), (1 << 20, 0)].enumerated() {
            var random = FixedRandom(seed: UInt64(seed))
            let cache = MemoryCache(byteLimit: limits.0, countLimit: limits.1)
            var model = CacheModel(
                byteLimit: limits.0, countLimit: limits.1, cost: { $0.memorySize + $1.memorySize })
            model.compare(cache, rounds: 3000, sizes: 0..<4000, &random) { cache.usage }
        }
    }

    func testStoringATooLargeResponseRemovesTheOldOne() {
        let cache = MemoryCache(byteLimit: 10_000)
        cache.store(CacheFixture.response(1, size: 10), for: CacheFixture.key(1))
        cache.store(CacheFixture.response(1, size: 10), for: CacheFixture.key(2))
        cache.store(CacheFixture.response(2, size: 10_000), for: CacheFixture.key(1))
        XCTAssertNil(cache.response(for: CacheFixture.key(1)))
        XCTAssertNotNil(cache.response(for: CacheFixture.key(2)))
    }

    func testCacheHoldsResponsesUpToItsCountLimit() {
        let count = FullLength.rounds(20_000, of: 100_000)
        let cache = MemoryCache(byteLimit: .max, countLimit: count)
        // One body for all: it is the list that is tested.
        let response = CacheFixture.response()
        func key(_ number: Int) -> CacheKey { CacheFixture.key(number) }
        for number in 0..<2 * count {
            cache.store(response, for: key(number))
            // The oldest is used all the time.
            if cache.response(for: key(0)) == nil { return XCTFail("lost at \(number)") }
        }
        XCTAssertEqual(cache.usage.count, count)
        XCTAssertNil(cache.response(for: key(count)))
        XCTAssertNotNil(cache.response(for: key(count + 1)))
        cache.remove(.all)
        XCTAssertEqual(cache.usage, CacheUsage(bytes: 0, count: 0))
    }

    func testCacheIsUsedByManyThreads() {
        let cache = MemoryCache(byteLimit: 100_000, countLimit: 20)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = FixedRandom(seed: UInt64(thread))
            for _ in 0..<5000 {
                let number = Int.random(in: 0..<40, using: &random)
                let key = CacheFixture.key(number)
                switch Int.random(in: 0..<20, using: &random) {
                case 0: cache.remove(.key(key))
                case 1..<8: cache.store(CacheFixture.response(number, size: 100 * number), for: key)
                default:
                    if let found = cache.response(for: key) {
                        XCTAssertEqual(found, CacheFixture.response(number, size: 100 * number))
                    }
                }
            }
        }
        XCTAssertLessThanOrEqual(cache.usage.count, 20)
        XCTAssertLessThanOrEqual(cache.usage.bytes, 100_000)
    }

    /// A removed response is let go at once, although its place is kept for another.
    func testRemovedValuesAreLetGo() {
        final class Thing: Sendable {}
        var list = LRUList<Int, Thing>()
        weak var weakThing: Thing?
        do {
            let thing = Thing()
            weakThing = thing
            list.insert(thing, cost: 1, for: 1)
        }
        XCTAssertNotNil(weakThing)
        list.remove(1)
        XCTAssertNil(weakThing)
    }

    /// Random operations on a few keys, beside a list that is simple and slow.
    func testTheListIsWholeAfterEachChange() {
        var random = FixedRandom(seed: 28)
        var list = LRUList<Int, Int>()
        var model: [(key: Int, value: Int)] = []
        for step in 0..<2000 {
            let key = Int(random.next() % 12)
            switch random.next() % 4 {
            case 0:
                XCTAssertEqual(list.use(key), model.first { $0.key == key }?.value)
                if let index = model.firstIndex(where: { $0.key == key }) {
                    model.append(model.remove(at: index))
                }
            case 1:
                list.remove(key)
                model.removeAll { $0.key == key }
            case 2:
                XCTAssertEqual(list.removeOldest(), model.isEmpty ? nil : model.removeFirst().key)
            default:
                list.insert(step, cost: key + 1, for: key)
                model.removeAll { $0.key == key }
                model.append((key, step))
            }
            list.checkInvariants()
            XCTAssertEqual(list.count, model.count)
            XCTAssertEqual(list.cost, model.reduce(0) { $0 + Int64($1.key + 1) })
        }
    }
}
