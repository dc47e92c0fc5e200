import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Every style of writing pairs, and that nothing is lost on the way to a reader of another make.
final class QueryEncoderTests: XCTestCase {
    private let nested: Params = ["a": ["x", ["y": [1, true]], nil, [2, 3]] as JSONValue]

    func testArraysAreEncodedInEachStyle() {
        let params: Params = ["a": [1, 2]]
        XCTAssertEqual(QueryEncoder(arrays: .brackets).encode(params), "a%5B%5D=1&a%5B%5D=2")
        XCTAssertEqual(QueryEncoder(arrays: .repeated).encode(params), "a=1&a=2")
        XCTAssertEqual(QueryEncoder(arrays: .commaSeparated).encode(params), "a=1,2")
        XCTAssertEqual(QueryEncoder(arrays: .indexed).encode(params), "a%5B0%5D=1&a%5B1%5D=2")
        XCTAssertEqual(QueryEncoder().encode(params), QueryEncoder(arrays: .brackets).encode(params))
    }

    func testArraysInsideArrays() {
        XCTAssertEqual(
            QueryEncoder(arrays: .brackets, objectArrays: .brackets).encode(nested),
            "a%5B%5D=x&a%5B%5D%5By%5D%5B%5D=1&a%5B%5D%5By%5D%5B%5D=true&a%5B%5D%5B%5D=2&a%5B%5D%5B%5D=3")
        XCTAssertEqual(
            QueryEncoder(arrays: .repeated).encode(nested), "a=x&a%5By%5D=1&a%5By%5D=true&a=2&a=3")
        XCTAssertEqual(
            QueryEncoder(arrays: .indexed).encode(nested),
            "a%5B0%5D=x&a%5B1%5D%5By%5D%5B0%5D=1&a%5B1%5D%5By%5D%5B1%5D=true&a%5B3%5D%5B0%5D=2&a%5B3%5D%5B1%5D=3"
        )
        XCTAssertEqual(
            QueryEncoder(arrays: .commaSeparated).encode(nested),
            "a=x,%7B%22y%22%3A%5B1%2Ctrue%5D%7D,%5B2%2C3%5D")
    }

    /// The names of `_api_encode` in Stripe's library for Python, version 16.1.0; PHP reads the same from them.
    func testObjectsInArraysHaveIndexes() {
        let params: Params = [
            "items": [["price": "p1", "quantity": 2], ["price": "p2", "tags": ["a", "b"]]] as JSONValue,
            "expand": ["x"],
        ]
        XCTAssertEqual(
            QueryEncoder().encode(params).removingPercentEncoding,
            "expand[]=x&items[0][price]=p1&items[0][quantity]=2&items[1][price]=p2&items[1][tags][]=a&items[1][tags][]=b"
        )
        XCTAssertEqual(
            QueryEncoder(objectArrays: .brackets).encode(params).removingPercentEncoding,
            "expand[]=x&items[][price]=p1&items[][quantity]=2&items[][price]=p2&items[][tags][]=a&items[][tags][]=b"
        )
    }

    func testACommaInsideAnElementIsEncoded() {
        XCTAssertEqual(QueryEncoder(arrays: .commaSeparated).encode(["a": ["b,c", "", "d"]]), "a=b%2Cc,,d")
    }

    func testBooleansAreEncodedInEachStyle() {
        let params: Params = ["off": false, "on": true, "s": "true", "all": [true, false]]
        XCTAssertEqual(
            QueryEncoder(arrays: .repeated, booleans: .literal).encode(params),
            "all=true&all=false&off=false&on=true&s=true")
        XCTAssertEqual(
            QueryEncoder(arrays: .repeated, booleans: .numeric).encode(params),
            "all=1&all=0&off=0&on=1&s=true")
    }

    func testNestedKeysAreEncodedInEachStyle() {
        let params: Params = ["a": ["b": ["c": 1, "": 2], "d.e": 3] as JSONValue]
        XCTAssertEqual(
            QueryEncoder(nestedKeys: .brackets).encode(params),
            "a%5Bb%5D%5B%5D=2&a%5Bb%5D%5Bc%5D=1&a%5Bd.e%5D=3")
        XCTAssertEqual(QueryEncoder(nestedKeys: .dots).encode(params), "a.b.=2&a.b.c=1&a.d.e=3")
    }

    func testSpacesAreEncodedInEachStyle() {
        let params: Params = ["a b": "c d+e"]
        XCTAssertEqual(QueryEncoder(spaces: .percent).encode(params), "a%20b=c%20d%2Be")
        XCTAssertEqual(QueryEncoder(spaces: .plus).encode(params), "a+b=c+d%2Be")
    }

    func testOnlyUnreservedCharactersStay() {
        let ascii = String(decoding: UInt8(0)...0x7F, as: UTF8.self)
        let kept = QueryEncoder().encode(["k": ascii]).dropFirst(2).replacingOccurrences(
            of: "%[0-9A-F]{2}", with: "", options: .regularExpression)
        XCTAssertEqual(kept, "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
        XCTAssertEqual(QueryEncoder().encode(["壶": "😀"]), "%E5%A3%B6=%F0%9F%98%80")
    }

    func testNumbersAreExact() {
        let params: Params = ["a": Int64.max, "b": Decimal(string: "0.10")!, "c": 1.5, "d": UInt64.max]
        XCTAssertEqual(
            QueryEncoder().encode(params), "a=9223372036854775807&b=0.1&c=1.5&d=18446744073709551615")
    }

    func testNullsAndEmptyContainersHaveNoPair() {
        let params: Params = [
            "a": JSONValue.null, "b": [] as JSONValue, "c": [:] as JSONValue, "d": "",
            "e": ["f": nil, "g": [], "h": [[:], nil]] as JSONValue, "i": [nil] as JSONValue,
        ]
        for arrays in [QueryEncoder.Arrays.brackets, .repeated, .indexed] {
            XCTAssertEqual(QueryEncoder(arrays: arrays).encode(params), "d=")
        }
        let commas = QueryEncoder(arrays: .commaSeparated)
        XCTAssertEqual(commas.encode(["a": [nil] as JSONValue, "b": [] as JSONValue, "c": 1]), "c=1")
        XCTAssertEqual(commas.encode(["a": [nil, 1, nil, 2] as JSONValue]), "a=1,2")
        XCTAssertEqual(QueryEncoder().encode([:]), "")
    }

    func testOrderIsThatOfUTF8Bytes() {
        // UTF-16 would put the emoji before U+FFFD; a dictionary-like order would put "a" before "B".
        let params: Params = ["\u{FFFD}": 1, "😀": 2, "a": 3, "B": 4, "": 5, "é": 6, "a0": 7, "_": 8]
        XCTAssertEqual(
            QueryEncoder().encode(params), "=5&B=4&_=8&a=3&a0=7&%C3%A9=6&%EF%BF%BD=1&%F0%9F%98%80=2")
    }

    // MARK: Property

    private static let pieces = [
        "+", "&", "=", "#", "%", ";", "%20", "%2", "?", "/", "\\", "[", "]", "[]", ".", ",", "\"", "'", " ",
        "\u{0}", "\u{1}", "\n", "\r\n", "\t", "\u{7F}", "\u{85}", "a", "B", "0", "~", "é", "茶", "壶", "😀",
        "👩‍👩‍👧", "\u{FFFD}", "\u{10FFFF}", "\u{2028}",
    ]

    private func text(_ random: inout JSONRandom) -> String {
        (0..<random.below(5)).map { _ in random.pick(Self.pieces) }.joined()
    }

    /// Random params, and the pairs that a reader ought to find.
    private func makeCase(_ random: inout JSONRandom) -> (text: String, pairs: [[String]]) {
        let encoder = QueryEncoder(
            arrays: random.pick([.brackets, .repeated, .indexed]),
            nestedKeys: random.pick([.brackets, .dots]), spaces: random.pick([.percent, .plus]))
        var pairs: [String: [[String]]] = [:]
        var params = Params()
        for _ in 0..<1 + random.below(6) {
            let name = text(&random)
            switch random.below(4) {
            case 0:
                let elements = [text(&random), text(&random)]
                params.set(name, elements)
                pairs[name] = elements.enumerated().map { index, element in
                    let suffix = encoder.arrays == .brackets ? "[]" : "[\(index)]"
                    return [name + (encoder.arrays == .repeated ? "" : suffix), element]
                }
            case 1:
                let (key, value) = (text(&random), text(&random))
                params.set(name, [key: value])
                pairs[name] = [[name + (encoder.nestedKeys == .dots ? ".\(key)" : "[\(key)]"), value]]
            default:
                let value = text(&random)
                params.set(name, value)
                pairs[name] = [[name, value]]
            }
        }
        let names = pairs.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return (encoder.encode(params), names.flatMap { pairs[$0] ?? [] })
    }

    func testPythonReadsWhatWasMeant() throws {
        var random = JSONRandom(seed: 20_240_229)
        let cases = (0..<500).map { _ in makeCase(&random) }
        let decoded = try python(
            """
            import json, sys, urllib.parse
            for line in sys.stdin:
                print(json.dumps(urllib.parse.parse_qsl(json.loads(line), keep_blank_values=True)))
            """, lines: cases.map { JSONValue.string($0.text).canonicalText })
        XCTAssertEqual(decoded.count, cases.count)
        for (expected, line) in zip(cases, decoded) {
            let pairs = try JSONDecoder().decode([[String]].self, from: Data(line.utf8))
            // By bytes: Swift takes composed and decomposed characters for the same.
            XCTAssertEqual(
                pairs.map { $0.map { Array($0.utf8) } }, expected.pairs.map { $0.map { Array($0.utf8) } },
                expected.text)
        }
    }

    private func python(_ program: String, lines: [String]) throws -> [Substring] {
        #if os(macOS) || os(Linux)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (input, output) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
            try Data(lines.joined(separator: "\n").utf8).write(to: input)
            try Data().write(to: output)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", program]
            process.standardInput = try FileHandle(forReadingFrom: input)
            process.standardOutput = try FileHandle(forWritingTo: output)
            try process.run()
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0)
            return String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n")
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }
}
