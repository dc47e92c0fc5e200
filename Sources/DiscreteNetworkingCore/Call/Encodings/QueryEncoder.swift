import Foundation

/// Encodes params as `name=value` pairs, for a query or a form body.
///
/// ```swift
/// let encoder = QueryEncoder(arrays: .repeated, booleans: .numeric)
/// encoder.encode(["tag": ["a", "b"], "on": true])   // "on=1&tag=a&tag=b"
/// ```
///
/// | server | arrays | nested keys |
/// |---|---|---|
/// | PHP, Stripe | `.brackets` (default) | `.brackets` (default) |
/// | Rails | `.brackets`, with `objectArrays: .brackets` | `.brackets` |
/// | FastAPI, Flask, Go `net/url`, Express `querystring` | `.repeated` | none |
/// | Spring, ASP.NET | `.repeated`, or `.indexed` for lists of objects | `.dots` |
/// | backends that split texts at commas | `.commaSeparated` | none |
///
/// A service gives it in ``Service/encoding(for:)``, a manager in ``BaseAPIManager/encoding``: `.query(encoder)` or
/// `.form(encoder)`.
///
/// Pairs go by the UTF-8 bytes of their names, so the same params give the same text each time. Only
/// unreserved characters (RFC 3986 section 2.3) stay as they are; brackets are encoded too. A `null`, an
/// empty array and an empty object have no pair.
///
/// Objects in arrays have indexes, because `a[][x]=1&a[][y]=2` is two objects for PHP and one for Rails. To send them
/// without, set ``objectArrays``.
public struct QueryEncoder: Sendable, Hashable {
    /// The encoding of arrays.
    public enum Arrays: Sendable, Hashable {
        /// `a[]=1&a[]=2`; objects and arrays inside an array as ``ObjectArrays`` has them.
        case brackets
        /// `a=1&a=2`
        case repeated
        /// `a=1,2`. A comma in an element is percent-encoded; an element that is an array or an object is
        /// encoded as JSON.
        case commaSeparated
        /// `a[0]=1&a[1]=2`
        case indexed
    }

    /// The encoding of arrays that contain objects or arrays, with ``Arrays/brackets``.
    public enum ObjectArrays: Sendable, Hashable {
        /// `a[0][x]=1&a[1][x]=2`: PHP, Express, Stripe
        case indexed
        /// `a[][x]=1&a[][x]=2`: Rails
        case brackets
    }

    /// The encoding of Booleans.
    public enum Booleans: Sendable, Hashable {
        /// `true`, `false`
        case literal
        /// `1`, `0`
        case numeric
    }

    /// The encoding of keys in nested objects.
    public enum NestedKeys: Sendable, Hashable {
        /// `a[b]=1`
        case brackets
        /// `a.b=1`
        case dots
    }

    /// The encoding of spaces.
    public enum Spaces: Sendable, Hashable {
        /// `%20` (RFC 3986)
        case percent
        /// `+` (`application/x-www-form-urlencoded`)
        case plus
    }

    /// The encoding of arrays. Default: brackets.
    public var arrays: Arrays
    /// The encoding of arrays that contain objects or arrays. Default: indexed.
    public var objectArrays: ObjectArrays
    /// The encoding of Booleans. Default: literals.
    public var booleans: Booleans
    /// The encoding of keys in nested objects. Default: brackets.
    public var nestedKeys: NestedKeys
    /// The encoding of spaces. Default: `%20`.
    public var spaces: Spaces

    /// Creates an encoder.
    public init(
        arrays: Arrays = .brackets, booleans: Booleans = .literal, nestedKeys: NestedKeys = .brackets,
        spaces: Spaces = .percent, objectArrays: ObjectArrays = .indexed
    ) {
        self.arrays = arrays
        self.objectArrays = objectArrays
        self.booleans = booleans
        self.nestedKeys = nestedKeys
        self.spaces = spaces
    }

    /// Returns the pairs, joined by `&`.
    public func encode(_ params: Params) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(params.count * 24)
        for name in params.names {
            guard let value = params[name] else { continue }
            var key: [UInt8] = []
            append(name, to: &key)
            encode(value, key: key, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the same pairs without percent-encoding.
    func pairs(of params: Params) -> [(name: String, value: String)] {
        var encoder = self
        encoder.spaces = .percent
        return encoder.encode(params).split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentEncoding.text($0.utf8) }
            return (parts[0], parts[1])
        }
    }

    private func encode(_ value: JSONValue, key: [UInt8], to output: inout [UInt8]) {
        switch value {
        case .null: return
        case .array(let elements): encode(elements, key: key, to: &output)
        case .object(let members):
            for name in JSONWriter.sorted(members.keys) {
                encode(members[name] ?? .null, key: key + nested(name), to: &output)
            }
        default:
            beginPair(key: key, in: &output)
            append(scalar(value), to: &output)
        }
    }

    private func encode(_ elements: [JSONValue], key: [UInt8], to output: inout [UInt8]) {
        switch arrays {
        case .brackets where objectArrays == .indexed && elements.contains(where: \.isContainer):
            for (index, element) in elements.enumerated() {
                encode(element, key: Self.key(key, index), to: &output)
            }
        case .brackets:
            for element in elements { encode(element, key: key + Self.open + Self.close, to: &output) }
        case .repeated:
            for element in elements { encode(element, key: key, to: &output) }
        case .indexed:
            for (index, element) in elements.enumerated() {
                encode(element, key: Self.key(key, index), to: &output)
            }
        case .commaSeparated:
            let present = elements.filter { !$0.isNull }
            guard !present.isEmpty else { return }
            beginPair(key: key, in: &output)
            for (index, element) in present.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                append(scalar(element), to: &output)
            }
        }
    }

    private static func key(_ key: [UInt8], _ index: Int) -> [UInt8] {
        key + open + Array(String(index).utf8) + close
    }

    private func nested(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = nestedKeys == .brackets ? Self.open : [UInt8(ascii: ".")]
        append(name, to: &bytes)
        if nestedKeys == .brackets { bytes += Self.close }
        return bytes
    }

    private func beginPair(key: [UInt8], in output: inout [UInt8]) {
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        output += key
        output.append(UInt8(ascii: "="))
    }

    private func scalar(_ value: JSONValue) -> String {
        switch value {
        case .string(let string): string
        case .number(let number): number.literal
        case .bool(let bool): booleans == .literal ? (bool ? "true" : "false") : (bool ? "1" : "0")
        case .null, .array, .object: value.canonicalText
        }
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        PercentEncoding.unreserved.append(text, to: &bytes, spacesAsPlus: spaces == .plus)
    }

    private static let open = Array("%5B".utf8)
    private static let close = Array("%5D".utf8)
}

extension JSONValue {
    /// Whether it is an array or an object.
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }
}
