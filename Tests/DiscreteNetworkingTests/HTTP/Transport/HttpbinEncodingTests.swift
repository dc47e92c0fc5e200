#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Params as a server that somebody else wrote understands them.
    final class HttpbinEncodingTests: HttpbinTestCase {
        private static let odd = [
            "+ & = # % ;", "青花瓷 茶壶", "🍵👩‍👩‍👧", "a/b?c:d@e!$'()*,~", #"[]{}|\^`"<>"#, "%41%", "é\u{301}",
        ]

        private func echo(_ params: Params, _ method: HTTPMethod, _ encoding: any ParamEncoding) async throws
            -> JSONValue
        {
            try await httpbin().manager(HttpbinManager<JSONValue>(method, "anything", encoding)).load(
                with: params)
        }

        func testOddTextInKeysAndValuesOfAQuery() async throws {
            var params: Params = [:]
            for text in Self.odd { params[text] = .string(text) }
            for spaces in [QueryEncoder.Spaces.percent, .plus] {
                for method in [HTTPMethod.get, .delete, .post] {
                    let echo = try await echo(params, method, .query(QueryEncoder(spaces: spaces)))
                    XCTAssertEqual(echo["args"], params.jsonValue, "\(spaces) \(method)")
                }
            }
        }

        func testOddTextInKeysAndValuesOfAForm() async throws {
            var params: Params = [:]
            for text in Self.odd { params[text] = .string(text) }
            for spaces in [QueryEncoder.Spaces.percent, .plus] {
                let echo = try await echo(params, .post, .form(QueryEncoder(spaces: spaces)))
                XCTAssertEqual(echo["form"], params.jsonValue, "\(spaces)")
                XCTAssertEqual(echo["args"], [:])
            }
        }

        func testOddTextInKeysAndValuesOfJSON() async throws {
            var params: Params = ["nested": ["a": [1, 2.5, true]] as JSONValue]
            for text in Self.odd {
                params[text] = .array([.string(text), .null, .object([text: .string(text)])])
            }
            for method in [HTTPMethod.post, .put, .patch, .delete] {
                let echo = try await echo(params, method, .json)
                XCTAssertEqual(echo["json"], params.jsonValue, "\(method)")
            }
        }

        func testRawBodiesArriveUnchanged() async throws {
            let text = Self.odd.joined(separator: "\n")
            let echo = try await echo(
                ["q": "+ & ="], .post, .raw(Data(text.utf8), contentType: "text/plain; charset=utf-8"))
            XCTAssertEqual(echo["data"]?.string, text)
            XCTAssertEqual(echo["args"], ["q": "+ & ="])
            XCTAssertEqual(echo["headers"]?["Content-Type"], "text/plain; charset=utf-8")
        }

        func testFormsWithFiles() async throws {
            let text = Self.odd.joined(separator: "\n")
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let file = try folder.write("茶 a.txt", Data(text.utf8))
            var params: Params = ["tags": ["a", "b"]]
            for text in Self.odd where !text.contains("\"") { params[text] = .string(text) }
            let parts: MultipartForm = [
                .file(file, named: "file", contentType: "text/plain"),
                .data(Data("x".utf8), named: "memory", fileName: "m.txt"),
            ]
            let echo = try await httpbin(over: StandardTransport.make())
                .manager(HttpbinManager<JSONValue>(.post, "anything", .multipart(parts))).load(with: params)
            let fields = params.removing(["tags"]).merging(["tags[]": ["a", "b"]])
            XCTAssertEqual(echo["form"], fields.jsonValue)
            XCTAssertEqual(echo["files"], ["file": .string(text), "memory": "x"])
        }

        func testArraysAndNestedParamsOfAQuery() async throws {
            let params: Params = [
                "tags": ["a b", "c,d", "&"], "one": ["x"], "none": [String](), "flag": true,
                "price": 9.5, "filter": ["color": "青", "size": 4] as JSONValue,
            ]
            let plain: [String: JSONValue] = ["price": "9.5"]
            let brackets: [String: JSONValue] = ["filter[color]": "青", "filter[size]": "4"]
            let styles: [(QueryEncoder, [String: JSONValue])] = [
                (
                    QueryEncoder(arrays: .brackets),
                    ["tags[]": ["a b", "c,d", "&"], "one[]": "x", "flag": "true"]
                ),
                (
                    QueryEncoder(arrays: .repeated),
                    ["tags": ["a b", "c,d", "&"], "one": "x", "flag": "true"]
                ),
                (QueryEncoder(arrays: .commaSeparated), ["tags": "a b,c,d,&", "one": "x", "flag": "true"]),
                (
                    QueryEncoder(arrays: .indexed, booleans: .numeric),
                    ["tags[0]": "a b", "tags[1]": "c,d", "tags[2]": "&", "one[0]": "x", "flag": "1"]
                ),
            ]
            for (encoder, expected) in styles {
                let expected = JSONValue.object(
                    expected.merging(plain) { $1 }.merging(brackets) { $1 })
                let inQuery = try await echo(params, .get, .query(encoder))
                XCTAssertEqual(inQuery["args"], expected, "\(encoder.arrays)")
                let inForm = try await echo(params, .post, .form(encoder))
                XCTAssertEqual(inForm["form"], expected, "\(encoder.arrays)")
            }
            let dots = try await echo(params, .get, .query(QueryEncoder(nestedKeys: .dots)))
            XCTAssertEqual(dots["args"]?["filter.color"], "青")
        }

        func testAPlaceInThePath() async throws {
            for text in ["a b", "青", "50%", "x&y=z", "🍵"] {
                let manager = try await httpbin().manager(HttpbinManager<JSONValue>(.get, "anything/{id}"))
                let echo = try await manager.load(with: ["id": text, "q": "1"])
                XCTAssertEqual(echo["args"], ["q": "1"])
                let url = try XCTUnwrap(echo["url"]?.string)
                XCTAssertTrue(url.contains("/anything/"), url)
                XCTAssertEqual(manager.response?.url.lastPathComponent, text)
            }
        }

        // MARK: Random params

        private static let letters = Array("ab1 +&=#%;/?:@,.-_~!$'()*[]{}|\\^`\"<>茶壶éß🍵\n\t")

        private static func text(_ random: inout FixedRandom, _ count: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: count, using: &random)).map { _ in
                    letters.randomElement(using: &random) ?? "a"
                })
        }

        /// A value and what a query makes of it where arrays are repeated.
        private static func value(_ random: inout FixedRandom) -> (JSONValue, JSONValue) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let number = Int.random(in: -1_000_000...1_000_000, using: &random)
                return (.number(JSONNumber(number)), .string("\(number)"))
            case 1:
                let bool = Bool.random(using: &random)
                return (.bool(bool), .string("\(bool)"))
            case 2:
                let texts = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                    JSONValue.string(text(&random, 0...4))
                }
                return (.array(texts), .array(texts))
            default:
                let text = JSONValue.string(text(&random, 0...10))
                return (text, text)
            }
        }

        func testRandomParamsArriveAsTheyWereSent() async throws {
            let stack = try await httpbin()
            var random = FixedRandom(seed: 42)
            for round in 0..<FullLength.rounds(40, of: 100) {
                var params: Params = [:]
                var flat: [String: JSONValue] = [:]
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let name = Self.text(&random, 1...6)
                    let (value, query) = Self.value(&random)
                    params[name] = value
                    flat[name] = query
                }
                let encoder = QueryEncoder(
                    arrays: .repeated, spaces: round.isMultiple(of: 2) ? .plus : .percent)
                let cases: [(HTTPMethod, any ParamEncoding, String, JSONValue)] = [
                    (.get, .query(encoder), "args", .object(flat)),
                    (.post, .form(encoder), "form", .object(flat)), (.put, .json, "json", params.jsonValue),
                ]
                for (method, encoding, member, expected) in cases {
                    let manager = stack.manager(HttpbinManager<JSONValue>(method, "anything", encoding))
                    let echo = try await manager.load(with: params)
                    XCTAssertEqual(echo[member], expected, "\(round) \(member)")
                }
            }
        }
    }
#endif
