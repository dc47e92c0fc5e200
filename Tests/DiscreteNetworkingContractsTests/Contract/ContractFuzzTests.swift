import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

final class ContractFuzzTests: XCTestCase {
    func testAContractAdmitsWhatItWasRecordedFromAndReadsBack() throws {
        var random = SeededRandom(1)
        for _ in 0..<600 {
            let samples = (0..<(1 + random.below(4))).map { _ in random.value() }
            let contract = Contract(recording: samples)
            for sample in samples { XCTAssertEqual(contract.compare(sample), [], "\(samples)") }
            XCTAssertEqual(contract.compare(samples), [])

            let file = ContractFile(name: "n", endpoint: "GET e", service: "s", contract: contract)
            XCTAssertEqual(try ContractFile(parsing: Data(file.text.utf8)), file)

            let merged = Contract(recording: [samples[0]]).merging(recording: Array(samples.dropFirst()))
            for sample in samples { XCTAssertEqual(merged.compare(sample), [], "\(samples)") }
        }
    }

    func testOneMutationIsReportedAtItsPlace() {
        var random = SeededRandom(2)
        var counts: [String: Int] = [:]
        for _ in 0..<4000 {
            let sample = random.value()
            let contract = Contract(recording: [sample])
            guard let (mutant, path, kinds) = Self.mutate(sample, contract, &random) else { continue }
            let drifts = contract.compare(mutant)
            XCTAssertEqual(drifts.map(\.path), [path], "\(sample) -> \(mutant)")
            XCTAssertTrue(drifts.allSatisfy { kinds.contains($0.kind.name) }, "\(drifts)")
            counts[drifts.first?.kind.name ?? "none", default: 0] += 1
        }
        for kind in ["added", "removed", "newly-absent", "became-null", "type-changed"] {
            XCTAssertGreaterThan(counts[kind] ?? 0, 20, kind)
        }
    }

    /// One place changed, where the contract has something against it.
    private static func mutate(
        _ value: JSONValue, _ contract: Contract, _ random: inout SeededRandom
    ) -> (JSONValue, FieldPath, Set<String>)? {
        var places: [([String], FieldPath)] = []
        collect(value, [], FieldPath(), into: &places)
        let (place, path) = random.pick(places)
        guard let field = contract.fields[path] else { return nil }
        switch random.below(3) {
        case 0:
            guard field.types.contains(.object), value[path: JSONPath(place)]?.object != nil else {
                return nil
            }
            let mutant = edit(value, place[...]) { old in
                guard case .object(var members)? = old else { return old }
                members["brand-new"] = ["x": 1]
                return .object(members)
            }
            return (mutant ?? .null, path.appending(.key("brand-new")), ["added"])
        case 1:
            guard path.key != nil, !field.isOptional else { return nil }
            return (edit(value, place[...]) { _ in nil } ?? .null, path, ["removed", "newly-absent"])
        default:
            let others: [JSONValue] = [.null, true, 7, 1.5, "text", [], [:]]
            let foreign = others.filter { !field.types.admits(JSONType(of: $0)) }
            guard !foreign.isEmpty else { return nil }
            let new = random.pick(foreign)
            return (edit(value, place[...]) { _ in new } ?? .null, path, ["became-null", "type-changed"])
        }
    }

    private static func collect(
        _ value: JSONValue, _ place: [String], _ path: FieldPath, into places: inout [([String], FieldPath)]
    ) {
        places.append((place, path))
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                collect(element, place + [String(index)], path.appending(.element), into: &places)
            }
        case .object(let members):
            for key in members.keys.sorted() {
                collect(members[key] ?? .null, place + [key], path.appending(.key(key)), into: &places)
            }
        default: break
        }
    }

    private static func edit(
        _ value: JSONValue?, _ place: ArraySlice<String>, _ change: (JSONValue?) -> JSONValue?
    ) -> JSONValue? {
        guard let step = place.first else { return change(value) }
        switch value {
        case .array(var elements)?:
            guard let index = Int(step) else { return value }
            elements[index] = edit(elements[index], place.dropFirst(), change) ?? .null
            return .array(elements)
        case .object(var members)?:
            members[step] = edit(members[step], place.dropFirst(), change)
            return .object(members)
        default: return value
        }
    }

    private func damagedFile() throws -> (file: ContractFile, bytes: [UInt8]) {
        let contract = Contract(recording: [try json(#"{"a":["x","x","x"],"b":{"c":"2026-11-21"}}"#)])
        let file = ContractFile(name: "n", endpoint: "GET e", service: "s", contract: contract)
        return (file, Array(file.text.utf8))
    }

    func testAFileThatWasCutOffIsAnError() throws {
        let (file, bytes) = try damagedFile()
        for count in 0..<bytes.count - 1 {
            XCTAssertThrowsError(try ContractFile(parsing: Data(bytes.prefix(count))), "\(count) bytes") {
                XCTAssertTrue("\($0)".hasPrefix("This is not a contract: Invalid JSON at line"), "\($0)")
            }
        }
        // Only the last line's end is missing.
        XCTAssertEqual(try ContractFile(parsing: Data(bytes.dropLast())), file)
    }

    /// One byte changed or lost is an error, or is still to be seen in what was read; never does the contract become
    /// the same by leaving out what it does not understand.
    func testDamageIsAnErrorOrShows() throws {
        let (file, bytes) = try damagedFile()
        let original = try JSONValue(parsing: Data(bytes))
        var random = SeededRandom(3)
        var (refused, shown) = (0, 0)
        for _ in 0..<4000 {
            var damaged = bytes
            if random.below(2) == 0 {
                damaged[random.below(bytes.count)] = UInt8(random.below(256))
            } else {
                damaged.remove(at: random.below(bytes.count))
            }
            let text = String(decoding: damaged, as: UTF8.self)
            let changed = (try? JSONValue(parsing: Data(damaged))) != original
            do {
                let read = try ContractFile(parsing: Data(damaged))
                XCTAssertEqual(read != file, changed, text)
                if changed { shown += 1 }
            } catch {
                XCTAssertTrue(changed, text)
                XCTAssertFalse(error.message.isEmpty)
                refused += 1
            }
        }
        XCTAssertGreaterThan(refused, 2000)
        XCTAssertGreaterThan(shown, 100)
    }
}
