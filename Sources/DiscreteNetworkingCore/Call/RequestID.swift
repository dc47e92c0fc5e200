/// The number of a call, unique in the process. Errors, events and log lines contain it.
public struct RequestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number, starting with 1 for the first call of the process.
    public let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let last = Locked<UInt64>(0)

    static func next() -> RequestID {
        RequestID(
            rawValue: last.withLock { last in
                last += 1
                return last
            })
    }

    public static func < (left: RequestID, right: RequestID) -> Bool { left.rawValue < right.rawValue }

    public var description: String { "#\(rawValue)" }
}

/// A tag shared by calls of several managers, to cancel them together.
///
/// ```swift
/// manager.tag = "checkout"
/// ApiProxy.shared.cancelRequests(tagged: "checkout")
/// ```
public struct RequestTag: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text of the tag.
    public let rawValue: String

    /// Creates a tag.
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
