import Foundation

// The values of numbers that a scan has found to be valid.
extension JSONBytes {
    /// Returns the index after a number.
    func endOfNumber(at start: Int) -> Int {
        var index = start
        while true {
            switch self[index] {
            case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                index += 1
            default: return index
            }
        }
    }

    /// Returns an integer without fraction and exponent; `nil` if it does not fit.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, at start: Int) -> T? {
        let isNegative = self[start] == UInt8(ascii: "-")
        var index = isNegative ? start + 1 : start
        var magnitude: UInt64 = 0
        let first = index
        while self[index] &- 0x30 < 10 {
            let digit = UInt64(self[index] &- 0x30)
            // 19 digits always fit.
            if index - first >= 19 {
                let (product, isLarge) = magnitude.multipliedReportingOverflow(by: 10)
                let (sum, isLarger) = product.addingReportingOverflow(digit)
                if isLarge || isLarger { return nil }
                magnitude = sum
            } else {
                magnitude = magnitude &* 10 &+ digit
            }
            index += 1
        }
        if !isNegative { return T(exactly: magnitude) }
        // -0 as an unsigned integer is left to `JSONDecoder`.
        guard T.isSigned, magnitude <= 1 << 63 else { return nil }
        return T(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// Returns the nearest `Double` or `Float` of a number; `nil` if it is not certain.
    ///
    /// Exact by integer arithmetic for up to 19 digits and powers of ten from -27; other numbers are left to the standard
    /// library where it rounds as `strtod` does: for `Double`, without overflow and underflow.
    @inline(__always)
    func float<T: BinaryFloatingPoint & LosslessStringConvertible>(_ type: T.Type, at start: Int) -> T? {
        if let decimal = DecimalNumber(self, at: start), let value = decimal.nearest(type) { return value }
        return roundedFloat(type, at: start)
    }

    @inline(never)
    private func roundedFloat<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type, at start: Int
    ) -> T? {
        guard type == Double.self, let value = T(text(start..<endOfNumber(at: start))), value.isNormal else {
            return nil
        }
        return value
    }
}

/// `±digits × 10^exponent`.
private struct DecimalNumber {
    let isNegative: Bool
    let digits: UInt64
    let exponent: Int

    /// Returns `nil` for more than 19 digits, and for an exponent with more than four.
    @inline(__always)
    init?(_ bytes: JSONBytes, at start: Int) {
        isNegative = bytes[start] == UInt8(ascii: "-")
        var index = isNegative ? start + 1 : start
        var digits: UInt64 = 0
        let first = index
        while bytes[index] &- 0x30 < 10 {
            digits = digits &* 10 &+ UInt64(bytes[index] &- 0x30)
            index += 1
        }
        var count = index - first
        var exponent = 0
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fraction = index
            while bytes[index] &- 0x30 < 10 {
                digits = digits &* 10 &+ UInt64(bytes[index] &- 0x30)
                index += 1
            }
            exponent = fraction - index
            count -= exponent
        }
        // More may have overflowed.
        guard count <= 19 else { return nil }
        if bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            let isSmall = bytes[index] == UInt8(ascii: "-")
            if isSmall || bytes[index] == UInt8(ascii: "+") { index += 1 }
            let first = index
            var power = 0
            while bytes[index] &- 0x30 < 10 {
                guard index - first < 4 else { return nil }
                power = power * 10 + Int(bytes[index] &- 0x30)
                index += 1
            }
            exponent += isSmall ? -power : power
            // `JSONDecoder` rejects some of these, such as 0e9.
            guard digits != 0 else { return nil }
        }
        self.digits = digits
        self.exponent = exponent
    }

    private static let powersOfTen: [UInt64] = powers(of: 10, 20)
    /// Up to 5^27, the largest in 64 bits.
    private static let powersOfFive: [UInt64] = powers(of: 5, 28)

    private static func powers(of base: UInt64, _ count: Int) -> [UInt64] {
        (0..<count).map { (0..<$0).reduce(1) { power, _ in power * base } }
    }

    @inline(__always)
    func nearest<T: BinaryFloatingPoint>(_ type: T.Type) -> T? {
        if digits == 0 { return isNegative ? -T.zero : T.zero }
        let magnitude: T
        if exponent == 0 {
            magnitude = T(digits)
        } else if exponent > 0 {
            guard exponent < Self.powersOfTen.count else { return nil }
            let (product, isLarge) = digits.multipliedReportingOverflow(by: Self.powersOfTen[exponent])
            guard !isLarge else { return nil }
            magnitude = T(product)
        } else if -exponent < Self.powersOfFive.count {
            magnitude = quotient(type)
        } else {
            return nil
        }
        return isNegative ? -magnitude : magnitude
    }

    /// `digits ÷ 10^-exponent`, rounded to nearest, ties to even.
    ///
    /// A quotient of at least 63 bits is exact but for what remains of the division, which is below its last bit: setting
    /// that bit then makes a tie a little more than a tie, and changes no other rounding to 53 bits or fewer. The result is
    /// at least 10^-27, so that it is no subnormal number.
    private func quotient<T: BinaryFloatingPoint>(_ type: T.Type) -> T {
        let divisor = Self.powersOfFive[-exponent]
        let (digitShift, divisorShift) = (digits.leadingZeroBitCount, divisor.leadingZeroBitCount)
        // The high half is less than the divisor, whose top bit is set, so that the quotient fits.
        let high = (digits << digitShift) >> 1
        let low = (digits << digitShift) << 63
        var (quotient, remainder) = (divisor << divisorShift).dividingFullWidth((high, low))
        if remainder != 0 { quotient |= 1 }
        // digits = (high:low) ÷ 2^(digitShift + 63); 10^n = divisor × 2^n.
        return T(
            sign: .plus, exponent: T.Exponent(divisorShift - digitShift - 63 + exponent),
            significand: T(quotient))
    }
}
