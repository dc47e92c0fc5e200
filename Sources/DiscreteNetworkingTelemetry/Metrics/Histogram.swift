public import Foundation

/// How many values lie between which bounds, and their sum: what metrics systems add up over many apps.
public struct Histogram: Sendable, Hashable {
    /// The upper bounds of all buckets but the last, which has none, in seconds and in order. A value at a bound is below it.
    public let bounds: [TimeInterval]
    /// The number of values of each bucket: one more than ``bounds``.
    public private(set) var counts: [Int]
    /// The sum of the values, in seconds.
    public private(set) var sum: TimeInterval = 0
    /// The number of values.
    public var count: Int { counts.reduce(0, +) }

    /// The bounds that OpenTelemetry recommends for `http.client.request.duration`, in seconds.
    public static let standardBounds: [TimeInterval] = [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]

    init(bounds: [TimeInterval]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func record(_ value: TimeInterval) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
