import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingJSON

/// Numbers with which Foundation ends the process where an integer is decoded from them.
final class UnscannableNumberTests: XCTestCase {
    /// One of the shortest: 128 zeros after the point.
    private static let worst = "0." + String(repeating: "0", count: 128) + "1e146"

    /// Runs the test that calls it once more, in a process of its own. Returns whether this is that process.
    private func isInChild(_ test: String = #function) -> Bool {
        #if os(Linux)
            if ChildRun.isChild { return true }
            let run = ChildRun(
                ["\(String(reflecting: Self.self))/\(test.dropLast(2))"], timeout: 120)
            XCTAssertNil(run.outcome, run.log)
            return false
        #else
            return true
        #endif
    }

    /// Numbers whose lengths and exponents are around the limits of `Double`, `Decimal` and integers.
    private static let numbers: [String] = {
        func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
        var numbers = [
            "-0", "0e9", "0.0", "3.0", "3.5", "1e5", "1e18", "1e19", "1e38", "1e39", "1e400", "1e-400",
        ]
        let few = [17, 38, 90, 127, 128, 129]
        for count in FullLength.isOn ? few + [18, 19, 20, 39, 100, 126, 200, 500, 10_000] : few {
            for first in ["1", "9", "-1"] {
                let sign = first.hasPrefix("-") ? "-" : ""
                for exponent in [0, 15, 16, 18, 19, 37, 38, 39] {
                    numbers += [
                        "\(sign)0.\(zeros(count))1e\(count + 1 + exponent)",
                        "\(first)\(zeros(count))e-\(max(0, count - exponent))",
                        "\(first).\(zeros(count))1e\(exponent)", "\(first)e\(zeros(count))\(exponent)",
                    ]
                }
                numbers += [first + zeros(count), first + zeros(count) + "." + zeros(count)]
            }
        }
        return numbers
    }()

    private enum Level: Int, Decodable { case one = 1 }
    private struct Holder<Value: Decodable>: Decodable {
        let value: Value
        let list: [Value]?
    }

    private struct Catching<Value: Decodable>: Decodable {
        let value: Value?
        init(from decoder: any Decoder) throws {
            value = try? decoder.singleValueContainer().decode(Value.self)
        }
    }

    /// Decodes a number at the top, in an array, in an object, and where the error of one is caught.
    private static func decode<Value: Decodable>(_ number: String, as type: Value.Type) {
        let own = JSONDecoder()
        own.keyDecodingStrategy = .custom { $0.last! }
        for decoder in [JSONDecoder(), own] {
            let fast = FastJSONDecoder(decoder)
            _ = try? fast.decode(type, from: Data(number.utf8))
            _ = try? fast.decode([Value].self, from: Data("[\(number)]".utf8))
            _ = try? fast.decode([String: Value].self, from: Data(#"{"a":\#(number)}"#.utf8))
            _ = try? fast.decode([Int: String].self, from: Data(#"{"\#(number)":"a"}"#.utf8))
            _ = try? fast.decode(Holder<Value>.self, from: Data(#"{"value":1,"list":[1,\#(number)]}"#.utf8))
            _ = try? fast.decode(Catching<Value>.self, from: Data(number.utf8))
        }
    }

    func testNoNumberEndsTheProcess() {
        guard isInChild() else { return }
        var types: [any Decodable.Type] = [
            Int.self, Int64.self, UInt64.self, UInt.self, Int8.self, UInt32.self, Level.self, Double.self,
            Float.self, Decimal.self, Date.self, JSONValue.self, Bool.self,
        ]
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            types += [Int128.self, UInt128.self]
        }
        for number in Self.numbers { for type in types { Self.decode(number, as: type) } }
    }

    func testTheNumberIsNamed() throws {
        guard isInChild() else { return }
        func path(_ text: Data, _ decoder: JSONDecoder = JSONDecoder()) -> String? {
            do {
                _ = try FastJSONDecoder(decoder).decode(Holder<Int>.self, from: text)
            } catch DecodingError.dataCorrupted(let context) {
                return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
                    .joined(separator: ".")
            } catch {}
            return nil
        }
        // At every place that a look at one byte of 90 could miss.
        for count in 0..<200 {
            let text =
                #"{"a":"\#(String(repeating: "x", count: count))","value":1,"list":[1,[2],\#(Self.worst)]}"#
            XCTAssertEqual(path(Data(text.utf8)), "list.2")
        }
        let json5 = JSONDecoder()
        json5.allowsJSON5 = true
        XCTAssertEqual(path(Data("{value:\(Self.worst)}".utf8), json5), "")
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf32LittleEndian] {
            XCTAssertEqual(path(try XCTUnwrap(#"{"value":\#(Self.worst)}"#.data(using: encoding))), "")
        }
    }

    func testLongNumbersAndLongStringsAreRead() throws {
        let digits = String(repeating: "1234567890", count: 30)
        XCTAssertEqual(
            try FastJSONDecoder().decode([String].self, from: Data(#"["\#(digits)"]"#.utf8)), [digits])
        XCTAssertEqual(
            try JSONDecoder().decode([String].self, fromUntrusted: Data(#"["0.\#(digits)e30"]"#.utf8)).count,
            1)
        XCTAssertEqual(
            try FastJSONDecoder().decode([Double].self, from: Data("[\(Self.worst)]".utf8)), [1e17])
        XCTAssertEqual(
            try JSONDecoder().decode([Double].self, fromUntrusted: Data("[0.\(digits)]".utf8)),
            [0.1234567890123456789])
    }

    private final class OwnDecoder: JSONDecoder, @unchecked Sendable {}

    private struct Count: Decodable, Sendable { let count: Int }

    @MainActor
    private func failure(
        _ body: String, type: String = "application/json",
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) async -> APIError? {
        let transport = ClosureTransport { request in
            TransportResponse(
                url: request.url, status: 200, headers: ["Content-Type": type], body: .data(Data(body.utf8)))
        }
        let manager = Stack(transport, change).manager(TestManager<Count>())
        do throws(APIError) { _ = try await manager.load() } catch { return error }
        return nil
    }

    /// Whatever decoder a service has.
    @MainActor
    func testAnAnswerDoesNotEndTheApp() async throws {
        guard isInChild() else { return }
        let body = #"{"count":\#(Self.worst)}"#
        for decoder in [JSONDecoder(), Params.makeDecoder(), OwnDecoder()] {
            let error = await failure(body) { $0.decoder = decoder }
            guard case .decoding(let reason) = error?.kind else {
                return XCTFail("\(String(describing: error))")
            }
            XCTAssertEqual(reason.path, ["count"])
            XCTAssertTrue(reason.reason.contains("90 characters"), reason.reason)
            XCTAssertNil(error?.body(as: Count.self))
        }
        let value = try JSONValue(parsing: body)
        XCTAssertThrowsError(try value.decoded(as: Count.self))
    }

    /// Binary property lists whose containers count more elements than an `Int` holds.
    @MainActor
    func testCountsOfPropertyListsAreLimited() async {
        guard isInChild() else { return }
        for (marker, byte) in [(UInt8(0xAF), UInt8(0xFF)), (0xCF, 0xFF), (0xDF, 0x7F)] {
            var list = Array("bplist00".utf8) + [0xA1, 1, marker, 0x13] + [UInt8](repeating: byte, count: 8)
            let table = UInt8(list.count)
            list +=
                [8, 10, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 15)
            list.append(table)
            let transport = ClosureTransport { [list] request in
                TransportResponse(
                    url: request.url, status: 200, headers: ["Content-Type": "application/x-plist"],
                    body: .data(Data(list)))
            }
            let manager = Stack(transport).manager(TestManager<[Int]>())
            do throws(APIError) {
                _ = try await manager.load()
                XCTFail("\(marker)")
            } catch {
                guard case .decoding = error.kind else { return XCTFail("\(error)") }
            }
        }
    }

    // MARK: Numbers that do not fit

    @MainActor
    func testANumberThatDoesNotFitIsNamed() async throws {
        for (number, type) in [("3.5", "Int"), ("18446744073709551616", "Int"), ("1e400", "Int")] {
            let error = await failure(#"{"count":\#(number)}"#)
            guard case .decoding(let reason) = error?.kind else {
                return XCTFail("\(String(describing: error))")
            }
            XCTAssertEqual(reason.path, ["count"])
            XCTAssertEqual(reason.reason, "Parsed JSON number <\(number)> does not fit in \(type).")
        }
        struct List: Decodable { let users: [[String: UInt8]] }
        XCTAssertThrowsError(
            try FastJSONDecoder().decode(List.self, from: Data(#"{"users":[{},{"age":256.0}]}"#.utf8))
        ) {
            guard case DecodingError.dataCorrupted(let context) = $0 else { return XCTFail("\($0)") }
            XCTAssertEqual(context.codingPath.map(\.stringValue), ["users", "Index 1", "age"])
        }
    }

    /// A number that fits is no doubt, so that none of another place is named.
    func testWholeNumbersWithAFractionAreRead() throws {
        func fast<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value? {
            let document = try JSONDocument(Data(text.utf8))
            return document.decode(type, at: document.top, like: JSONDecoder())
        }
        XCTAssertEqual(
            try fast([Int].self, "[3.0,1e5,-12.50e1,9007199254740991.0]"),
            [3, 100_000, -125, 9_007_199_254_740_991])
        XCTAssertNil(try fast([Int].self, "[9007199254740993.0]"))
        XCTAssertThrowsError(try FastJSONDecoder().decode([Int].self, from: Data("[3.0,4.5]".utf8))) {
            guard case DecodingError.dataCorrupted(let context) = $0 else { return XCTFail("\($0)") }
            XCTAssertEqual(context.codingPath.first?.intValue, 1)
        }
    }

    /// Each number that both decoders read is the same, for each width.
    func testWrittenIntegersAreThoseOfJSONDecoder() throws {
        var random = FixedRandom(seed: 49)
        func check<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) throws {
            let data = Data("[\(text)]".utf8)
            let theirs = try? JSONDecoder().decode([Value].self, fromUntrusted: data)
            let own = try? FastJSONDecoder().decode([Value].self, from: data)
            XCTAssertEqual(own, theirs, text)
        }
        for _ in 0..<FullLength.rounds(2_000, of: 20_000) {
            let digits = (0..<Int.random(in: 1...19, using: &random)).map { _ in
                "\(Int.random(in: 0...9, using: &random))"
            }.joined()
            let whole = digits.drop { $0 == "0" }
            var text = (Bool.random(using: &random) ? "-" : "") + (whole.isEmpty ? "0" : whole)
            if Bool.random(using: &random) { text += ".\(Bool.random(using: &random) ? "000" : "500")" }
            if Bool.random(using: &random) { text += "e\(Int.random(in: -6...9, using: &random))" }
            try check(Int.self, text)
            try check(UInt64.self, text)
            try check(Int32.self, text)
            try check(UInt16.self, text)
            try check(Int8.self, text)
        }
    }
}
