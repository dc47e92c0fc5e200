import Foundation

/// When a server wants to be asked again (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// - Returns: seconds from now, 0 for a date in the past; `nil` where the server does not say, or says it
    ///   in the obsolete forms of a date.
    static func seconds(in headers: HTTPFields?, now: Date) -> TimeInterval? {
        // More than one line is not allowed; the longest wait offends nobody.
        headers?.values(of: "Retry-After").lazy.compactMap { seconds($0, now: now) }.max()
    }

    private static func seconds(_ text: String, now: Date) -> TimeInterval? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        // Digits alone are a number of any size, up to infinity.
        if isNumber { return Double(text) }
        return HTTPDate.seconds(text).map { max(0, TimeInterval($0) - now.timeIntervalSince1970) }
    }
}
