import Foundation

/// The name of a file of a ``TrafficFile``: when the app started, what tells starts of the same time apart, and a number:
/// `calls-20261124T024503.123Z-6F0C22A1-0001.jsonl`. By name, older files come first.
struct TrafficFileName {
    private let start: String
    /// Files of one start are numbered.
    var number = 1

    /// The first of a start.
    init(_ date: Date) {
        let format = ISO8601DateFormatter()
        format.formatOptions = [
            .withYear, .withMonth, .withDay, .withTime, .withFractionalSeconds, .withTimeZone,
        ]
        start = "calls-\(format.string(from: date))-\(UUID().uuidString.prefix(8))-"
    }

    var text: String {
        let digits = "\(number)"
        return start + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".jsonl"
    }

    static func isName(_ text: String) -> Bool { text.hasPrefix("calls-") && text.hasSuffix(".jsonl") }

    /// What the names of all files of the same start begin with.
    static func start(of text: String) -> Substring {
        text.range(of: "-", options: .backwards).map { text[..<$0.upperBound] } ?? text[...]
    }
}
