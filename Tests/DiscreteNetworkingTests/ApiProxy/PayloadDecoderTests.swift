#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    #if canImport(FoundationXML)
        import FoundationXML
    #endif

    /// Formats other than JSON, as Python writes them.
    @MainActor
    final class PayloadDecoderTests: XCTestCase {
        private struct Shop: Decodable, Sendable, Equatable {
            struct Item: Decodable, Sendable, Equatable {
                let id: String
                let name: String
            }
            let title: String
            let items: [Item]
        }

        private struct Device: Decodable, Sendable, Equatable {
            let name: String
            let count: Int
            let ratio: Double
            let isOn: Bool
            let bytes: Data
            let bought: Date
            let tags: [String]
        }

        /// An `XMLParser` that makes a dictionary of each element, and a list of those with a name in the plural.
        private final class XMLDecoder: NSObject, XMLParserDelegate, PayloadDecoder {
            private var stack: [[String: Any]] = [[:]]
            private var text = ""

            func decode<Output: Decodable>(_ type: Output.Type, from data: Data) throws -> Output {
                let parser = XMLParser(data: data)
                parser.delegate = self
                guard parser.parse(), let root = stack[0].values.first else {
                    throw parser.parserError ?? CocoaError(.coderInvalidValue)
                }
                return try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: root))
            }
            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
                qualifiedName: String?, attributes: [String: String]
            ) {
                (text, stack) = ("", stack + [attributes])
            }
            func parser(_ parser: XMLParser, foundCharacters text: String) { self.text += text }
            func parser(
                _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
            ) {
                let own = stack.removeLast()
                let isList = own.count == 1 && own.values.first is [Any]
                let value: Any = isList ? own.values.first! : own.isEmpty ? text as Any : own
                let isElement = name == "item"
                let last = stack.count - 1
                stack[last][name] = isElement ? (stack[last][name] as? [Any] ?? []) + [value] : value
                text = ""
            }
        }

        private static let program = """
            import datetime, plistlib, urllib.parse
            import xml.etree.ElementTree as tree
            def shop():
                root = tree.Element('shop')
                tree.SubElement(root, 'title').text = '茶 & <壶>'
                items = tree.SubElement(root, 'items')
                for id in ('1', '2'):
                    item = tree.SubElement(items, 'item')
                    tree.SubElement(item, 'id').text = id
                    tree.SubElement(item, 'name').text = '茶壶' + id
                return root
            device = {
                'name': '茶壶', 'count': 7, 'ratio': 1.5, 'isOn': True, 'bytes': bytes(range(256)),
                'bought': datetime.datetime(2026, 11, 23, 4, 5, 6), 'tags': ['a', 'b'],
            }
            def answer(path, body):
                name, _, kind = path.lstrip('/').partition('/')
                kind = urllib.parse.unquote(kind) or None
                if name == 'shop': return 200, kind, tree.tostring(shop(), 'utf-8')
                if name == 'gbk': return 200, kind, tree.tostring(shop(), 'gbk', xml_declaration=True)
                if name == 'broken': return 200, kind, b'<shop><title>'
                if name == 'plist': return 200, kind, plistlib.dumps(device)
                if name == 'bplist': return 200, kind, plistlib.dumps(device, fmt=plistlib.FMT_BINARY)
                if name == 'without': return 200, kind, plistlib.dumps({'name': 'x'})
                if name == 'none': return 204, None, b''
                return 200, kind or 'application/json', b'{"title":"t","items":[]}'
            """

        private static let shop = Shop(
            title: "茶 & <壶>", items: [.init(id: "1", name: "茶壶1"), .init(id: "2", name: "茶壶2")])
        private static let device = Device(
            name: "茶壶", count: 7, ratio: 1.5, isOn: true, bytes: Data(0...255),
            bought: Date(timeIntervalSince1970: 1_795_406_706), tags: ["a", "b"])

        private final class FormatService: Service {
            let baseURL: URL
            let configuration: ServiceConfiguration
            let wrapped: Envelope?

            convenience init() { self.init(URL(string: "http://127.0.0.1")!, [:]) }
            init(
                _ baseURL: URL, _ decoders: [String: @Sendable () -> any PayloadDecoder],
                envelope: Envelope? = nil
            ) {
                self.baseURL = baseURL
                wrapped = envelope
                configuration = ServiceConfiguration(decoders: decoders)
            }
            func envelope(for call: APICall) -> Envelope? { wrapped }
        }

        private final class FormatManager<Output: Decodable & Sendable>: APIManager<Output> {
            let serviceIdentifier = ServiceIdentifier.test
            var methodName = ""
            let requestType = HTTPMethod.post
            var rules = ResponseRules()
            override var responseRules: ResponseRules { rules }
            override var encoding: (any ParamEncoding)? { .raw(Data(), contentType: "text/plain") }
        }

        /// Loads a document under a media type.
        private func load<Output: Decodable & Sendable>(
            _ type: Output.Type = Output.self, _ name: String, as mediaType: String = "",
            by decoders: [String: @Sendable () -> any PayloadDecoder] = [:], envelope: Envelope? = nil,
            rules: ResponseRules = ResponseRules()
        ) async throws -> Output {
            let server = try sharedPython(Self.program)
            let services = ServiceFactory()
            services.register([.test: { FormatService(server.baseURL, decoders, envelope: envelope) }])
            let manager = FormatManager<Output>()
            // The server names the type that follows the document.
            manager.methodName = "\(name)/\(mediaType)"
            manager.rules = rules
            manager.proxy = ApiProxy(transport: StandardTransport.make(), services: services)
            return try await manager.load()
        }

        // MARK: By media type

        func testXMLByItsType() async throws {
            for type in ["application/xml", "Application/XML; charset=utf-8", "application/rss+xml"] {
                let shop = try await load(
                    Shop.self, "shop", as: type, by: ["application/xml": { XMLDecoder() }])
                XCTAssertEqual(shop, Self.shop, type)
            }
            let any = try await load(Shop.self, "shop", by: ["*/*": { XMLDecoder() }])
            XCTAssertEqual(any, Self.shop, "no type at all")
            let optional = try await load(
                Shop?.self, "none", by: ["application/xml": { XMLDecoder() }])
            XCTAssertNil(optional)
            // The parser reads the charset that the document names.
            let gbk = try await load(
                Shop.self, "gbk", as: "text/xml", by: ["text/xml": { XMLDecoder() }])
            XCTAssertEqual(gbk, Self.shop)
        }

        func testTheMoreParticularTypeWins() async throws {
            struct Wrong: PayloadDecoder {
                func decode<Output: Decodable>(_ type: Output.Type, from data: Data) throws -> Output {
                    throw CocoaError(.coderInvalidValue)
                }
            }
            let shop = try await load(
                Shop.self, "shop", as: "application/rss+xml",
                by: [
                    "application/rss+xml": { XMLDecoder() }, "application/xml": { Wrong() },
                    "*/*": { Wrong() },
                ])
            XCTAssertEqual(shop, Self.shop)
        }

        func testJSONBesideXML() async throws {
            let shop = try await load(Shop.self, "json", by: ["application/xml": { XMLDecoder() }])
            XCTAssertEqual(shop, Shop(title: "t", items: []))
            let raw = try await load(
                String.self, "shop", as: "application/xml", by: ["application/xml": { XMLDecoder() }])
            XCTAssertTrue(raw.hasPrefix("<"), "not decoded")
        }

        // MARK: Property lists

        func testPropertyListsByTheirType() async throws {
            for (name, type) in [
                ("plist", "application/x-plist"), ("bplist", "application/x-plist"),
                ("bplist", "application/x-apple-plist"),
            ] {
                let device = try await load(Device.self, name, as: type)
                XCTAssertEqual(device, Self.device, "\(name) \(type)")
            }
        }

        func testPropertyListsByTheManager() async throws {
            for (name, type) in [("plist", "*/*"), ("bplist", "*/*"), ("plist", "text/html")] {
                let device = try await load(
                    Device.self, name, as: "text/html",
                    by: ["text/html": { XMLDecoder() }, "*/*": { XMLDecoder() }],
                    rules: ResponseRules(decoders: [type: { PropertyListDecoder() }]))
                XCTAssertEqual(device, Self.device, name)
            }
            let shop = try await load(
                Shop.self, "shop", as: "text/xml", by: ["*/*": { XMLDecoder() }],
                rules: ResponseRules(decoders: ["text/html": { PropertyListDecoder() }]))
            XCTAssertEqual(shop.title, "茶 & <壶>", "the decoders of the service stay in force for other types")
        }

        // MARK: Failures

        func testAFailureNamesThePlace() async throws {
            do {
                _ = try await load(Device.self, "without", as: "application/x-plist")
                XCTFail("a key is missing")
            } catch let error as APIError {
                guard case .decoding(let why) = error.kind else { return XCTFail("\(error)") }
                XCTAssertEqual(why.path, ["count"])
            }
            do {
                _ = try await load(
                    Shop.self, "broken", as: "text/xml", by: ["text/xml": { XMLDecoder() }])
                XCTFail("the text ends early")
            } catch let error as APIError {
                guard case .decoding = error.kind else { return XCTFail("\(error)") }
            }
        }

        /// Whether the decoder or the server is wrong, only the app's developer can know.
        func testATypeWithoutADecoderIsNamed() async throws {
            let type = "text/xml, for which ServiceConfiguration.decoders has no decoder"
            for (path, media, isNamed) in [
                ("shop", "text/xml", true), ("json", "text/xml", false), ("shop", "application/json", false),
            ] {
                do {
                    _ = try await load(Device.self, path, as: media)
                    XCTFail("\(path) is no device")
                } catch let error as APIError {
                    guard case .decoding(let why) = error.kind else { return XCTFail("\(error)") }
                    XCTAssertEqual(why.reason.contains(type), isNamed, "\(path) as \(media): \(why.reason)")
                }
            }
        }

        // MARK: Envelopes

        /// A payload in an envelope is JSON, also for a service whose other responses are not.
        func testAPayloadInAnEnvelopeIsJSON() async throws {
            let items = try await load(
                [Shop.Item].self, "json", by: ["*/*": { XMLDecoder() }], envelope: Envelope(payload: "items"))
            XCTAssertEqual(items, [])
            let error = await { () async -> APIError? in
                do {
                    _ = try await load(
                        Shop.self, "shop", as: "text/xml", by: ["text/xml": { XMLDecoder() }],
                        envelope: Envelope(payload: "items"))
                    return nil
                } catch { return error as? APIError }
            }()
            guard case .decoding(let why)? = error?.kind else {
                return XCTFail("\(String(describing: error))")
            }
            XCTAssertTrue(why.reason.contains("is not JSON (text/xml)"), why.reason)
            let bare = try await load(
                Shop.self, "shop", as: "text/xml", by: ["text/xml": { XMLDecoder() }],
                envelope: Envelope(payload: "items"), rules: ResponseRules(envelope: .bare))
            XCTAssertEqual(bare, Self.shop)
        }
    }
#endif
