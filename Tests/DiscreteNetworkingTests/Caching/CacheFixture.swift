import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

enum CacheFixture {
    static func key(_ number: Int, service: ServiceIdentifier = "shop", methodName: String = "item")
        -> CacheKey
    {
        CacheKey(service: service, methodName: methodName, parts: ["\(number)"])
    }

    static func response(_ body: Data = Data("body".utf8), version: String = "1") -> CachedResponse {
        CachedResponse(
            url: URL(string: "https://api.example.com/v3/item?id=7&q=a%20b")!, status: 203,
            headers: HTTPFields([
                .init(name: "ETag", value: "\"x\""), .init(name: "set-cookie", value: "a=1"),
                .init(name: "Set-Cookie", value: "\u{FEFF}b=ü"), .init(name: "Empty", value: ""),
            ]),
            body: body, storedAt: Date(timeIntervalSince1970: 1_700_000_000.123456), version: version)
    }

    /// A response with so many bytes of one number.
    static func response(_ number: Int, size: Int) -> CachedResponse {
        response(Data(repeating: UInt8(truncatingIfNeeded: number), count: size))
    }

    /// Every file below a folder, by its path from there.
    static func files(in folder: URL) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { FileStatus(path: "\(folder.path)/\($0)")?.isDirectory == false }.sorted()
    }
}

/// A cache as it would be with all the time in the world.
struct CacheModel {
    struct Entry {
        let key: CacheKey
        let response: CachedResponse
        let cost: Int
    }

    let byteLimit: Int
    let countLimit: Int
    let cost: (CachedResponse, CacheKey) -> Int
    /// The one that was used longest ago comes first.
    private(set) var entries: [Entry] = []

    init(byteLimit: Int, countLimit: Int = .max, cost: @escaping (CachedResponse, CacheKey) -> Int) {
        self.byteLimit = byteLimit
        self.countLimit = countLimit
        self.cost = cost
    }

    var usage: CacheUsage { CacheUsage(bytes: entries.map(\.cost).reduce(0, +), count: entries.count) }

    mutating func response(for key: CacheKey) -> CachedResponse? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.response
    }

    mutating func store(_ response: CachedResponse, for key: CacheKey) {
        entries.removeAll { $0.key == key }
        guard cost(response, key) <= byteLimit else { return }
        entries.append(Entry(key: key, response: response, cost: cost(response, key)))
        while usage.bytes > byteLimit || entries.count > countLimit { entries.removeFirst() }
    }

    mutating func remove(_ scope: CacheScope) {
        entries.removeAll { entry in
            switch scope {
            case .all: true
            case .service(let service): entry.key.service == CacheKey.service(service)
            case .endpoint(let service, let name):
                entry.key.endpoint == CacheKey.endpoint(service, methodName: name)
            case .key(let key): entry.key == key
            }
        }
    }
}

extension CacheModel {
    /// Does the same at random to a cache and to the model, and compares what they say.
    mutating func compare(
        _ cache: any ResponseCache, rounds: Int, sizes: Range<Int>, _ random: inout FixedRandom,
        file: StaticString = #filePath, line: UInt = #line, usage: () -> CacheUsage
    ) {
        let services: [ServiceIdentifier] = ["shop", "club", "map"]
        let names = ["item", "list"]
        for round in 0..<rounds {
            let service = services.randomElement(using: &random) ?? "shop"
            let name = names.randomElement(using: &random) ?? ""
            let key = CacheFixture.key(.random(in: 0..<6, using: &random), service: service, methodName: name)
            switch Int.random(in: 0..<40, using: &random) {
            case 0: forget(.all, cache)
            case 1: forget(.service(service), cache)
            case 2: forget(.endpoint(service, methodName: name), cache)
            case 3..<6: forget(.key(key), cache)
            case 6..<22:
                let response = CacheFixture.response(round, size: .random(in: sizes, using: &random))
                cache.store(response, for: key)
                store(response, for: key)
            default:
                XCTAssertEqual(
                    cache.response(for: key), response(for: key), "round \(round)", file: file, line: line)
            }
            XCTAssertEqual(usage(), self.usage, "round \(round)", file: file, line: line)
        }
    }

    private mutating func forget(_ scope: CacheScope, _ cache: any ResponseCache) {
        cache.remove(scope)
        remove(scope)
    }
}
