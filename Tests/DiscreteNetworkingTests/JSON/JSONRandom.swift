import Foundation

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingJSON

/// SplitMix64, seeded, and random JSON from it: every run makes the same documents.
struct JSONRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func below<Number: FixedWidthInteger>(_ bound: Number) -> Number {
        Number(next() % UInt64(bound))
    }

    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// A number that neither Foundation's coders nor `Double` change by value.
    mutating func tameLiteral() -> String {
        switch below(5) {
        case 0: "\(below(100))"
        case 1: "\(Int64(bitPattern: next()))"
        case 2: "\(next())"
        case 3: "\(chance(50) ? "-" : "")\(below(1000)).\(below(10))\(below(10))"
        default: "\(below(10)).5\(pick(["e", "E"]))\(pick(["", "+", "-"]))\(below(8))"
        }
    }

    mutating func string() -> String {
        let pieces = [
            "a", "b", "c", "0", "7", ".", "/", "\"", "\\", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é",
            "e\u{301}",
            "世", "😀", "\u{2028}", "\u{FFFD}", "\u{10FFFF}", "key", " ",
        ]
        return (0..<below(6)).map { _ in pick(pieces) }.joined()
    }

    mutating func key() -> String { chance(70) ? pick(["a", "b", "c", "0", "1", "é", ""]) : string() }

    mutating func value(depth: Int = 4) -> JSONValue {
        switch below(depth > 0 ? 8 : 5) {
        case 0: return .null
        case 1: return .bool(chance(50))
        case 2, 3: return .number(JSONNumber(unchecked: tameLiteral()))
        case 4: return .string(string())
        case 5: return .array((0..<below(5)).map { _ in value(depth: depth - 1) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<below(5) { members[key()] = value(depth: depth - 1) }
            return .object(members)
        }
    }

    /// An array or object, not empty.
    mutating func container(depth: Int = 5) -> JSONValue {
        let elements = (0..<1 + below(5)).map { _ in value(depth: depth - 1) }
        guard chance(75) else { return .array(elements) }
        return .object(Dictionary(elements.map { (key(), $0) }, uniquingKeysWith: { $1 }))
    }

    /// A text that parses to the value, with whitespace, escapes and overruled duplicates strewn in.
    mutating func text(of value: JSONValue) -> String {
        let text =
            switch value {
            case .null, .bool, .number: value.canonicalText
            case .string(let string): quoted(string)
            case .array(let elements): "[" + list(elements.map { self.text(of: $0) }) + "]"
            case .object(let members): "{" + list(textOfMembers(members)) + "}"
            }
        return space() + text + space()
    }

    private mutating func textOfMembers(_ members: [String: JSONValue]) -> [String] {
        var texts: [String] = []
        for name in JSONWriter.sorted(members.keys) {
            if chance(20) { texts.append(member(name, self.value(depth: 2))) }
            texts.append(member(name, members[name] ?? .null))
        }
        return texts
    }

    private mutating func member(_ name: String, _ value: JSONValue) -> String {
        space() + quoted(name) + space() + ":" + text(of: value)
    }

    private func list(_ texts: [String]) -> String { texts.joined(separator: ",") }

    private mutating func space() -> String { chance(80) ? "" : pick([" ", "\n", "\t", "\r", " \r\n"]) }

    private mutating func quoted(_ string: String) -> String {
        guard chance(30) else { return JSONValue.string(string).canonicalText }
        var text = "\""
        for unit in string.utf16 {
            let hex = String(unit, radix: 16, uppercase: chance(50))
            text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
        return text + "\""
    }
}
