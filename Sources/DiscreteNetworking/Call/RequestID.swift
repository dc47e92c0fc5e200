/// The number of one call, unique in the process. Every error, event and log line carries it.
public struct RequestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 1 for the first call of the process, then counting up.
    public let rawValue: UInt64

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

/// A name shared by calls of several managers, so that they can be cancelled together.
///
/// ```swift
/// manager.tag = "checkout"
/// ApiProxy.shared.cancelRequests(tagged: "checkout")
/// ```
public struct RequestTag: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
