public import DiscreteNetworkingCore
import Foundation

/// The type of a field's value. Integers are distinguished from other numbers by their literals.
public enum JSONType: String, Sendable, Hashable, CaseIterable {
    /// An object.
    case object
    /// An array.
    case array
    /// A string.
    case string
    /// A number without a fraction or an exponent.
    case integer
    /// Any number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`.
    case null

    /// Determines the type of a value.
    public init(of value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .boolean
            case .number(let number): number.literal.contains { ".eE".contains($0) } ? .number : .integer
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }
}

extension Set<JSONType> {
    /// Whether a type is expected; integers are numbers.
    func admits(_ type: JSONType) -> Bool { contains(type) || type == .integer && contains(.number) }

    /// The types without integers if they include numbers.
    var simplified: Self { contains(.number) ? subtracting([.integer]) : self }

    /// The types in words, such as `string or null`.
    var text: String {
        JSONType.allCases.filter(contains).map(\.rawValue).joined(separator: " or ")
    }
}

/// A common format of all strings of a field.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum StringFormat: String, Sendable, Hashable, CaseIterable {
    /// RFC 3339, such as `2026-11-21T10:00:00Z`.
    case dateTime = "date-time"
    /// RFC 3339's full-date, such as `2026-11-21`.
    case date
    /// RFC 9562, such as `0f8fad5b-d9cb-469f-a165-70867728950e`.
    case uuid
    /// An absolute URL with `http` or `https`.
    case url

    /// Determines the format of a text; returns `nil` if it has none.
    public init?(of text: String) {
        let bytes = Array(text.utf8)
        if bytes.count == 36, UUID(uuidString: text) != nil {
            self = .uuid
        } else if Self.matches(bytes, "0000-00-00") {
            self = .date
        } else if bytes.count >= 20, Self.matches(Array(bytes.prefix(19)), "0000-00-00T00:00:00"),
            Self.isZone(bytes.dropFirst(19))
        {
            self = .dateTime
        } else if text.hasPrefix("https://") || text.hasPrefix("http://"),
            URL(string: text)?.host?.isEmpty == false
        {
            self = .url
        } else {
            return nil
        }
    }

    /// An example string.
    var example: String {
        switch self {
        case .dateTime: "2026-01-01T00:00:00Z"
        case .date: "2026-01-01"
        case .uuid: "0f8fad5b-d9cb-469f-a165-70867728950e"
        case .url: "https://example.com/"
        }
    }

    /// A `0` in the pattern matches any digit.
    private static func matches(_ bytes: [UInt8], _ pattern: String) -> Bool {
        bytes.count == pattern.utf8.count
            && zip(bytes, pattern.utf8).allSatisfy { byte, expected in
                expected == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == expected
            }
    }

    /// Whether the bytes are an optional fraction and an offset.
    private static func isZone(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(1 + digits.count)
        }
        return rest.elementsEqual("Z".utf8) || matches(Array(rest), "+00:00")
            || matches(Array(rest), "-00:00")
    }
}
