/// Header fields (RFC 9110 section 5): in order, names without regard to case, duplicates kept.
///
/// ```swift
/// var headers: HTTPFields = ["Accept": "application/json"]
/// headers["accept"]                                  // "application/json"
/// headers.append("Set-Cookie", "a=1")
/// ```
public struct HTTPFields: Sendable {
    /// One line of a header.
    public struct Field: Sendable, Hashable {
        /// The name, as written.
        public var name: String
        /// The value, as written.
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// The bytes are compared: strings that are canonically equivalent, and so equal in Swift, may not be the
        /// same on the wire.
        public static func == (left: Field, right: Field) -> Bool {
            left.name.utf8.elementsEqual(right.name.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
        }
    }

    private var fields: [Field]

    /// Fields in the order given.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// Fields in alphabetical order of their names.
    public init(_ dictionary: [String: String]) {
        fields = dictionary.sorted { $0.key < $1.key }.map(Field.init)
    }

    /// All values of a name, joined by `", "` (RFC 9110 section 5.3); `nil` where there is none. Of
    /// `Set-Cookie`, whose values cannot be joined, the first. Setting replaces all of that name, in
    /// place; setting `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            let values = values(of: name)
            guard values.count > 1, !Self.isSame(name, "Set-Cookie") else { return values.first }
            return values.joined(separator: ", ")
        }
        set {
            let first = fields.firstIndex { Self.isSame($0.name, name) }
            guard let first else {
                if let newValue { fields.append(Field(name: name, value: newValue)) }
                return
            }
            if let newValue { fields[first] = Field(name: name, value: newValue) }
            let kept = newValue == nil ? first : first + 1
            var index = 0
            fields.removeAll { field in
                defer { index += 1 }
                return index >= kept && Self.isSame(field.name, name)
            }
        }
    }

    /// Every value of a name, in order.
    public func values(of name: String) -> [String] {
        fields.lazy.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Adds a line, even where the name is there already.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Takes over every name of the other, in place of its own lines of that name.
    public mutating func merge(_ other: HTTPFields) {
        guard !fields.isEmpty else {
            fields = other.fields
            return
        }
        let names = Set(other.fields.map { Self.key($0.name) })
        fields.removeAll { names.contains(Self.key($0.name)) }
        fields += other.fields
    }

    /// Checks that the lines can go on the wire (RFC 9110 sections 5.1 and 5.5): a name is a token; a
    /// value has no CR, LF, NUL or other control character but tab.
    /// - Throws: ``InvalidRequest`` naming the header, never its value.
    public func validate() throws(InvalidRequest) {
        for field in fields {
            guard HTTPToken.isValid(field.name) else {
                throw InvalidRequest(
                    "The header name \(field.name.debugDescription) is not a token (RFC 9110 section 5.6.2); rename it."
                )
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw InvalidRequest(
                    "The value of the header \(field.name) has a control character such as a line break; remove it."
                )
            }
        }
    }

    /// Whether two names are the same but for the case of ASCII letters.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.utf8, right.utf8)
        return left.count == right.count && zip(left, right).allSatisfy { lowercase($0) == lowercase($1) }
    }

    /// What is equal for names that are the same. Bytes, because hashing a string of combining marks normalizes it.
    private static func key(_ name: String) -> [UInt8] { name.utf8.map(lowercase) }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension HTTPFields: SecretBearing {
    /// The fields with secret values hidden; see ``Redaction/standard``.
    public var description: String { map(\.description).description }
}

extension HTTPFields.Field: SecretBearing {
    /// `name: value`, a secret value hidden; see ``Redaction/standard``.
    public var description: String {
        Redaction.standard.redacted(HTTPFields([self])).map { "\($0.name): \($0.value)" }.joined()
    }
}

extension HTTPFields: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map(Field.init))
    }
}

extension HTTPFields: Hashable {
    /// Names are compared without regard to case, values by their bytes; the order counts.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy {
                isSame($0.name, $1.name) && $0.value.utf8.elementsEqual($1.value.utf8)
            }
    }

    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(Self.key(field.name))
            hasher.combine(Array(field.value.utf8))
        }
    }
}
