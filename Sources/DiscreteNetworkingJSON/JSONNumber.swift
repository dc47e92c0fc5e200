import Foundation

/// A JSON number, exact: it keeps the literal it was made from.
///
/// `1.10` stays `1.10`, 18446744073709551615 stays itself, and nothing passes through `Double` unless asked
/// to. Numbers are equal when their values are: `1`, `1.0` and `1e0` are one number with three literals.
public struct JSONNumber: Sendable {
    /// The number as RFC 8259 section 6 writes it.
    public let literal: String

    /// A literal already known to be a number.
    init(unchecked literal: String) { self.literal = literal }

    /// The number in decimal digits.
    public init(_ value: Int) { literal = String(value) }

    /// The number in decimal digits, whatever the width of the integer.
    public init(_ value: some BinaryInteger) { literal = String(value) }

    /// The shortest text that reads back as the same `Double`, without a trailing `.0`: `0.1`, `2`, `1e+20`.
    ///
    /// Nil for NaN and the infinities, which JSON cannot write.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = Self.droppingZeroFraction(value.description)
    }

    /// The shortest text that reads back as the same `Float`: `Float(0.1)` is `0.1`.
    ///
    /// Nil for NaN and the infinities, which JSON cannot write.
    public init?(_ value: Float) {
        guard value.isFinite else { return nil }
        literal = Self.droppingZeroFraction(value.description)
    }

    /// The decimal in full. `Decimal` itself does not keep trailing zeros: 1.10 is `1.1`.
    ///
    /// Nil for NaN, which JSON cannot write.
    public init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        literal = value.description
    }

    /// The number with this literal, or nil if the text is not exactly one number of RFC 8259 section 6.
    ///
    /// ```swift
    /// JSONNumber(literal: "1.10")  // kept as written
    /// JSONNumber(literal: "01")    // nil
    /// ```
    public init?(literal: String) {
        let bytes = [UInt8](literal.utf8)
        var lexer = JSONLexer(bytes)
        guard let range = try? lexer.scanNumber(), range == 0..<bytes.count else { return nil }
        self.literal = literal
    }

    // JSONEncoder and JavaScript write 2.0 as 2; signatures made on both sides must agree.
    private static func droppingZeroFraction(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    // MARK: Reading

    /// The value, if it is an integer that fits; `1.0` and `1e0` are integers.
    public var int: Int? { int64.flatMap(Int.init(exactly:)) }

    /// The value, if it is an integer that fits; `1.0` and `1e0` are integers.
    public var int64: Int64? { Int64(literal) ?? NormalNumber(literal).plainInteger.flatMap { Int64($0) } }

    /// The value, if it is an integer that fits; `1.0` and `1e0` are integers.
    public var uint64: UInt64? {
        UInt64(literal) ?? NormalNumber(literal).plainInteger.flatMap { UInt64($0) }
    }

    /// The nearest `Double`: infinite where the value is past its range, zero where it is too small.
    public var double: Double { Double(literal) ?? NormalNumber(literal).extremeDouble }

    /// The value, if `Decimal` holds it exactly: up to 38 digits, exponents within -128…127.
    public var decimal: Decimal? {
        let normal = NormalNumber(literal)
        guard normal.digits.count <= 39, let exponent = Int(normal.exponent), (-165...165).contains(exponent),
            // No decimal point in the text, so no locale can misread it.
            let decimal = Decimal(string: "\(normal.sign)\(normal.digits)e\(exponent)"),
            JSONNumber(decimal) == self
        else { return nil }
        return decimal
    }
}

extension JSONNumber: Hashable {
    /// Whether the values are equal, exactly, however they are written.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.literal == right.literal { return true }
        if let left = Int64(left.literal), let right = Int64(right.literal) { return left == right }
        return NormalNumber(left.literal) == NormalNumber(right.literal)
    }

    /// Hashes the value, so that equal numbers hash alike however they are written.
    public func hash(into hasher: inout Hasher) {
        if let int64 { hasher.combine(int64) } else { hasher.combine(NormalNumber(literal)) }
    }
}

// No float literals: `1.10` would arrive as the `Double` 1.1, which is what this type is there to avoid.
extension JSONNumber: ExpressibleByIntegerLiteral {
    /// The number in decimal digits.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension JSONNumber: CustomStringConvertible {
    /// The literal.
    public var description: String { literal }
}

/// The one form that all literals of a value share: `sign digits × 10^exponent`, where the digits are an
/// integer without leading or trailing zeros (empty for zero).
///
/// It makes `==` and `hash(into:)` exact for every literal: `Decimal` ends at 38 digits and an exponent of 127, and
/// `Double` takes two 64-bit identifiers for one.
///
/// The exponent is text because a literal may have an exponent of any length; it is worked with digit by
/// digit, so that comparing `1e999999999999999999999` costs its length and never its value.
private struct NormalNumber: Hashable {
    let sign: String
    let digits: String
    let exponent: String

    /// - Parameter literal: A number of RFC 8259 section 6; nothing else may be passed.
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

    /// The value in plain digits if it is an integer of at most 20 digits, as all 64-bit integers are.
    var plainInteger: String? {
        guard let exponent = Int(exponent), exponent >= 0, exponent <= 20, digits.count + exponent <= 20
        else {
            return nil
        }
        return digits.isEmpty ? "0" : sign + digits + String(repeating: "0", count: exponent)
    }

    /// The value as a `Double` for a literal that `Double` does not read: too large or too small.
    var extremeDouble: Double {
        let magnitude = digits.isEmpty || exponent.hasPrefix("-") ? 0 : Double.infinity
        return sign.isEmpty ? magnitude : -magnitude
    }

    private static func text(_ digits: [UInt8]) -> String {
        String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    }

    private static func exponent(_ digits: [UInt8], isNegative: Bool, plus shift: Int) -> String {
        if digits.count <= 17 {
            let magnitude = digits.reduce(0) { $0 * 10 + Int($1) }
            return String((isNegative ? -magnitude : magnitude) + shift)
        }
        // Past 17 digits the shift, bounded by the length of the literal, cannot turn the sign.
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
