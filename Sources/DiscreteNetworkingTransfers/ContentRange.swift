import DiscreteNetworkingCore

/// The value of a `Content-Range` field in bytes (RFC 9110 section 14.4).
struct ContentRange: Equatable {
    /// The range; `nil` in a 416 response.
    let bounds: ClosedRange<Int64>?
    /// The complete length; `nil` if unknown.
    let total: Int64?

    /// Parses `bytes 100-199/300`, `bytes 100-199/*` or `bytes */300`.
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
