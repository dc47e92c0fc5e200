import DiscreteNetworkingJSON
import Foundation

/// The request that a manager has to send for given arguments, worked out from the description alone.
struct ExpectedRequest {
    var url: String
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var fields: [(name: String, value: String)] = []
    var json: JSONValue?
    var text: String?

    init(_ operation: Operation, arguments: [(parameter: Parameter, value: JSONValue)], server: String) {
        let name = PathText(operation.methodName)
        var path = name.path
        query = name.pairs
        var cookies: [String] = []
        json = nil
        for (parameter, value) in arguments.sorted(by: { $0.parameter.key < $1.parameter.key }) {
            let pairs = Self.pairs(parameter, value)
            switch parameter.location {
            case .path:
                for end in parameter.mayBeEmpty ? ["=}", "}"] : ["}"] {
                    path = path.replacingOccurrences(
                        of: "{\(parameter.wireName)\(end)", with: Self.encoded(Self.joined(parameter, value)))
                }
            case .query: query += pairs
            case .header: headers.append((parameter.wireName, Self.joined(parameter, value)))
            case .cookie: cookies += pairs.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
            case .field: fields += pairs
            case .json: json = value
            case .text: text = value.string
            }
        }
        if !cookies.isEmpty { headers.append(("Cookie", cookies.joined(separator: "; "))) }
        url = path.isEmpty ? server : server + "/" + Self.escapedPath(path)
    }

    private static func joined(_ parameter: Parameter, _ value: JSONValue) -> String {
        switch value {
        case .array(let elements): elements.map(text).joined(separator: ",")
        case .object(let members):
            members.sorted { $0.key < $1.key }
                .map { parameter.explodes ? "\($0.key)=\(text($0.value))" : "\($0.key),\(text($0.value))" }
                .joined(separator: ",")
        default: text(value)
        }
    }

    private static func pairs(_ parameter: Parameter, _ value: JSONValue) -> [(name: String, value: String)] {
        let name = parameter.wireName
        let (style, isField) =
            switch parameter.location {
            case .query(let style): (style, false)
            case .field(let style): (style, true)
            default: (Parameter.Style.form, false)
            }
        switch (value, style) {
        case (_, .json): return [(name, value.canonicalText)]
        case (_, .deepObject): return deep(name, value, hasIndexes: !parameter.hasBracketArrays)
        case (.object, _) where isField: return [(name, value.canonicalText)]
        case (.object(let members), _) where parameter.explodes && parameter.location != .cookie:
            return members.sorted { $0.key < $1.key }.flatMap { key, value -> [(String, String)] in
                if case .array(let elements) = value { return elements.map { (key, text($0)) } }
                if case .object(let inner) = value {
                    return inner.sorted { $0.key < $1.key }.map { ($0.key, text($0.value)) }
                }
                return [(key, text(value))]
            }
        case (.array(let elements), _)
        where parameter.explodes && parameter.location != .cookie:
            return elements.map { (name, text($0)) }
        case (.array([]), _), (.object([:]), _): return []
        case (.array(let elements), _):
            return [(name, elements.map(text).joined(separator: separator(style)))]
        case (.object(let members), _):
            let texts = members.sorted { $0.key < $1.key }.flatMap { [$0.key, text($0.value)] }
            return [(name, texts.joined(separator: separator(style)))]
        default: return [(name, text(value))]
        }
    }

    /// `name[member][member]`, `name[]` for the elements of an array, `name[0]` for objects in it.
    private static func deep(
        _ name: String, _ value: JSONValue, hasIndexes: Bool
    ) -> [(name: String, value: String)] {
        switch value {
        case .null: return []
        case .array(let elements):
            let isDeep = elements.contains { $0.array != nil || $0.object != nil }
            return elements.enumerated().flatMap { index, element in
                deep(
                    isDeep && hasIndexes ? "\(name)[\(index)]" : "\(name)[]", element, hasIndexes: hasIndexes)
            }
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap {
                deep("\(name)[\($0.key)]", $0.value, hasIndexes: hasIndexes)
            }
        default: return [(name, text(value))]
        }
    }

    private static func separator(_ style: Parameter.Style) -> String {
        switch style {
        case .spaceDelimited: " "
        case .pipeDelimited: "|"
        case .tabDelimited: "\t"
        default: ","
        }
    }

    private static func text(_ value: JSONValue) -> String {
        // An argument is a `Double`, which has no `0.0` and no `1.50`; a `Decimal` may have more digits than that.
        if case .number(let number) = value, number.literal.contains(where: ".eE".contains),
            number.literal.utf8.count <= 17, let shortest = JSONNumber(number.double)
        {
            return shortest.literal
        }
        return value.string ?? value.canonicalText
    }

    // MARK: Percent-encoding (RFC 3986)

    static func encoded(_ text: String) -> String { encoded(text, keeping: "-._~") }

    private static func encoded(_ text: String, keeping kept: String) -> String {
        text.utf8.map { byte -> String in
            let scalar = Unicode.Scalar(byte)
            let isKept =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar
                    || kept.unicodeScalars.contains(scalar))
            let hex = String(byte, radix: 16, uppercase: true)
            return isKept ? String(scalar) : "%" + (hex.count < 2 ? "0" : "") + hex
        }
        .joined()
    }

    /// Values are encoded by now; what else a path may not hold is encoded here.
    private static func escapedPath(_ path: String) -> String {
        encoded(path, keeping: "-._~!$&'()*+,;=:@/%")
    }
}
