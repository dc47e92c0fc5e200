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
