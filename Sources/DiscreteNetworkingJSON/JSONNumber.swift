public import Foundation

/// An exact JSON number, which preserves its literal.
///
/// `1.10` stays `1.10` and 18446744073709551615 is exact; conversion to `Double` is explicit. Numbers are
/// equal if their values are: `1`, `1.0` and `1e0` are equal.
public struct JSONNumber: Sendable {
    /// The literal (RFC 8259 section 6).
    public let literal: String

    /// Creates a number from a valid literal.
    init(unchecked literal: String) { self.literal = literal }

    /// Creates a number from an integer.
    public init(_ value: Int) { literal = String(value) }

    /// Creates a number from an integer of any width.
    public init(_ value: some BinaryInteger) { literal = String(value) }

    /// Creates a number from the shortest literal that converts back to the same `Double`, without a
    /// trailing `.0`: `0.1`, `2`, `1e+20`.
    ///
    /// Returns `nil` for NaN and infinities, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = Self.droppingZeroFraction(value.description)
    }

    /// Creates a number from the shortest literal that converts back to the same `Float`: `Float(0.1)` is
    /// `0.1`.
    ///
    /// Returns `nil` for NaN and infinities, which JSON does not have.
    public init?(_ value: Float) {
        guard value.isFinite else { return nil }
        literal = Self.droppingZeroFraction(value.description)
    }

    /// Creates a number from a decimal. `Decimal` does not preserve trailing zeros: 1.10 is `1.1`.
    ///
    /// Returns `nil` for NaN, which JSON does not have.
    public init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        literal = value.description
    }

    /// Creates a number from a literal; returns `nil` unless it is exactly one number of RFC 8259 section
    /// 6.
    ///
    /// ```swift
    /// JSONNumber(literal: "1.10")  // preserved
    /// JSONNumber(literal: "01")    // nil
    /// ```
    public init?(literal: String) {
        var text = literal
        let isNumber = text.withUTF8 { utf8 in
            var lexer = JSONLexer(JSONBytes(UnsafeRawBufferPointer(utf8)))
            return lexer.position == 0 && (try? lexer.scanNumber()) != nil && lexer.position == utf8.count
        }
        guard isNumber else { return nil }
        self.literal = literal
    }

    // JSONEncoder and JavaScript encode 2.0 as 2; signatures on both sides must match.
    private static func droppingZeroFraction(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    // MARK: Reading

    /// The value as `Int`; `nil` if it is not an integer or out of range. `1.0` and `1e0` are integers.
    public var int: Int? { int64.flatMap(Int.init(exactly:)) }

    /// The value as `Int64`; `nil` if it is not an integer or out of range. `1.0` and `1e0` are integers.
    public var int64: Int64? { Int64(literal) ?? NormalNumber(literal).plainInteger.flatMap { Int64($0) } }

    /// The value as `UInt64`; `nil` if it is not an integer or out of range. `1.0` and `1e0` are integers.
    public var uint64: UInt64? {
        UInt64(literal) ?? NormalNumber(literal).plainInteger.flatMap { UInt64($0) }
    }

    /// The nearest `Double`: infinity on overflow, zero on underflow.
    public var double: Double { Double(literal) ?? NormalNumber(literal).extremeDouble }

    /// The value as `Decimal`; `nil` if it is not representable exactly (up to 38 digits, exponents within
    /// -128…127).
    public var decimal: Decimal? {
        let normal = NormalNumber(literal)
        guard normal.digits.count <= 39, let exponent = Int(normal.exponent), (-165...165).contains(exponent),
            // Without a decimal point, so independent of the locale.
            let decimal = Decimal(string: "\(normal.sign)\(normal.digits)e\(exponent)"),
            JSONNumber(decimal) == self
        else { return nil }
        return decimal
    }
}

extension JSONNumber: Hashable {
    /// Returns whether the exact values are equal, regardless of notation.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.literal == right.literal { return true }
        if let left = Int64(left.literal), let right = Int64(right.literal) { return left == right }
        return NormalNumber(left.literal) == NormalNumber(right.literal)
    }

    /// Hashes the value, regardless of notation.
    public func hash(into hasher: inout Hasher) {
        if let int64 { hasher.combine(int64) } else { hasher.combine(NormalNumber(literal)) }
    }
}

// No float literals: `1.10` would be passed as the `Double` 1.1, losing its notation.
extension JSONNumber: ExpressibleByIntegerLiteral {
    /// Creates a number from an integer.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension JSONNumber: CustomStringConvertible {
    /// The literal.
    public var description: String { literal }
}

/// The normal form of a number: `sign digits × 10^exponent`, where the digits are an integer without
/// leading or trailing zeros (empty for zero).
///
/// Makes `==` and `hash(into:)` exact for every literal: `Decimal` is limited to 38 digits and an exponent
/// of 127, and distinct 64-bit integers may be equal as `Double`.
///
/// The exponent is text because it may have any length. Comparing `1e999999999999999999999` takes time
/// proportional to the literal's length, not its value.
private struct NormalNumber: Hashable {
    let sign: String
    let digits: String
    let exponent: String

    /// - Parameter literal: A valid number of RFC 8259 section 6.
    init(_ literal: String) {
        var digits: [UInt8] = []
        var exponentDigits: [UInt8] = []
        var isNegative = false
        var isExponentNegative = false
        var isExponent = false
        var isFraction = false
        var fractionCount = 0
        for byte in literal.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if isExponent { isExponentNegative = true } else { isNegative = true }
            case UInt8(ascii: "+"): break
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
            default:
                let digit = byte &- 0x30
                if isExponent {
                    if digit != 0 || !exponentDigits.isEmpty { exponentDigits.append(digit) }
                } else {
                    if digit != 0 || !digits.isEmpty { digits.append(digit) }
                    if isFraction { fractionCount += 1 }
                }
            }
        }
        var shift = -fractionCount
        while digits.last == 0 {
            digits.removeLast()
            shift += 1
        }
        if digits.isEmpty {
            (sign, self.digits, exponent) = ("", "", "0")
        } else {
            sign = isNegative ? "-" : ""
            self.digits = Self.text(digits)
            exponent = Self.exponent(exponentDigits, isNegative: isExponentNegative, plus: shift)
        }
    }

    /// The value in decimal digits; `nil` if it is not an integer of at most 20 digits, which covers all
    /// 64-bit integers.
    var plainInteger: String? {
        guard let exponent = Int(exponent), exponent >= 0, exponent <= 20, digits.count + exponent <= 20
        else {
            return nil
        }
        return digits.isEmpty ? "0" : sign + digits + String(repeating: "0", count: exponent)
    }

    /// The value as `Double` on overflow or underflow.
    var extremeDouble: Double {
        let magnitude = digits.isEmpty || exponent.hasPrefix("-") ? 0 : Double.infinity
        return sign.isEmpty ? magnitude : -magnitude
    }

    private static func text(_ digits: [UInt8]) -> String {
        String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    }

    private static func exponent(_ digits: [UInt8], isNegative: Bool, plus shift: Int) -> String {
        if digits.count <= 17 {
            let magnitude = digits.reduce(0 as Int64) { $0 * 10 + Int64($1) }
            return String((isNegative ? -magnitude : magnitude) + Int64(shift))
        }
        // With more than 17 digits, the shift, which is bounded by the length of the literal, cannot change
        // the sign.
        var digits = digits
        var carry = isNegative ? -shift : shift
        for index in digits.indices.reversed() where carry != 0 {
            let sum = Int(digits[index]) + carry
            let digit = (sum % 10 + 10) % 10
            digits[index] = UInt8(digit)
            carry = (sum - digit) / 10
        }
        let head = carry > 0 ? String(carry) : ""
        let tail = carry > 0 ? digits[...] : digits.drop { $0 == 0 }
        return (isNegative ? "-" : "") + head + text(Array(tail))
    }
}
