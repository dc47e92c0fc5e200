import DiscreteNetworking
import Foundation

/// What the caches cost beside what they stand on: a dictionary, and a file that is read.
///
///     swift run -c release Benchmarks --caches [--quick]
enum Caches {
    static func run(isQuick: Bool) async throws {
        print("\nCaches: each figure is the median of CPU time, user and system, of one operation.")
        let (few, many) = (1000, isQuick ? 10_000 : 100_000)
        try await memory(few: few, many: many)
        for size in [1 << 10, 100 << 10, 1 << 20] { try await disk(size: size) }
        try await room(few: few, many: many)
    }

    // MARK: Hits

    private static func memory(few: Int, many: Int) async throws {
        var hits: [Double] = []
        for count in [few, many] {
            let keys = (0..<count).map(key)
            let cache = MemoryCache(byteLimit: .max, countLimit: count)
            var dictionary: [CacheKey: CachedResponse] = [:]
            for key in keys {
                let response = response(size: 1000)
                cache.store(response, for: key)
                dictionary[key] = response
            }
            let order = keys.shuffled()
            let bare = try await microseconds(count) { index in
                guard dictionary[order[index]] != nil else { throw UnexpectedAnswer() }
            }
            let hit = try await microseconds(count) { index in
                guard cache.response(for: order[index]) != nil else { throw UnexpectedAnswer() }
            }
            hits.append(hit)
            print(
                "memory hit among \(count): \(hit.text(2)) µs; a dictionary's: \(bare.text(2)) µs; ratio \((hit / bare).text(1))"
            )
        }
        print("memory hit among \(many) against \(few): ratio \((hits[1] / hits[0]).text(1))")
    }

    private static func disk(size: Int) async throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = DiskCache(folder: folder)
        cache.store(response(size: size), for: key(0))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        guard let name = names.first(where: { $0.hasSuffix(".response") }) else { throw UnexpectedAnswer() }
        let file = folder.appendingPathComponent(name)
        let count = size > 500_000 ? 200 : 2000
        let bare = try await microseconds(count) { _ in
            guard try Data(contentsOf: file).count > size else { throw UnexpectedAnswer() }
        }
        let hit = try await microseconds(count) { _ in
            guard cache.response(for: key(0))?.body.count == size else { throw UnexpectedAnswer() }
        }
        print(
            "disk hit of \(size >> 10) KiB: \(hit.text(1)) µs; reading its file: \(bare.text(1)) µs; ratio \((hit / bare).text(1))"
        )
    }

    // MARK: Making room

    /// Stores what drives something else out, in caches that are full.
    private static func room(few: Int, many: Int) async throws {
        var inMemory: [Double] = []
        var onDisk: [Double] = []
        for count in [few, many] {
            let rounds = 2000
            let keys = (0..<count + rounds * repeats).map(key)
            let response = response(size: 1000)
            let memory = MemoryCache(byteLimit: .max, countLimit: count)
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let disk = DiskCache(folder: folder, byteLimit: count * 4096)
            for key in keys.prefix(count) {
                memory.store(response, for: key)
                disk.store(response, for: key)
            }
            guard disk.usage.count == count else { throw UnexpectedAnswer() }
            var next = count
            inMemory.append(
                try await microseconds(rounds) { _ in
                    memory.store(response, for: keys[next])
                    next += 1
                })
            next = count
            onDisk.append(
                try await microseconds(rounds) { _ in
                    disk.store(response, for: keys[next])
                    next += 1
                })
            guard disk.usage.count == count, memory.usage.count == count else { throw UnexpectedAnswer() }
        }
        for (name, costs) in [("memory", inMemory), ("disk", onDisk)] {
            print(
                "storing in a full \(name) cache of \(many): \(costs[1].text(2)) µs; of \(few): \(costs[0].text(2)) µs; ratio \((costs[1] / costs[0]).text(1))"
            )
        }
    }

    // MARK: Means

    private static let repeats = 9

    /// The median of what an operation takes, after a first run that does not count.
    private static func microseconds(_ count: Int, _ operation: (Int) throws -> Void) async throws -> Double {
        var costs: [Double] = []
        for _ in 0..<repeats {
            let cost = try await Cost.of { for index in 0..<count { try operation(index) } }
            costs.append(cost.cpu / Double(count) * 1e6)
        }
        return costs.dropFirst().map { $0 }.quartiles.median
    }

    private static func key(_ number: Int) -> CacheKey {
        CacheKey(service: .shop, methodName: "items", parts: ["\(number)"])
    }

    private static func response(size: Int) -> CachedResponse {
        CachedResponse(
            url: URL(fileURLWithPath: "/"), status: 200,
            headers: ["Content-Type": "application/json", "ETag": "\"1\""],
            body: Data(repeating: 7, count: size), storedAt: Date(), version: "1")
    }

    private static func makeFolder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("caches-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}
