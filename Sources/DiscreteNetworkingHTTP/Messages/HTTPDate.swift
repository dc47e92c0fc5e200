import Foundation

/// The dates of HTTP in their one modern form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
package enum HTTPDate {
    /// Seconds since 1970; `nil` for anything else, the obsolete forms included.
    package static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
            let day = number(parts[1], digits: 2), 1...31 ~= day,
            let month = months.firstIndex(of: String(parts[2])),
            let year = number(parts[3], digits: 4)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
            .map { number($0, digits: 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year, month + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits,
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else {
            return nil
        }
        return Int64(text)
    }

    /// Days since 1970 in the Gregorian calendar; the year is taken to begin in March, so that a leap day
    /// is its last.
    private static func days(_ year: Int64, _ month: Int, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let months = Int64((month + 9) % 12)
        let dayOfYear = (153 * months + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
