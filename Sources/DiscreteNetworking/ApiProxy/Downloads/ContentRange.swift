/// The value of `Content-Range` for bytes (RFC 9110 section 14.4).
struct ContentRange: Equatable {
    /// First and last byte; `nil` in the answer 416, which has none.
    let bounds: ClosedRange<Int64>?
    /// How many bytes the whole has; `nil` where the server does not know.
    let total: Int64?

    /// `bytes 100-199/300`, `bytes 100-199/*` or `bytes */300`.
    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let number = Self.number(parts[1]) else { return nil }
            total = number
        }
        if parts[0] == "*" {
            bounds = nil
            guard total != nil else { return nil }
        } else {
            let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
            guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
                last < total ?? .max
            else { return nil }
            bounds = first...last
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return Int64(text)
    }
}
