import Foundation
import XCTest

@testable import FuzzTargets

/// Random texts, a third of them damaged, decoded by the fast decoder and by `JSONDecoder`.
///
/// `DECODING_DOCUMENTS=1000000` for more than some.
final class DecodingDifferentialTests: XCTestCase {
    func testTheFastDecoderReturnsWhatJSONDecoderReturns() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["DECODING_DOCUMENTS"].flatMap { Int($0) } ?? 1500
        var texts = DecodingTexts(seed: environment["DECODING_SEED"].flatMap { UInt64($0) } ?? 1)
        let outputs = DecodingComparison.outputs
        var certain = 0
        for number in 0..<count {
            let output = outputs[number % outputs.count]
            let isDamaged = texts.below(3) == 0
            var text = texts.text(for: number % outputs.count)
            if isDamaged { text = texts.damaged(text) }
            // Most often the strategies that texts are written for.
            let strategies = DecodingStrategies(number: texts.below(3) == 0 ? texts.below(128) : 0)
            do {
                if try output.compare(text, strategies), !isDamaged { certain += 1 }
            } catch {
                XCTFail("\(error)\nof \(String(decoding: text, as: UTF8.self).debugDescription)")
                return
            }
        }
        // Or else little has been compared.
        XCTAssertGreaterThan(certain, count / 4, "of \(count)")
        print("\(count) documents, \(certain) without damage decoded fast")
    }
}

/// Writes random texts, most of which fit their output.
private struct DecodingTexts {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(bound, 1)
    }

    mutating func text(for output: Int) -> Data {
        let text =
            switch DecodingComparison.outputs[output].name {
            case "Model", "DecoderScript", "Wrapped", "Flat": model(3)
            case "Derived": "{\"name\":\(string()),\"super\":\(model(1))}"
            case "Array<Model>": array { $0.model(2) }
            case "Dictionary<String, Model>": object { $0.model(1) }
            case "Array<Choice>":
                array {
                    $0.below(2) == 0
                        ? "{\"id\":{\"_0\":\($0.integer())}}" : "{\"name\":{\"first\":\($0.string())}}"
                }
            case "Array<Int>", "Array<Lossy<Int>>", "Set<Int>", "Array<UInt64>", "Array<Int8>":
                array { $0.below(9) == 0 ? $0.scalar() : $0.integer() }
            case "Dictionary<String, Int>": object { $0.integer() }
            case "Dictionary<Int, String>": object { $0.string() }
            case "Array<Double>", "Array<Float>", "Array<Decimal>", "Array<JSONNumber>": array { $0.number() }
            case "Array<String>": array { $0.string() }
            case "Array<Date>": array { $0.below(2) == 0 ? $0.number() : $0.date() }
            case "Array<Data>": array { $0.below(2) == 0 ? "\"YWJj\"" : $0.string() }
            case "Array<Optional<URL>>":
                array { $0.below(3) == 0 ? $0.scalar() : "\"https://example.com/\($0.below(9))\"" }
            case "Array<Level>": array { "\(1 + $0.below(2))" }
            case "Int": integer()
            case "Optional<String>": scalar()
            case "Array<Array<Optional<Int>>>":
                array { $0.array { $0.below(4) == 0 ? "null" : $0.integer() } }
            default: value(3)
            }
        return Data((below(5) == 0 ? " \n" + text + "\t" : text).utf8)
    }

    mutating func damaged(_ text: Data) -> Data {
        var bytes = [UInt8](text)
        for _ in 0...below(2) {
            let place = below(bytes.count + 1)
            switch below(5) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(4)))
            case 1 where place < bytes.count: bytes[place] ^= UInt8(1 << below(8))
            case 2: bytes.insert(contentsOf: Self.pieces[below(Self.pieces.count)].utf8, at: place)
            case 3: bytes.insert(UInt8(below(256)), at: place)
            default: bytes = Array(bytes.prefix(place)) + bytes.dropFirst(below(bytes.count + 1))
            }
        }
        return Data(bytes)
    }

    private static let pieces = [
        ",", "null", "{", "}", "[", "]", "\"", "\\u0000", "\\ud800", "1e400", "-", ".5", "0", "\u{FEFF}",
        "NaN", "/**/", "\u{301}",
    ]
    private static let keys = [
        "id", "name", "price", "isNew", "kind", "tags", "child", "userName", "user_name", "counts", "date",
        "link", "super",
        "1", "01", "é", "e\u{301}", "\u{212A}", "K", "\\u0069d", "is_new", "_id", "id_", "a_2b", "名称", "",
    ]

    private mutating func model(_ depth: Int) -> String {
        var members: [String] = []
        func add(_ key: String, _ value: String) { members.append("\"\(key)\":\(value)") }
        if below(20) > 0 { add("id", below(30) == 0 ? scalar() : integer()) }
        if below(20) > 0 { add("name", string()) }
        if below(2) == 0 { add("price", below(20) == 0 ? scalar() : number()) }
        if below(2) == 0 { add("isNew", below(20) == 0 ? scalar() : below(2) == 0 ? "true" : "false") }
        if below(2) == 0 { add("kind", below(20) == 0 ? string() : "\"\(["a", "b", "c"][below(3)])\"") }
        if below(2) == 0 { add("tags", array { $0.string() }) }
        if below(3) == 0, depth > 0 { add("child", array { $0.model(depth - 1) }) }
        if below(3) == 0 { add(below(2) == 0 ? "userName" : "user_name", string()) }
        if below(3) == 0 { add("counts", object { $0.integer() }) }
        if below(4) == 0 { add("date", below(3) == 0 ? date() : number()) }
        if below(4) == 0 { add("link", "\"https://example.com/a?b=\(below(9))\"") }
        if below(6) == 0 {
            for _ in 0..<below(20) { add(Self.keys[below(Self.keys.count)] + "\(below(99))", value(1)) }
        }
        if below(5) == 0 { add(Self.keys[below(Self.keys.count)], value(1)) }
        // Equal keys, and another order.
        if below(9) == 0, let member = members.first { members.append(member) }
        if below(3) == 0 { members.reverse() }
        return "{\(members.joined(separator: below(4) == 0 ? " , " : ","))}"
    }

    private mutating func value(_ depth: Int) -> String {
        guard depth > 0, below(3) > 0 else { return scalar() }
        return below(2) == 0 ? array { $0.value(depth - 1) } : object { $0.value(depth - 1) }
    }

    private mutating func array(_ element: (inout Self) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<below(below(20) == 0 ? 40 : 5) { elements.append(element(&self)) }
        return "[\(elements.joined(separator: ","))]"
    }

    private mutating func object(_ value: (inout Self) -> String) -> String {
        var members: [String] = []
        for number in 0..<below(below(9) == 0 ? 40 : 5) {
            let key = below(3) == 0 ? "k\(number)" : Self.keys[below(Self.keys.count)]
            members.append("\"\(key)\" : \(value(&self))")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func scalar() -> String {
        switch below(6) {
        case 0: "null"
        case 1: below(2) == 0 ? "true" : "false"
        case 2: string()
        case 3: integer()
        default: number()
        }
    }

    private mutating func integer() -> String {
        switch below(12) {
        case 0: "-\(below(1_000_000))"
        case 1: ["0", "-0", "9223372036854775807", "-9223372036854775808", "9223372036854775808"][below(5)]
        case 2: ["18446744073709551615", "18446744073709551616", "127", "128", "-129", "256"][below(6)]
        case 3: String(UInt64(below(1 << 30)) << 34 + UInt64(below(1 << 30)))
        default: "\(below(1000))"
        }
    }

    private mutating func number() -> String {
        switch below(12) {
        case 0:
            [
                "1.0", "-0.0", "1e3", "1E-2", "2.50", "0e9", "1e400", "5e-324", "1e-400",
                "1.7976931348623157e308",
            ][below(10)]
        case 1:
            "\(Double(bitPattern: UInt64(below(1 << 31)) << 33 | UInt64(below(1 << 31)) << 2).magnitude)"
                .replacingOccurrences(of: "inf", with: "1").replacingOccurrences(of: "nan", with: "2")
        case 2: "\(Double(below(1 << 30)) / Double(1 + below(1 << 30)))"
        case 3: "\(below(1 << 30)).\(below(1 << 30))\(below(1 << 30))"
        case 4: "0.\(String(repeating: "0", count: below(30)))\(below(1 << 30))"
        case 5: "\(below(100)).\(below(1000))e\(below(60) - 30)"
        case 6: integer()
        // A tie between two numbers.
        case 7: "\(9_007_199_254_740_993 + 2 * Int64(below(1000)))"
        default: "\(below(10000)).\(below(100))"
        }
    }

    private mutating func date() -> String {
        [
            "\"2024-02-29T12:30:00Z\"", "\"2024-02-29T12:30:00.250Z\"", "\"2024-02-30T12:30:00Z\"",
            "\"2024-02-29T12:30:00+08:00\"",
            "\"1899-01-01T00:00:00Z\"", "\"2024-06-30T23:59:60Z\"", "\"2024-02-29t12:30:00z\"",
            "\"2024-02-29T24:00:00Z\"",
        ][below(8)]
    }

    private mutating func string() -> String {
        switch below(12) {
        case 0: "\"\\u00e9\\ud83d\\ude00\\n\\\"\\\\\\/\\u0000\""
        case 1: "\"青花瓷，茶壶\(below(99))。景德镇\""
        case 2: "\"e\u{301}é\u{FB00}\u{1F600} \u{2028}\u{7F}\""
        case 3: ["\"inf\"", "\"-inf\"", "\"nan\"", "\"NaN\"", "\"\"", "\"12\"", "\"\\u0069nf\""][below(7)]
        case 4: "\"a longer text of plain ASCII, number \(below(1 << 30)), that no small string holds\""
        default: "\"s\(below(1000))\""
        }
    }
}
