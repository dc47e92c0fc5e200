import Foundation
import XCTest

@testable import FuzzTargets

/// The corpus of every fuzz target, as it is and with seeded mutations. Longer runs, led by coverage, are `.ci/fuzz`.
final class FuzzCorpusTests: XCTestCase {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Corpus")

    private func inputs(_ target: FuzzTarget) throws -> [(name: String, data: Data)] {
        let folder = Self.corpus.appendingPathComponent(target.name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
        }
    }

    private func run(_ target: FuzzTarget, _ data: Data, _ name: String) {
        do {
            try target.run(data)
        } catch {
            XCTFail("\(target.name), \(name): \(error)\nof \(data.base64EncodedString())")
        }
    }

    func testEveryTargetHasACorpusAndEveryCorpusATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        XCTAssertEqual(folders.sorted(), FuzzTarget.all.map(\.name).sorted())
    }

    func testTheCorpusHolds() throws {
        for target in FuzzTarget.all {
            let inputs = try inputs(target)
            XCTAssertFalse(inputs.isEmpty, target.name)
            for (name, data) in inputs { run(target, data, name) }
        }
    }

    func testMutationsOfTheCorpusHold() throws {
        for target in FuzzTarget.all {
            let seeds = try inputs(target).map(\.data)
            var mutator = Mutator(seed: 1)
            for number in 0..<400 {
                // Short, so that a debug build has it done in no time.
                run(target, mutator.mutated(from: seeds).prefix(4096), "mutation \(number)")
            }
        }
    }
}

/// Makes new inputs of old ones: the same ones in every run.
private struct Mutator {
    private static let words =
        [
            "\0", "\n", "\r\n", "\"", "\\", "{", "}", "[", "]", ":", ",", "%", "=", "&", "-1", "0",
            "9223372036854775807", "18446744073709551616", "1e999999999999", "\u{301}", "\u{FEFF}",
            "\u{2028}",
        ].map { Data($0.utf8) } + [Data([0xFF]), Data([0xC3]), Data([0xED, 0xA0, 0x80])]

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(bound, 1)
    }

    mutating func mutated(from seeds: [Data]) -> Data {
        var data = seeds[below(seeds.count)]
        for _ in 0...below(4) {
            let place = below(data.count + 1)
            let end = min(data.count, place + 1 + below(8))
            switch below(6) {
            case 0: data.replaceSubrange(place..<end, with: Data())
            case 1: data.insert(contentsOf: Self.words[below(Self.words.count)], at: place)
            case 2: data.replaceSubrange(place..<end, with: Self.words[below(Self.words.count)])
            case 3 where place < data.count: data[place] ^= 1 << below(8)
            case 4: data.insert(contentsOf: data[place..<end], at: place)
            default:
                let other = seeds[below(seeds.count)]
                data = data.prefix(place) + other.dropFirst(below(other.count + 1))
            }
            // Indices from zero again.
            data = Data(data)
        }
        return data
    }
}
