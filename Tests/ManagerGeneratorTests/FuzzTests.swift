import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Random descriptions make code that type-checks, and damaged ones an error.
final class FuzzTests: XCTestCase {
    private func description(_ document: JSONValue) throws -> Description {
        try Description(document, at: URL(fileURLWithPath: "/random.json"))
    }

    /// The seeds of `GENERATOR_FUZZ_DESCRIPTIONS`, a count (`1000`) or a range (`300..<1000`).
    private static func seeds(orFirst count: UInt64) -> Range<UInt64> {
        let bounds = (ProcessInfo.processInfo.environment["GENERATOR_FUZZ_DESCRIPTIONS"] ?? "")
            .components(separatedBy: "..<").compactMap(UInt64.init)
        return bounds.count == 2 ? bounds[0]..<bounds[1] : 0..<(bounds.first ?? count)
    }

    #if os(Linux)
        /// In batches: a compiler takes longer to start than to check.
        func testRandomDescriptionsTypeCheck() throws {
            let all = Self.seeds(orFirst: UInt64(FullLength.rounds(0, of: 20)))
            // Compilers work for seconds; other tests compile the code of a whole description.
            try XCTSkipIf(all.isEmpty, "CI_FULL_LENGTH is not 1.")
            for start in stride(from: all.lowerBound, to: all.upperBound, by: 50) {
                let seeds = start..<min(start + 50, all.upperBound)
                let document = RandomDescription.document(seeds: seeds)
                let generation = try Generation(
                    description(document), options: GeneratorOptions(module: "RandomAPI"))
                let complaints = try TypeCheck().complaints(about: generation, module: "RandomAPI")
                XCTAssertEqual(complaints.prefix(4000), "", "seeds \(seeds)")
            }
        }
    #endif

    func testDamagedDescriptionsAreErrors() throws {
        var errors = 0
        let whole = RandomDescription.document(seeds: 0..<4)
        for seed in Self.seeds(orFirst: UInt64(FullLength.rounds(15, of: 100))) {
            // The same each time, so that a crash can be made again.
            var random = SeededNumbers(state: seed)
            let damaged = Self.damaged(whole, &random)
            do {
                _ = try Generation(description(damaged), options: GeneratorOptions(module: "RandomAPI"))
            } catch let error as GeneratorError {
                errors += 1
                XCTAssertFalse(error.message.isEmpty)
            }
        }
        XCTAssertGreaterThan(errors, 0)
    }

    /// The value with one to four places replaced by something else.
    private static func damaged(_ value: JSONValue, _ random: inout SeededNumbers) -> JSONValue {
        var value = value
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            value = replaced(value, depth: Int.random(in: 0...9, using: &random), &random)
        }
        return value
    }

    private static func replaced(_ value: JSONValue, depth: Int, _ random: inout SeededNumbers)
        -> JSONValue
    {
        let wrong: [JSONValue] = [
            nil, 7, "wrong", [], [:], true, ["$ref": "#/nowhere"], ["$ref": "#/components/schemas/D0Model0"],
            [nil],
        ]
        guard depth > 0 else { return wrong.randomElement(using: &random) ?? nil }
        switch value {
        case .object(var members):
            guard let key = members.keys.sorted().randomElement(using: &random) else { return 7 }
            members[key] = members[key].map { replaced($0, depth: depth - 1, &random) }
            return .object(members)
        case .array(var elements):
            guard let index = elements.indices.randomElement(using: &random) else { return 7 }
            elements[index] = replaced(elements[index], depth: depth - 1, &random)
            return .array(elements)
        default: return wrong.randomElement(using: &random) ?? nil
        }
    }
}
