package import DiscreteNetworkingHTTP
package import Foundation

/// Parses `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// - Returns: The delay in seconds, 0 for a date in the past; `nil` if the header is missing or uses an
    ///   obsolete date format.
    package static func seconds(in headers: HTTPFields?, now: Date) -> TimeInterval? {
        // Repeated fields are invalid; the longest delay is the safest.
        headers?.values(of: "Retry-After").lazy.compactMap { seconds($0, now: now) }.max()
    }

    private static func seconds(_ text: String, now: Date) -> TimeInterval? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        // A number of any length, up to infinity.
        if isNumber { return Double(text) }
        return HTTPDate.seconds(text).map { max(0, TimeInterval($0) - now.timeIntervalSince1970) }
    }
}
