extension HTTPFields {
    /// The name of a header field: a token, whose case does not count (RFC 9110 section 5.1).
    ///
    /// ```swift
    /// request.headers["X-Partner"] = "mobile"
    /// request.headers[try HTTPFields.Name(validating: name)] = "mobile"    // a name that is known at run time
    /// ```
    /// A name is checked where it is made, so that none of another can be in a header.
    public struct Name: Sendable {
        /// The name, as written.
        public let rawName: String

        /// The name in lower case.
        public var canonicalName: String { rawName.lowercased() }

        /// A name that is known at run time.
        /// - Throws: ``InvalidRequest`` for a text that is not a token.
        public init(validating name: String) throws(InvalidRequest) {
            guard HTTPToken.isValid(name) else {
                throw InvalidRequest(
                    "The header name \(name.debugDescription) is not a token (RFC 9110 section 5.6.2); rename it."
                )
            }
            rawName = name
        }
    }
}

extension HTTPFields.Name: ExpressibleByStringLiteral {
    /// A name that stands in the source. One that is not a token stops the program: it is an error of the source.
    public init(stringLiteral name: StaticString) {
        rawName = name.description
        precondition(HTTPToken.isValid(rawName), "A header name has to be a token (RFC 9110 section 5.6.2)")
    }
}

extension HTTPFields.Name: Hashable {
    /// Whether the names are the same but for the case of ASCII letters.
    public static func == (left: Self, right: Self) -> Bool { HTTPToken.isSame(left.rawName, right.rawName) }

    /// Hashes the name in lower case.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
}

extension HTTPFields.Name: CustomStringConvertible {
    /// The name, as written.
    public var description: String { rawName }
}

/// The `token` of RFC 9110 section 5.6.2: what a method or a header's name is made of.
package enum HTTPToken {
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { allowed[Int($0)] }
    }

    /// Whether two tokens are the same but for the case of ASCII letters.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.utf8, right.utf8)
        return left.count == right.count && zip(left, right).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private static let allowed: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in "!#$%&'*+-.^_`|~".utf8 { table[Int(byte)] = true }
        for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { table[Int(byte)] = true }
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { table[Int(byte)] = true }
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { table[Int(byte)] = true }
        return table
    }()
}
