/// HTTP header fields (RFC 9110 section 5): ordered, with case-insensitive names and repeated fields.
///
/// ```swift
/// var headers: HTTPFields = ["Accept": "application/json"]
/// headers["accept"]                                  // "application/json"
/// headers.append("Set-Cookie", "a=1")
/// ```
public struct HTTPFields: Sendable {
    /// A field line.
    public struct Field: Sendable, Hashable {
        /// The field name.
        public var name: Name
        /// The field value.
        public var value: String

        /// Creates a field line. ``HTTPFields/validate()`` checks its value.
        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }

        /// Compares bytes: canonically equivalent strings are equal in Swift but differ on the wire.
        public static func == (left: Field, right: Field) -> Bool {
            left.name.rawName.utf8.elementsEqual(right.name.rawName.utf8)
                && left.value.utf8.elementsEqual(right.value.utf8)
        }
    }

    private static let setCookie: Name = "Set-Cookie"

    private var fields: [Field]

    /// Creates fields in the given order.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// Creates fields in alphabetical order of their names.
    /// - Throws: ``InvalidRequestError`` if a name is not a token.
    public init(validating dictionary: [String: String]) throws(InvalidRequestError) {
        fields = []
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            append(try Name(validating: name), value)
        }
    }

    /// The values of a name, joined by `", "` (RFC 9110 section 5.3); `nil` if there are none. Values of `Set-Cookie`
    /// cannot be joined; for it, this is the first one. Setting a value replaces all fields of the name in place;
    /// setting `nil` removes them.
    public subscript(name: Name) -> String? {
        get {
            guard let first = index(of: name) else { return nil }
            guard index(of: name, from: first + 1) != nil, name != Self.setCookie else {
                return fields[first].value
            }
            return values(of: name).joined(separator: ", ")
        }
        set {
            guard let first = index(of: name) else {
                if let newValue { fields.append(Field(name: name, value: newValue)) }
                return
            }
            if let newValue { fields[first] = Field(name: name, value: newValue) }
            let kept = newValue == nil ? first : first + 1
            var index = 0
            fields.removeAll { field in
                defer { index += 1 }
                return index >= kept && field.name == name
            }
        }
    }

    /// Returns all values of a name, in order.
    public func values(of name: Name) -> [String] {
        var values: [String] = []
        var next = index(of: name)
        while let index = next {
            values.append(fields[index].value)
            next = self.index(of: name, from: index + 1)
        }
        return values
    }

    /// Returns the first index of a name, from an index on; `nil` if there is none.
    ///
    /// Looks at the fields in their place: a closure that gets each field would copy two strings of it.
    private func index(of name: Name, from start: Int = 0) -> Int? {
        for index in start..<fields.count where HTTPToken.isSame(fields[index].name.rawName, name.rawName) {
            return index
        }
        return nil
    }

    /// Appends a field, keeping existing ones of the same name.
    public mutating func append(_ name: Name, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Reserves memory for a number of fields.
    package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

    /// Merges other fields, replacing existing ones of the same names.
    public mutating func merge(_ other: HTTPFields) {
        guard !fields.isEmpty else {
            fields = other.fields
            return
        }
        guard !other.fields.isEmpty else { return }
        if other.fields.count <= 16 {
            // Comparing a few names costs less than hashing them.
            fields.removeAll { field in other.fields.contains { $0.name == field.name } }
        } else {
            let names = Set(other.fields.map(\.name))
            fields.removeAll { names.contains($0.name) }
        }
        fields += other.fields
    }

    /// Checks that the values are valid field values (RFC 9110 section 5.5), without CR, LF, NUL or other control
    /// characters except tab.
    /// - Throws: ``InvalidRequestError`` naming the field, never its value.
    public func validate() throws(InvalidRequestError) {
        for field in fields {
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw InvalidRequestError(
                    "The value of the header \(field.name) contains a control character such as a line break; remove it."
                )
            }
        }
    }
}

extension HTTPFields: SecretBearing {
    /// The fields with secret values redacted; see ``Redaction/standard``.
    public var description: String { map(\.description).description }
}

extension HTTPFields.Field: SecretBearing {
    /// `name: value`, with a secret value redacted; see ``Redaction/standard``.
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
    /// Creates fields in the order of the literal.
    public init(dictionaryLiteral elements: (Name, String)...) {
        self.init(elements.map(Field.init))
    }
}

extension HTTPFields: Hashable {
    /// Compares names case-insensitively and values by their bytes; the order matters.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy {
                $0.name == $1.name && $0.value.utf8.elementsEqual($1.value.utf8)
            }
    }

    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name)
            hasher.combine(Array(field.value.utf8))
        }
    }
}
