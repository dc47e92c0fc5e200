import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingJSON

/// What the differential test in `FuzzTests` does not show.
final class FastJSONDecoderTests: XCTestCase {
    private func fast<T: Decodable>(
        _ type: T.Type, _ text: String, like decoder: JSONDecoder = JSONDecoder()
    ) throws -> T? {
        let document = try JSONDocument(Data(text.utf8))
        return document.decode(type, at: document.top, like: decoder)
    }

    private struct Skipping: Decodable {
        var numbers: [JSONValue] = []
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                if let value = try? container.decode(JSONValue.self) { numbers.append(value) }
            }
        }
    }

    func testADoubtEndsLoopsOverElements() throws {
        XCTAssertNil(try fast(Skipping.self, "[1,1e300,2]"))
        let value = try FastJSONDecoder().decode(Skipping.self, from: Data("[1,1e300,2]".utf8))
        XCTAssertEqual(value.numbers.count, 3)
    }

    /// Judged by `Double(_:)` and `Float(_:)`, at random: ties and numbers next to ties are among so many.
    func testNumbersAreTheNearest() throws {
        var random = FixedRandom(seed: 7)
        var decoded = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...19, using: &random)
            var digits = String((0..<count).map { _ in "0123456789".randomElement(using: &random) ?? "1" })
            digits = String(digits.drop { $0 == "0" })
            if digits.isEmpty { digits = "1" }
            if Bool.random(using: &random) {
                let place = digits.index(
                    digits.startIndex, offsetBy: Int.random(in: 1...digits.count, using: &random))
                if place < digits.endIndex { digits.insert(".", at: place) }
            }
            if Bool.random(using: &random) { digits += "e\(Int.random(in: -20...12, using: &random))" }
            if Bool.random(using: &random) { digits = "-" + digits }
            guard let double = try fast([Double].self, "[\(digits)]") else { continue }
            decoded += 1
            XCTAssertEqual(double[0].bitPattern, Double(digits)?.bitPattern, digits)
            guard let float = try fast([Float].self, "[\(digits)]") else { continue }
            XCTAssertEqual(float[0].bitPattern, Float(digits)?.bitPattern, digits)
        }
        XCTAssertGreaterThan(decoded, 15_000, "the rest is left to JSONDecoder")
    }

    func testValuesOfFoundationAreNotLeftToJSONDecoder() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        XCTAssertEqual(try fast([Data].self, #"["AQI="]"#), [Data([1, 2])])
        XCTAssertEqual(
            try fast([Date].self, #"["1970-01-01T00:00:07Z"]"#, like: decoder),
            [Date(timeIntervalSince1970: 7)])
        XCTAssertEqual(try fast([Date].self, "[7]"), [Date(timeIntervalSinceReferenceDate: 7)])
        XCTAssertEqual(try fast([URL].self, #"["https://a.example/"]"#), [URL(string: "https://a.example/")!])
        XCTAssertEqual(try fast([Decimal].self, "[1.10]"), [Decimal(11) / 10])
        XCTAssertEqual(try fast([Bool?].self, "[true,null]"), [true, nil])
        XCTAssertEqual(try fast([Data?].self, "[null]"), [nil])
        XCTAssertEqual(try fast(Data.self, #""AQI=""#), Data([1, 2]))
        let names = JSONDecoder()
        names.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        XCTAssertEqual(
            try fast([Double].self, #"["inf","-inf",1]"#, like: names), [.infinity, -.infinity, 1])
        XCTAssertEqual(try fast([Double].self, #"["nan"]"#, like: names)?.first?.isNaN, true)
        XCTAssertEqual(
            try fast(Date.self, #""1970-01-01T00:00:07Z""#, like: decoder), Date(timeIntervalSince1970: 7))
        XCTAssertEqual(try fast(URL.self, #""https://a.example/""#), URL(string: "https://a.example/"))
    }

    func testANameWithAQuotationMarkIsNotFoundOverTheEndOfAKey() throws {
        struct Texts: Decodable {
            let text: String?
            enum CodingKeys: String, CodingKey { case text = "a\":\"b" }
        }
        let json = #"{"a":"b"}"#
        XCTAssertNil(try JSONDecoder().decode(Texts.self, from: Data(json.utf8)).text)
        XCTAssertNil(try XCTUnwrap(fast(Texts.self, json)).text)
        let document = try JSONDocument(Data(json.utf8))
        XCTAssertNil(document.value(at: JSONPath([#"a":"b"#])))
        let escaped = #"{"a\":\"b":"c"}"#
        XCTAssertEqual(try XCTUnwrap(fast(Texts.self, escaped)).text, "c")
    }

    /// A loop may ask for the count before each element: the elements are not counted again.
    func testElementsAreCountedOnce() throws {
        struct Counting: Decodable {
            var counts: [Int?] = []
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while container.currentIndex < container.count ?? 0 {
                    var inner = try container.nestedUnkeyedContainer()
                    while !inner.isAtEnd {
                        counts += [inner.count, container.count]
                        _ = try inner.decode(Int.self)
                    }
                }
            }
        }
        let json = "[[1,2],[],[3]]"
        let theirs = try JSONDecoder().decode(Counting.self, from: Data(json.utf8)).counts
        XCTAssertEqual(try XCTUnwrap(fast(Counting.self, json)).counts, theirs)
        XCTAssertEqual(theirs, [2, 3, 2, 3, 1, 3])
        struct Long: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while container.currentIndex < container.count ?? 0 { _ = try container.decode(Int.self) }
            }
        }
        // Counted before each of them, they would take minutes.
        let many = "[" + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]"
        XCTAssertNotNil(try fast(Long.self, many))
    }

    private struct Hiding: Decodable {
        let value: Int?
        init(from decoder: any Decoder) throws {
            value = try? decoder.singleValueContainer().decode(Int.self)
        }
    }

    /// A type that handles an error itself is told the kind that JSONDecoder tells.
    func testTheKindOfAnErrorInsideATypeIsThatOfJSONDecoder() throws {
        struct Kinds: Decodable {
            var kinds: [String] = []
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Name.self)
                note { _ = try container.decode(Int.self, forKey: .a) }
                note { _ = try container.decode(String.self, forKey: .a) }
                note { _ = try container.decode(Bool.self, forKey: .a) }
                note { _ = try container.decode(Data.self, forKey: .a) }
                note { _ = try container.decode(Date.self, forKey: .a) }
                note { _ = try container.decode(URL.self, forKey: .a) }
                note { _ = try container.decode(Decimal.self, forKey: .a) }
                note { _ = try container.decode([Int].self, forKey: .a) }
                note { _ = try container.decode([String: Int].self, forKey: .a) }
                note { _ = try container.decode([[Int]].self, forKey: .a) }
                note { _ = try container.nestedUnkeyedContainer(forKey: .a) }
                note { _ = try container.nestedContainer(keyedBy: Name.self, forKey: .a) }
            }
            private enum Name: String, CodingKey { case a }
            private mutating func note(_ work: () throws -> Void) {
                do {
                    try work()
                    kinds.append("decoded")
                } catch DecodingError.valueNotFound { kinds.append("null") } catch DecodingError.typeMismatch
                {
                    kinds.append("type")
                } catch DecodingError.keyNotFound { kinds.append("key") } catch { kinds.append("other") }
            }
        }
        for text in [#"{"a":null}"#, "{}", #"{"a":{}}"#, #"{"a":[true]}"#, #"{"a":true}"#] {
            let theirs = try JSONDecoder().decode(Kinds.self, from: Data(text.utf8)).kinds
            XCTAssertEqual(try XCTUnwrap(fast(Kinds.self, text), text).kinds, theirs, text)
        }
    }

    func testADoubtIsNotHiddenByTry() throws {
        let large = "9007199254740993.0"
        XCTAssertNil(try fast(Hiding.self, large))
        XCTAssertEqual(
            try FastJSONDecoder().decode(Hiding.self, from: Data(large.utf8)).value, 9_007_199_254_740_993)
        XCTAssertNil(try fast(Hiding.self, "1.5"))
        XCTAssertNil(try FastJSONDecoder().decode(Hiding.self, from: Data("1.5".utf8)).value)
        XCTAssertEqual(try XCTUnwrap(fast(Hiding.self, "7")).value, 7)
        XCTAssertNil(try XCTUnwrap(fast(Hiding.self, #""7""#)).value)
    }

    private struct Keeping: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    func testTypesThatKeepTheirDecoderAreLeftToJSONDecoder() throws {
        XCTAssertNil(try fast(Keeping.self, #"{"a":[1,2]}"#))
    }

    func testStrategiesThatItDoesNotHaveAreLeftToJSONDecoder() throws {
        final class Own: JSONDecoder, @unchecked Sendable {}
        XCTAssertNil(try fast([Int].self, "[1]", like: Own()))
        let json5 = JSONDecoder()
        json5.allowsJSON5 = true
        XCTAssertNil(try fast([Int].self, "[1]", like: json5))
        let top = JSONDecoder()
        top.assumesTopLevelDictionary = true
        XCTAssertNil(try fast([Int].self, "[1]", like: top))
        let keys = JSONDecoder()
        keys.keyDecodingStrategy = .custom { $0.last! }
        XCTAssertNil(try fast([Int].self, "[1]", like: keys))
        XCTAssertEqual(try fast([Int].self, "[1]"), [1])
    }

    func testTheErrorIsThatOfJSONDecoder() {
        for text in ["[1,]x", "[1,\"a\"]", "[1,01]", "[1", ""] {
            var texts: [String] = []
            XCTAssertThrowsError(try JSONDecoder().decode([Int].self, from: Data(text.utf8))) {
                texts.append("\($0)")
            }
            XCTAssertThrowsError(try FastJSONDecoder().decode([Int].self, from: Data(text.utf8))) {
                texts.append("\($0)")
            }
            XCTAssertEqual(texts.first, texts.last, text)
        }
    }

    func testArraysOfStringsAreThoseOfJSONDecoder() {
        struct Tagged: Decodable {
            let tags: [String]
            let more: [String]?
        }
        func text<T: Decodable>(_ decode: (T.Type) throws -> T) -> String {
            do { return "\(try decode(T.self))" } catch { return "\(error)" }
        }
        for array in [
            "[]", #"["a","茶","\u8336\n",""]"#, #"["a",7]"#, #"["a",null]"#, #"[["a"]]"#, "null", "7", #""a""#,
            "{}",
        ] {
            let data = Data(#"{"tags":["a"],"more":\#(array),"all":[\#(array)]}"#.utf8)
            XCTAssertEqual(
                text { (type: Tagged.Type) in try FastJSONDecoder().decode(type, from: data) },
                text { (type: Tagged.Type) in try JSONDecoder().decode(type, from: data) }, array)
            let list = Data("[\(array)]".utf8)
            XCTAssertEqual(
                text { (type: [[String]].Type) in try FastJSONDecoder().decode(type, from: list) },
                text { (type: [[String]].Type) in try JSONDecoder().decode(type, from: list) }, array)
        }
    }

    func testHostileTextsTakeNoMoreThanTwiceTheirMemory() throws {
        for piece in ["1,", "[],", "[1],", "{\"\":1},", "[[[[1]]]],", "\"\","] {
            let text = "[" + String(repeating: piece, count: 1000).dropLast() + "]"
            let document = try JSONDocument(Data(text.utf8))
            XCTAssertLessThanOrEqual(document.tape.count * 4, text.utf8.count * 2 + 8, piece)
        }
    }

    func testDepthOfJSONIsLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        XCTAssertNotNil(try fast(JSONValue.self, nested(512)))
        XCTAssertThrowsError(try JSONDocument(Data(nested(513).utf8)))
        XCTAssertThrowsError(try JSONDocument(Data(nested(1_000_000).utf8)))
    }

    private final class CountingService: Service {
        let baseURL = URL(string: "https://api.example.com")!
        let configuration: ServiceConfiguration
        init() { configuration = ServiceConfiguration(usesFastJSONDecoder: false) }
        func envelope(for call: APICall) -> Envelope? { Envelope(code: "code", payload: "data") }
    }

    private final class FastService: Service {
        let baseURL = URL(string: "https://api.example.com")!
        func envelope(for call: APICall) -> Envelope? { Envelope(code: "code", payload: "data") }
    }

    /// Says which decoder has made it.
    private struct Maker: Decodable, Sendable {
        let isFast: Bool
        init(from decoder: any Decoder) throws { isFast = decoder is JSONValueDecoder }
    }

    private func isFast(_ service: any Service) throws -> Bool? {
        let call = APICall(
            requestID: .next(), serviceIdentifier: "fast", methodName: "m", requestType: .get, params: [:],
            tag: nil,
            overrides: APICall.Overrides(), outputType: Maker.self,
            managerType: ManagerType(BaseAPIManager.self))
        let response = APIResponse(
            requestID: call.requestID,
            response: TransportResponse(
                url: URL(string: "https://api.example.com/m")!, status: 200,
                body: .data(Data(#"{"code":0,"data":{"id":7}}"#.utf8))))
        let read = try ResponseReader(call, CallPlan(call, ServiceInstance(service).configured)).read(
            response)
        return (read.output as? Maker)?.isFast
    }

    func testManagersUseItUnlessTheConfigurationSaysNo() throws {
        XCTAssertEqual(try isFast(FastService()), true)
        XCTAssertEqual(try isFast(CountingService()), false)
    }
}
