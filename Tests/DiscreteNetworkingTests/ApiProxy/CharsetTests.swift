#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Texts in other charsets than UTF-8, as Python's codecs write them.
    @MainActor
    final class CharsetTests: XCTestCase {
        /// `/json/CODEC/CHARSET` is a product, `/text/CODEC/CHARSET` a text, `/table/CODEC/CHARSET` a line for each character.
        private static let program = """
            import json, urllib.parse
            names = {
                'shift_jis': '青花', 'euc-jp': '青花', 'iso2022_jp': '青花', 'latin-1': 'Teekännchen', 'cp1252': 'Tee – Kännchen',
                'cp1251': 'чайник', 'big5': '青花瓷茶壺', 'cp950': '青花瓷茶壺', 'big5hkscs': '啲茶壺',
            }
            # glibc has no second code for these characters of Big5-HKSCS.
            missing = {bytes.fromhex(code) for code in 'a15a a1c3 a1c5 a1fe a240 a2cc a2ce'.split()}
            def characters(codec):
                for a in range(0x81, 0xff):
                    for b in range(0x40, 0xff):
                        if codec == 'big5hkscs' and bytes((a, b)) in missing: continue
                        try: yield bytes((a, b)), bytes((a, b)).decode(codec)
                        except UnicodeDecodeError: pass
                if codec != 'gb18030': return
                codes = list(range(0x80, 0xd800)) + list(range(0xe000, 0x10000)) + list(range(0x10000, 0x110000, 97))
                for code in codes:
                    # These have codes of two bytes since the edition of 2005.
                    if 0x9fb4 <= code <= 0x9fbb or 0xfe10 <= code <= 0xfe19: continue
                    written = chr(code).encode(codec)
                    if len(written) == 4: yield written, chr(code)
            def answer(path, body):
                what, codec, charset = urllib.parse.unquote(path).lstrip('/').split('/')
                kind = '; charset=' + charset if charset else ''
                name = names.get(codec, '青花瓷茶壶')
                product = json.dumps({'id': 7, 'name': name}, ensure_ascii=False)
                if what == 'json': return 200, 'application/json' + kind, product.encode(codec)
                if what == 'wrapped':
                    text = '{"code":0,"msg":"%s","data":%s}' % (name, product)
                    return 200, 'application/json' + kind, text.encode(codec)
                if what == 'word': return 200, 'application/json' + kind, json.dumps(name, ensure_ascii=False).encode(codec)
                if what == 'failure':
                    return 422, 'application/json' + kind, ('{"code":5,"msg":"%s"}' % name).encode(codec)
                if what == 'text': return 200, 'text/plain' + kind, name.encode(codec)
                if what == 'name': return 200, 'text/plain; charset=utf-8', name.encode()
                if what == 'table':
                    return 200, 'text/plain' + kind, b''.join(w.hex().encode() + b' ' + w + b'\\n' for w, c in characters(codec))
                if what == 'expected':
                    return 200, 'text/plain', ''.join(w.hex() + ' ' + c + '\\n' for w, c in characters(codec)).encode()
            """

        private func stack(limit: Int = 64 << 20) throws -> Stack {
            let server = try sharedPython(Self.program)
            return Stack(StandardTransport.make()) {
                $0.baseURL = server.baseURL
                $0.sizeLimit = limit
                $0.timeout = 120
            }
        }

        private func manager<Output>(
            _ type: Output.Type, _ name: String, _ stack: Stack, wrapped: Bool = false
        ) -> TestManager<Output> {
            let manager = stack.manager(TestManager<Output>())
            manager.methodName = name
            if wrapped {
                manager.ownResponseRules.envelope = Envelope(code: "code", message: "msg", payload: "data")
            }
            return manager
        }

        private static let codecs = [
            ("gbk", "GBK"), ("gbk", "gb2312"), ("gb2312", "gb2312"), ("gb18030", "GB18030"), ("gbk", "x-gbk"),
            ("big5", "Big5"), ("cp950", "big5"), ("big5hkscs", "Big5-HKSCS"), ("utf-8", "utf-8"),
            ("shift_jis", "Shift_JIS"), ("euc-jp", "EUC-JP"),
            ("iso2022_jp", "ISO-2022-JP"), ("latin-1", "ISO-8859-1"),
            ("cp1252", "windows-1252"), ("cp1251", "windows-1251"),
        ]

        private static let unicode = [
            ("utf-16", "utf-16"), ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be"), ("utf-16", ""),
            ("utf-16-le", ""), ("utf-16-be", ""), ("utf-32", ""), ("utf-32-le", ""), ("utf-32-be", ""),
            ("utf-32", "utf-32"), ("utf-8", ""), ("utf-8-sig", ""),
        ]

        func testJSONInEachCharsetIsDecoded() async throws {
            let stack = try stack()
            for (codec, charset) in Self.codecs + Self.unicode {
                let name = try await manager(String.self, "name/\(codec)/", stack).load()
                let at = "\(codec) as \(charset)"
                let product = try await manager(Product.self, "json/\(codec)/\(charset)", stack).load()
                XCTAssertEqual(product, Product(id: 7, name: name), at)
                let untyped = try await manager(JSONValue.self, "json/\(codec)/\(charset)", stack).load()
                XCTAssertEqual(untyped["name"].string, name, at)
                let optional = try await manager(JSONValue?.self, "json/\(codec)/\(charset)", stack).load()
                XCTAssertEqual(optional["name"].string, name, at)
                let wrapped = manager(Product.self, "wrapped/\(codec)/\(charset)", stack, wrapped: true)
                let inner = try await wrapped.load()
                XCTAssertEqual(inner, product, at)
                XCTAssertEqual(wrapped.response?.businessMessage, name, at)
                XCTAssertEqual(try wrapped.response?.json()["msg"].string, name, at)
                let text = try await manager(
                    String.self, "wrapped/\(codec)/\(charset)", stack, wrapped: true
                ).load()
                XCTAssertEqual(try JSONValue(parsing: text)["name"].string, name, at)
                let word = try await manager(String.self, "word/\(codec)/\(charset)", stack).load()
                XCTAssertEqual(word, name, at)
                let failed = await failure(
                    manager(Product.self, "failure/\(codec)/\(charset)", stack, wrapped: true))
                XCTAssertEqual(failed?.businessMessage, name, at)
                XCTAssertEqual(failed?.body(as: JSONValue.self)?["msg"].string, name, at)
            }
        }

        func testOnlyOneByteOrderMarkIsPassedOver() async throws {
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            for (count, isJSON) in [(0, true), (1, true), (2, false)] {
                let text =
                    Data(Array(repeating: mark, count: count).joined()) + Data(#"{"id":7,"name":"a"}"#.utf8)
                let stack = Stack(
                    ClosureTransport { TransportResponse(url: $0.url, status: 200, body: .data(text)) })
                let product = await failure(stack.manager(TestManager<Product>()))
                XCTAssertEqual(product == nil, isJSON, "\(count)")
                let untyped = await failure(stack.manager(TestManager<JSONValue>()))
                XCTAssertEqual(untyped == nil, isJSON, "\(count)")
            }
        }

        func testTextInEachCharsetIsDecoded() async throws {
            let stack = try stack()
            for (codec, charset) in Self.codecs + [("utf-16", "utf-16"), ("utf-16-le", "UTF-16LE")] {
                let name = try await manager(String.self, "name/\(codec)/", stack).load()
                let text = try await manager(String.self, "text/\(codec)/\(charset)", stack).load()
                XCTAssertEqual(text, name, "\(codec) as \(charset)")
                let optional = try await manager(String?.self, "text/\(codec)/\(charset)", stack).load()
                XCTAssertEqual(optional, name, "\(codec) as \(charset)")
            }
        }

        /// Servers name ISO 8859-1 by default, and send UTF-8.
        func testUTF8UnderACharsetOfSingleBytes() async throws {
            let stack = try stack()
            for charset in ["iso-8859-1", "us-ascii", "windows-1252"] {
                let product = try await manager(Product.self, "json/utf-8/\(charset)", stack).load()
                XCTAssertEqual(product.name, "青花瓷茶壶", charset)
            }
            let unknown = try await manager(Product.self, "json/utf-8/x-nobody", stack).load()
            XCTAssertEqual(unknown.name, "青花瓷茶壶")
        }

        // MARK: Every character

        /// The lines that differ from those of Python's codec, as the scalars of Python and of this package.
        private func differences(_ codec: String, _ charset: String) async throws
            -> (count: Int, [String: (python: UInt32, own: UInt32?)])
        {
            let stack = try stack()
            let expected = try await manager(String.self, "expected/\(codec)/", stack).load()
            let found = try await manager(String.self, "table/\(codec)/\(charset)", stack).load()
            func lines(_ text: String) -> [Substring.UnicodeScalarView] {
                text.unicodeScalars.split(separator: "\n").map(\.self)
            }
            let (theirs, ours) = (lines(expected), lines(found))
            XCTAssertEqual(theirs.count, ours.count, codec)
            var differences: [String: (python: UInt32, own: UInt32?)] = [:]
            for (their, our) in zip(theirs, ours) where !their.elementsEqual(our) {
                let code = String(Substring(their)).prefix { $0 != " " }
                differences[String(code)] = (their.last!.value, our.last?.value)
            }
            return (theirs.count, differences)
        }

        func testEveryCharacterOfGB18030() async throws {
            let (count, differences) = try await differences("gb18030", "gb18030")
            XCTAssertGreaterThan(count, 63_000)
            // Python has the edition of 2000, in which a few characters were in the private use area.
            for (code, pair) in differences {
                XCTAssertTrue(
                    [pair.python, pair.own].contains { 0xE000...0xF8FF ~= $0 ?? 0 }, "\(code): \(pair)")
            }
            XCTAssertLessThan(differences.count, 60)
        }

        func testEveryCharacterOfGBK() async throws {
            let (count, gbk) = try await differences("gbk", "gbk")
            XCTAssertEqual(count, 21_791)
            XCTAssertEqual(gbk.keys.sorted(), [])
            // Browsers, and this package, read GB2312 as GBK.
            let (small, gb2312) = try await differences("gb2312", "gb2312")
            XCTAssertEqual(small, 7445)
            XCTAssertEqual(gb2312.keys.sorted(), ["a1a4", "a1aa"])
        }

        func testEveryCharacterOfBig5() async throws {
            let (count, big5) = try await differences("cp950", "big5")
            XCTAssertGreaterThan(count, 13_700)
            // Windows has these for characters of the user's own; Python has the kana of ETEN there.
            XCTAssertTrue(big5.keys.allSatisfy { "c6a1"..."c7fc" ~= $0 }, "\(big5)")
            let (all, hkscs) = try await differences("big5hkscs", "big5-hkscs")
            XCTAssertGreaterThan(all, 18_000)
            XCTAssertEqual(hkscs.keys.sorted(), [])
        }

        // MARK: Damage and limits

        private func outcome<Output>(
            _ type: Output.Type, _ bytes: [UInt8], _ contentType: String, limit: Int = 1 << 20
        ) async throws -> Result<Output, APIError> where Output: Decodable & Sendable {
            let server = try serve { _ in .data(Data(bytes), type: contentType) }
            let manager = Stack(StandardTransport.make()) {
                $0.baseURL = server.baseURL
                $0.sizeLimit = limit
            }
            .manager(TestManager<Output>())
            do throws(APIError) { return .success(try await manager.load()) } catch { return .failure(error) }
        }

        func testDamagedBytesAreADecodingFailure() async throws {
            let quote = UInt8(ascii: "\"")
            for (bytes, charset) in [
                ([0x61, 0x81], "gbk"), ([0xB2, 0xE8, 0xFF, 0x41], "gb18030"),
                ([0x81, 0x30, 0x81], "gb18030"),
                ([0x81, 0x20, 0x41], "big5"), ([0xFF], "big5-hkscs"), ([0xFF], "utf-8"),
                ([0x81, 0xFF], "shift_jis"),
            ] as [([UInt8], String)] {
                let text = try await outcome(String.self, bytes, "text/plain; charset=\(charset)")
                guard case .decoding(let why)? = text.kind else {
                    XCTFail("\(charset): \(text)")
                    continue
                }
                XCTAssertTrue(why.reason.contains("is not text in the charset"), why.reason)
                let json = try await outcome(
                    JSONValue.self, [quote] + bytes + [quote], "application/json; charset=\(charset)")
                guard case .decoding? = json.kind else {
                    XCTFail("\(charset): \(json)")
                    continue
                }
            }
            let offset = try await outcome(String.self, [0x61, 0x62, 0x81, 0x20], "text/plain; charset=gbk")
            #if os(Linux)
                XCTAssertTrue(offset.failure?.description.contains("bytes at 2") == true, "\(offset)")
            #endif
            // A surrogate without its pair, and half a code unit.
            for bytes in [[quote, 0, 0x00, 0xD8, quote, 0], [quote, 0, 0x36, 0x83, quote]] as [[UInt8]] {
                let utf16 = try await outcome(JSONValue.self, bytes, "application/json")
                guard case .decoding? = utf16.kind else {
                    XCTFail("\(utf16)")
                    continue
                }
            }
        }

        /// One code may be two characters.
        func testTheLastCharacterIsNotHeldBack() async throws {
            let text = try await outcome(String.self, [0x88, 0x62], "text/plain; charset=big5-hkscs").get()
            XCTAssertEqual(Array(text.unicodeScalars), ["\u{CA}", "\u{304}"])
        }

        func testTheLimitAppliesToTheText() async throws {
            let tea =
                [UInt8](repeating: 0, count: 40_000).indices.map { $0 % 2 == 0 ? 0xB2 : 0xE8 } as [UInt8]
            let quote = UInt8(ascii: "\"")
            let fits = try await outcome(String.self, tea, "text/plain; charset=gbk", limit: 60_000).get()
            XCTAssertEqual(fits, String(repeating: "茶", count: 20_000))
            for limit in [40_002, 59_999] {
                let text = try await outcome(String.self, tea, "text/plain; charset=gbk", limit: limit)
                XCTAssertTrue(
                    text.failure?.description.contains("more than \(limit) bytes") == true, "\(text)")
                let json = try await outcome(
                    JSONValue.self, [quote] + tea + [quote], "application/json; charset=gbk", limit: limit)
                XCTAssertTrue(
                    json.failure?.description.contains("more than \(limit) bytes") == true, "\(json)")
            }
            let utf16 = try await outcome(
                JSONValue.self, [quote, 0] + tea.map { $0 % 2 == 0 ? 0x36 : 0x83 } + [quote, 0],
                "application/json", limit: 40_004)
            guard case .decoding? = utf16.kind else { return XCTFail("\(utf16)") }
        }
    }

    extension Result {
        fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
    }
#endif
