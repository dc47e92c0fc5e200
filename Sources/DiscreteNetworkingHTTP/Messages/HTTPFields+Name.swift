extension HTTPFields {
    /// The name of a header field: a case-insensitive token (RFC 9110 section 5.1).
    ///
    /// ```swift
    /// request.headers["X-Partner"] = "mobile"
    /// // A name that is known only at run time.
    /// request.headers[try HTTPFields.Name(validating: name)] = "mobile"
    /// ```
    /// Names are validated on creation, so a header never has an invalid name.
    public struct Name: Sendable {
        /// The name in its original case.
        public let rawName: String

        /// The name in lowercase.
        public var canonicalName: String { rawName.lowercased() }

        /// Creates a name from a string known only at run time.
        /// - Throws: ``InvalidRequestError`` if the string is not a token.
        public init(validating name: String) throws(InvalidRequestError) {
            guard HTTPToken.isValid(name) else {
                throw InvalidRequestError(
                    "The header name \(name.debugDescription) is not a token (RFC 9110 section 5.6.2); rename it."
                )
            }
            rawName = name
        }

        /// Creates a name from the bytes of a field line; `nil` if they are not a token.
        package init?(bytes: UnsafeBufferPointer<UInt8>) {
            guard HTTPToken.isValid(bytes) else { return nil }
            rawName = String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension HTTPFields.Name: ExpressibleByStringLiteral {
    /// Creates a name from a literal. A literal that is not a token is a programming error and stops the
    /// program.
    public init(stringLiteral name: StaticString) {
        rawName = name.description
        precondition(HTTPToken.isValid(rawName), "A header name has to be a token (RFC 9110 section 5.6.2)")
    }
}

extension HTTPFields.Name: Hashable {
    /// Compares names case-insensitively, for ASCII letters.
    public static func == (left: Self, right: Self) -> Bool { HTTPToken.isSame(left.rawName, right.rawName) }

    /// Hashes the lowercase name.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
}

extension HTTPFields.Name: CustomStringConvertible {
    /// The name in its original case.
    public var description: String { rawName }
}

/// The `token` of RFC 9110 section 5.6.2: the syntax of methods and field names.
package enum HTTPToken {
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isAllowed)
    }

    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isAllowed)
    }

    /// Compares two tokens case-insensitively, for ASCII letters.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        let isSame = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                left.indices.allSatisfy { lowercase(left[$0]) == lowercase(right[$0]) }
            }
        }
        // A bridged string has no bytes in a row.
        return (isSame ?? nil) ?? zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
