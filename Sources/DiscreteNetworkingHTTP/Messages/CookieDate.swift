package import Foundation

/// The date of `Expires` (RFC 6265bis section 5.1.1), in the forms that servers use.
package enum CookieDate {
    package static func date(_ text: String) -> Date? {
        var (time, day, month, year): ([Int64]?, Int64?, Int64?, Int64?) = (nil, nil, nil, nil)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found + (found < 70 ? 2000 : found < 100 ? 1900 : 0)
            }
        }
        guard let time, let day, let month, let year, year >= 1601, time[0] < 24, time[1] < 60, time[2] < 60
        else { return nil }
        let civil = CivilDate(year: year, month: month, day: day)
        guard civil.exists else { return nil }
        let seconds = civil.daysSince1970 * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the number at the start of a token, if another character than a digit follows it.
    private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int64? {
        let text = token.prefix(while: isDigit)
        guard digits.contains(text.count) else { return nil }
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func time(_ token: some Collection<UInt8>) -> [Int64]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(isDigit), fields[1].allSatisfy(isDigit) else {
            return nil
        }
        let numbers = fields.compactMap { number($0, digits: 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func month(_ token: some Collection<UInt8>) -> Int64? {
        let name = token.prefix(3).map(ASCII.lowercase)
        return months.firstIndex { $0.utf8.elementsEqual(name) }.map { Int64($0) + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}

/// ASCII letters, without the rules of any language.
package enum ASCII {
    package static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
