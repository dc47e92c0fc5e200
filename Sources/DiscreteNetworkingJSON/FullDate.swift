/// A calendar date without a time or time zone: the `full-date` of RFC 3339 section 5.6, such as `"2024-02-29"`.
///
/// A `Date` is a point in time; decoded as one, a birthday changes with the time zone.
public struct FullDate: Hashable, Sendable, LosslessStringConvertible {
    /// 0 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 28, 29, 30 or 31, depending on the month.
    public let day: Int

    /// Creates a date, or `nil` if there is no such date.
    public init?(year: Int, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 0...9999 ~= year, 1...12 ~= month, day >= 1, day <= lengths[month - 1] else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a date from a string such as `"2024-02-29"`, or `nil` if there is no such date.
    public init?(_ description: String) {
        let parts = description.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2],
            parts.allSatisfy({ $0.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } })
        else { return nil }
        let numbers = parts.compactMap { Int(String($0) ?? "") }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// `"2024-02-29"`
    public var description: String {
        [(year, 4), (month, 2), (day, 2)].map { number, width in
            let digits = String(number)
            return String(repeating: "0", count: width - digits.utf8.count) + digits
        }
        .joined(separator: "-")
    }
}

extension FullDate: Comparable {
    /// Whether the first date precedes the second.
    public static func < (left: FullDate, right: FullDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension FullDate: Codable {
    /// Decodes a string such as `"2024-02-29"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = FullDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Not a full-date by RFC 3339, such as 2024-02-29.")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
