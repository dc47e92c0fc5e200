import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Random documents with a canary under every secret name: it never sings, wherever the text is cut.
final class RedactionFuzzTests: XCTestCase {
    private static let canary = "QXWPQXWPQXWP"
    /// How a part of the canary looks, plain, escaped by JSON, and percent-encoded after that.
    private static let songs = ["QXW", #"\u0051\u0058"#, "%5Cu0051%5Cu0058"]
    private static let names = [
        "password", "accessToken", "X-Api-Key", "pwd", "pin", "P-I_N", "Sign", "session_ID", "client secret",
    ]

    private func secret(_ random: inout JSONRandom, depth: Int = 2) -> JSONValue {
        switch random.below(depth > 0 ? 4 : 2) {
        case 2: .array((0..<1 + random.below(2)).map { _ in secret(&random, depth: depth - 1) })
        case 3: .object([random.key(): secret(&random, depth: depth - 1)])
        default: .string(random.string() + Self.canary + random.string())
        }
    }

    /// An object with secrets in it.
    private func planted(_ random: inout JSONRandom, depth: Int = 3) -> [String: JSONValue] {
        var members: [String: JSONValue] = [random.pick(Self.names): secret(&random)]
        for _ in 0..<random.below(3) { members[random.key()] = random.value(depth: 1) }
        guard depth > 0 else { return members }
        let inner = JSONValue.object(planted(&random, depth: depth - 1))
        members["in" + random.key()] =
            switch random.below(4) {
            case 0: .array([inner, random.value(depth: 1)])
            case 1: .string(inner.canonicalText)
            default: inner
            }
        return members
    }

    private func check(_ text: String, file: StaticString = #filePath, line: UInt = #line) -> Bool {
        XCTAssertTrue(
            text.contains(Self.canary) || text.contains(Self.songs[1]), "no canary", file: file, line: line)
        let bytes = Array(text.utf8)
        for end in 0...bytes.count {
            let cut = String(decoding: bytes[..<end], as: UTF8.self)
            let redacted = Redaction.standard.redacted(text: cut)
            guard !Self.songs.contains(where: { redacted.contains($0) }) else {
                XCTFail("\(cut)\nbecame\n\(redacted)", file: file, line: line)
                return false
            }
        }
        return true
    }

    func testSecretsOfRandomJSONAreRedacted() {
        var random = JSONRandom(seed: 99)
        for _ in 0..<FullLength.rounds(4, of: 12) {
            let document = JSONValue.object(planted(&random, depth: 2))
            guard check(random.text(of: document)) else { return }
        }
    }

    func testQueriesAndForms() {
        var random = JSONRandom(seed: 100)
        for arrays in [QueryEncoder.Arrays.brackets, .repeated, .commaSeparated, .indexed] {
            for nestedKeys in [QueryEncoder.NestedKeys.brackets, .dots] {
                for spaces in [QueryEncoder.Spaces.percent, .plus] {
                    let encoder = QueryEncoder(arrays: arrays, nestedKeys: nestedKeys, spaces: spaces)
                    guard check(encoder.encode(Params(values: planted(&random, depth: 1)))) else { return }
                }
            }
        }
    }

    func testValuesWithoutSecretsAreUnchanged() throws {
        var random = JSONRandom(seed: 101)
        for _ in 0..<200 {
            let value = random.container()
            guard !Self.hasSecret(value) else { continue }
            let redacted = Redaction.standard.redacted(text: value.canonicalText)
            XCTAssertEqual(try JSONValue(parsing: Data(redacted.utf8)), value)
        }
    }

    func testJSONStaysJSON() throws {
        var random = JSONRandom(seed: 102)
        for _ in 0..<200 {
            let text = random.text(of: .object(planted(&random)))
            XCTAssertNoThrow(try JSONValue(parsing: Data(Redaction.standard.redacted(text: text).utf8)), text)
        }
    }

    private static func hasSecret(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains { hasSecret($0) }
        case .object(let members):
            members.contains { $0.key.contains("key") || hasSecret($0.value) }
        default: false
        }
    }
}
