import DiscreteNetworkingJSON
import Foundation

/// Writes a test case for each manager: the request it sends, and an answer that it decodes.
struct TestEmitter {
    let names: TypeNames
    let managers: ManagerEmitter
    let module: String
    let samples: SampleMaker

    private static let server = "https://api.test"

    func emit(_ operation: Operation, to source: inout Source) {
        let arguments = operation.arguments.map { parameter in
            (parameter: parameter, value: samples.value(parameter.type, parameter.schema, isSent: true))
        }
        .filter { !Self.isEmpty($0.value) || $0.parameter.isRequired }
        source.add("import DiscreteNetworking")
        source.add("import DiscreteNetworkingTesting")
        source.add("import Foundation")
        source.add("import XCTest")
        source.space()
        source.add("@testable import \(module)")
        source.space()
        source.add("@MainActor")
        source.block("final class \(operation.managerName)Tests: XCTestCase") { source in
            for (name, value) in constants(operation, arguments) {
                source.multiline("private let \(SwiftName.escaped(name))", PrettyJSON.text(value))
            }
            source.add("private let stubs = StubTransport()")
            emitManager(operation, to: &source)
            // What uses something deprecated without a warning is deprecated itself; a whole class cannot be.
            let attribute = operation.isDeprecated ? "@available(*, deprecated)" : nil
            if !operation.arguments.isEmpty {
                source.space()
                if let attribute { source.add(attribute) }
                emitArguments(operation, arguments, to: &source)
            }
            source.space()
            if let attribute { source.add(attribute) }
            source.block("func testRequest() async throws") { emitRequest(operation, arguments, to: &$0) }
            source.space()
            if let attribute { source.add(attribute) }
            source.block("func testAnswer() async throws") { emitAnswer(operation, to: &$0) }
        }
    }

    private func emitManager(_ operation: Operation, to source: inout Source) {
        let proxy = [
            "stubbing: stubs",
            "[.\(SwiftName.escaped(operation.service.identifier)): \(operation.service.prefix)StubService.self]",
        ]
        guard operation.isDeprecated else {
            source.list("private let manager = \(operation.managerName)(", Self.bodyArguments(operation), ")")
            source.space()
            return source.block("override func setUp() async throws") {
                $0.list("manager.proxy = ApiProxy(", proxy, ")")
            }
        }
        source.space()
        source.add("@available(*, deprecated)")
        source.block("private var manager: \(operation.managerName)") { source in
            source.list("let manager = \(operation.managerName)(", Self.bodyArguments(operation), ")")
            source.list("manager.proxy = ApiProxy(", proxy, ")")
            source.add("return manager")
        }
    }

    /// JSON that is too long to stand where it is used.
    private func constants(
        _ operation: Operation, _ arguments: [(parameter: Parameter, value: JSONValue)]
    ) -> [(name: String, value: JSONValue)] {
        var constants = arguments.compactMap { parameter, value -> (name: String, value: JSONValue)? in
            let isDecoded = expression(managers.type(parameter), value, nil).hasPrefix("try decoded")
            return isDecoded && Self.isLong(value) ? (Self.constantName(parameter), value) : nil
        }
        if let answer = answerValue(operation), Self.isLong(answer) {
            constants.append(("answerText", answer))
        }
        return constants
    }

    private static func isLong(_ value: JSONValue) -> Bool { value.canonicalText.count > 60 }

    private static func constantName(_ parameter: Parameter) -> String { parameter.name + "JSON" }

    private func answerValue(_ operation: Operation) -> JSONValue? {
        guard case .model(let type) = operation.output.kind else { return nil }
        return samples.value(type, operation.output.schema)
    }

    private static func isEmpty(_ value: JSONValue) -> Bool { value.isNull || value == [] || value == [:] }

    static func bodyArguments(_ operation: Operation) -> [String] {
        switch operation.body {
        case nil: []
        case .raw?: ["body: .data(Data(\"bytes\".utf8))"]
        case .multipart(let parts)?:
            parts.sorted { $0.isRequired && !$1.isRequired }.map { part in
                let content = ".data(Data(\"bytes\".utf8))"
                return "\(SwiftName.label(part.name)): " + (part.isList ? "[\(content)]" : content)
            }
        }
    }

    private func emitArguments(
        _ operation: Operation, _ arguments: [(parameter: Parameter, value: JSONValue)],
        to source: inout Source
    ) {
        source.block("private func params() throws -> Params") { source in
            let items = arguments.map { parameter, value in
                "\(SwiftName.label(parameter.name)): \(expression(managers.type(parameter), value, parameter))"
            }
            source.list(
                items.contains { $0.contains("try decoded(") }
                    ? "try \(operation.managerName).Arguments(" : "\(operation.managerName).Arguments(",
                items.map { $0.replacingOccurrences(of: "try decoded(", with: "decoded(") }, ").params")
        }
    }

    /// A value as an expression of its type.
    /// - Parameter parameter: what it is the value of, where it may stand in a constant.
    private func expression(_ type: SwiftType, _ value: JSONValue, _ parameter: Parameter?) -> String {
        let type = names.resolved(type)
        switch type {
        case .bool, .int, .int64, .uint64, .double: return value.canonicalText
        case .string: return Literal.string(value.string ?? "")
        case .optional(let wrapped): return value.isNull ? "nil" : expression(wrapped, value, parameter)
        case .array(let element) where Self.isPlain(names.resolved(element)):
            return "[" + (value.array ?? []).map { expression(element, $0, nil) }.joined(separator: ", ")
                + "]"
        default:
            if let open = names.openEnum(type), let known = open.cases.first(where: { $0.value == value }) {
                return "." + SwiftName.escaped(known.name)
            }
            if let parameter, Self.isLong(value) { return "try decoded(\(Self.constantName(parameter)))" }
            return "try decoded(\(Literal.raw(value.canonicalText)))"
        }
    }

    private static func isPlain(_ type: SwiftType) -> Bool {
        switch type {
        case .bool, .int, .int64, .uint64, .double, .string: true
        default: false
        }
    }

    private func emitRequest(
        _ operation: Operation, _ arguments: [(parameter: Parameter, value: JSONValue)],
        to source: inout Source
    ) {
        let expected = ExpectedRequest(operation, arguments: arguments, server: Self.server)
        var items: [Source.Item] = ["of: manager"]
        if !operation.arguments.isEmpty { items.append("with: try params()") }
        let method =
            ManagerEmitter.isNamed(operation.method)
            ? ".\(operation.method.lowercased())" : Literal.string(operation.method)
        items += [Source.Item(method), Source.Item(Literal.string(expected.url))]
        let constants = Dictionary(
            constants(operation, arguments).map { ($0.value.canonicalText, SwiftName.escaped($0.name)) },
            uniquingKeysWith: { first, _ in first })
        if !expected.query.isEmpty { items.append(Self.fields("query: ", expected.query, constants)) }
        if !expected.headers.isEmpty { items.append(Self.fields("headers: ", expected.headers, constants)) }
        if let body = Self.body(expected, operation, arguments, constants) { items.append(body) }
        source.list("await assertRequest(", items, ")")
    }

    /// - Parameter constants: JSON texts that are too long for a line, and where they stand.
    private static func fields(
        _ head: String, _ pairs: [(name: String, value: String)], _ constants: [String: String],
        _ tail: String = ""
    ) -> Source.Item {
        let elements = pairs.map { name, value in
            let text = constants[value].map { ".equal(try JSONValue(parsing: \($0)).canonicalText)" }
            return "\(Literal.string(name)): \(text ?? Literal.string(value))"
        }
        return Source.Item(head + "[", elements, "]" + tail)
    }

    private static func body(
        _ expected: ExpectedRequest, _ operation: Operation,
        _ arguments: [(parameter: Parameter, value: JSONValue)], _ constants: [String: String]
    ) -> Source.Item? {
        switch operation.body {
        case .raw?: return "body: .data(Data(\"bytes\".utf8))"
        case .multipart(let parts)?:
            let files = parts.map { ($0.wireName, "<\($0.wireName), \($0.contentType), 5 bytes>") }
            let all = expected.fields + files
            return all.isEmpty ? "body: .any" : fields("body: .multipart(", all, constants, ")")
        case nil: break
        }
        if let json = expected.json {
            let body = arguments.first { if case .json = $0.parameter.location { true } else { false } }
            let text = isLong(json) ? body.map { constantName($0.parameter) } : nil
            return "body: .json(try decoded(\(text ?? Literal.raw(json.canonicalText))))"
        }
        if let text = expected.text { return "body: .text(\(Literal.string(text)))" }
        return expected.fields.isEmpty ? nil : fields("body: .form(", expected.fields, constants, ")")
    }

    private func emitAnswer(_ operation: Operation, to source: inout Source) {
        let output = operation.output
        let status = output.status == 200 ? [] : ["status: \(output.status)"]
        let type =
            output.contentType.map {
                ["type: \(Literal.string($0.contains("*") ? "application/octet-stream" : $0))"]
            } ?? []
        let answer: (head: String, items: [String])
        switch output.kind {
        case .noContent: answer = (".status(", [String(output.status)])
        case .string: answer = (".text(", ["\"text\""] + type + status)
        case .data, .file: answer = (".data(", ["Data(\"bytes\".utf8)"] + type + status)
        case .events: answer = (".text(", ["\"data: text\\n\\n\"", "type: \"text/event-stream\""] + status)
        case .model:
            let value = answerValue(operation) ?? .null
            let text = Self.isLong(value) ? "answerText" : Literal.raw(value.canonicalText)
            answer = (".text(", [text, "type: \"application/json\""] + status)
        }
        source.list(
            "let answer = StubAnswer\(answer.head)", answer.items, ")")
        source.add("stubs.on(\(operation.managerName).self, answer: answer)")
        let with = operation.arguments.isEmpty ? "" : ", with: try params()"
        switch output.kind {
        case .string:
            source.block("await assertSucceeds(manager\(with))") { $0.add("XCTAssertEqual($0, \"text\")") }
        case .data:
            source.block("await assertSucceeds(manager\(with))") {
                $0.add("XCTAssertEqual($0, Data(\"bytes\".utf8))")
            }
        case .file:
            source.block("await assertSucceeds(manager\(with))") { $0.add("XCTAssertEqual($0.byteCount, 5)") }
        default: source.add("await assertSucceeds(manager\(with))")
        }
    }

    /// What all cases share.
    func emitSupport(
        _ services: [ServiceEmitter], hasUnions: Bool, hasPages: Bool, hasValues: Bool,
        to source: inout Source
    ) {
        source.add("import DiscreteNetworking")
        source.add("import Foundation")
        source.space()
        source.add("@testable import \(module)")
        source.space()
        for service in services {
            service.emitStub(to: &source)
            source.space()
        }
        source.documentation("A value from JSON text.")
        source.block("func decoded<Value: Decodable>(_ json: String) throws -> Value") {
            $0.add("try Params.makeDecoder().decode(Value.self, from: Data(json.utf8))")
        }
        if hasUnions {
            source.space()
            UnionTestEmitter.emitSupport(to: &source)
        }
        if hasValues {
            source.space()
            ValueTestEmitter.emitSupport(to: &source)
        }
        if hasPages {
            source.space()
            PageTestEmitter.emitSupport(to: &source)
        }
    }
}
