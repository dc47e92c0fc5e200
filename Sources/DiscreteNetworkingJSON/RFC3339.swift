import DiscreteNetworkingSupport
package import Foundation

/// RFC 3339 dates, computed without formatter, locale or calendar.
package enum RFC3339 {
    /// Foundation dates start in 2001, Unix time in 1970.
    private static let referenceMilliseconds: Int64 = 978_307_200_000
    private static let dayMilliseconds: Int64 = 86_400_000

    /// Returns a date in UTC, always with milliseconds: `2024-02-29T12:30:00.000Z`.
    ///
    /// Rounded to the nearest millisecond. Years outside 0000…9999, which RFC 3339 does not allow, get a
    /// sign as in ISO 8601 (`+10000-01-01T00:00:00.000Z`). Returns `nil` for a date that is not finite or about
    /// 100 million years away.
    package static func text(of date: Date) -> String? {
        let reference = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        guard abs(reference) < 4e18 else { return nil }
        let time = Int64(reference) + referenceMilliseconds
        var days = time / dayMilliseconds
        if time % dayMilliseconds < 0 { days -= 1 }
        let rest = time - days * dayMilliseconds
        let date = CivilDate(daysSince1970: days)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        if !(0...9999).contains(date.year) { text.append(UInt8(ascii: date.year < 0 ? "-" : "+")) }
        append(date.year.magnitude, width: 4, to: &text)
        append(date.month.magnitude, width: 2, after: "-", to: &text)
        append(date.day.magnitude, width: 2, after: "-", to: &text)
        append((rest / 3_600_000).magnitude, width: 2, after: "T", to: &text)
        append((rest / 60_000 % 60).magnitude, width: 2, after: ":", to: &text)
        append((rest / 1000 % 60).magnitude, width: 2, after: ":", to: &text)
        append((rest % 1000).magnitude, width: 3, after: ".", to: &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(
        _ number: UInt64, width: Int, after separator: Unicode.Scalar? = nil, to text: inout [UInt8]
    ) {
        if let separator { text.append(UInt8(ascii: separator)) }
        let digits = String(number)
        for _ in 0..<max(0, width - digits.utf8.count) { text.append(UInt8(ascii: "0")) }
        text.append(contentsOf: digits.utf8)
    }

    /// Returns the date of an RFC 3339 text, with any number of fraction digits and any offset; `nil` if it
    /// is invalid.
    ///
    /// Also reads times without an offset, which are taken to be in UTC, and without seconds, as ISO 8601 allows and many
    /// servers send.
    package static func date(from text: String) -> Date? {
        let bytes = [UInt8](text.utf8)
        guard bytes.count >= 16, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            bytes[13] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            hour < 24, minute < 60
        else { return nil }
        var end = 16
        var second: Int64 = 0
        if bytes.count > 16, bytes[16] == UInt8(ascii: ":") {
            guard bytes.count >= 19, let seconds = number(bytes[17..<19]), seconds <= 60 else { return nil }
            (second, end) = (seconds, 19)
        }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        var fraction = 0.0
        if end == 19, bytes.count > 19, bytes[19] == UInt8(ascii: ".") {
            end = bytes[20...].firstIndex { $0 &- 0x30 >= 10 } ?? bytes.count
            guard end > 20 else { return nil }
            fraction = Double("0." + String(decoding: bytes[20..<end], as: UTF8.self)) ?? 0
        }
        guard let offset = end == bytes.count ? 0 : offset(bytes[end...]) else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        return Date(
            timeIntervalSinceReferenceDate: Double(seconds - referenceMilliseconds / 1000) + fraction)
    }

    /// Whether a text has the form that all readers of ISO 8601 share, without a fraction: `2024-02-29T12:30:00Z`, since
    /// 1900 and without leap seconds.
    static func isPlain(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z") else {
            return false
        }
        return text >= "1900" && bytes[17] < UInt8(ascii: "6")
    }

    /// Returns the minutes east of UTC for `Z` or `+hh:mm`, and for `+hhmm` and `+hh` of ISO 8601.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let first = bytes.first else { return nil }
        if bytes.count == 1 { return first | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        var digits = bytes.dropFirst()
        if bytes.count == 6, bytes[bytes.startIndex + 3] == UInt8(ascii: ":") {
            digits.remove(at: bytes.startIndex + 3)
        }
        guard digits.count == 4 || digits.count == 2,
            let hours = number(digits.prefix(2)), hours < 24,
            let minutes = number(digits.dropFirst(2)), minutes < 60
        else { return nil }
        switch first {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard digit &- 0x30 < 10 else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }
}
