/// The one form that all literals of a value share: `sign digits × 10^exponent`, where the digits are an
/// integer without leading or trailing zeros (empty for zero).
///
/// The exponent is text because a literal may have an exponent of any length; it is worked with digit by
/// digit, so that comparing `1e999999999999999999999` costs its length and never its value.
struct NormalNumber: Hashable {
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
