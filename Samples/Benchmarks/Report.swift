import Foundation

/// The rows of a run as JSON, beside those of an earlier run, and as a picture.
struct Report {
    let rows: [Row]

    init(_ rows: [Row]) { self.rows = rows }

    init(contentsOf file: URL) throws {
        rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: file)
    }

    // MARK: Comparing

    /// Returns each row beside its counterpart: then, now, and now over then.
    func comparison(with earlier: Report) -> String {
        var lines = [
            "", "Then, now and now ÷ then. Higher is better for requests, lower for CPU and allocations.",
            "| workload | callers | client | requests/s | CPU µs | allocations | peak MB |",
            "|---|---|---|---|---|---|---|",
        ]
        for row in rows {
            guard let then = earlier.rows.first(where: row.isCounterpart) else { continue }
            let cells = [
                row.workload.rawValue, "\(row.callers)", row.client.rawValue,
                Self.text(then.requestsPerSecond, row.requestsPerSecond, 0),
                Self.text(then.cpuMicrosecondsPerRequest, row.cpuMicrosecondsPerRequest, 1),
                Self.text(then.allocationsPerCall, row.allocationsPerCall, 0),
                Self.text(then.peakMegabytes, row.peakMegabytes, 1),
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ then: Double?, _ now: Double?, _ digits: Int) -> String {
        guard let then, let now else { return "" }
        return "\(then.text(digits)) → \(now.text(digits)) (\((now / then).text(2)))"
    }

    // MARK: Drawing

    private static let colors: [Client: String] = [
        .urlSession: "#9aa5b1", .urlSessionTransport: "#6b7a89", .curlTransport: "#2b6cb0",
        .curlInC: "#2f855a", .curlInCFresh: "#68a37f", .managerOverURLSession: "#b7791f",
        .managerOverCurl: "#c53030", .managerOffMainOverCurl: "#e57373", .decoder: "#805ad5",
        .fastDecoder: "#553c9a",
        .manager: "#c53030", .managerOffMain: "#e57373",
    ]

    /// The rows as bars, a group for each workload and number of callers; a bar is as long as the requests per second
    /// are in proportion to the best of its group.
    var picture: String {
        var lines: [String] = []
        var y = 24
        func text(_ text: String, x: Int, _ attributes: String = "") {
            lines.append("<text x=\"\(x)\" y=\"\(y)\" \(attributes)>\(text)</text>")
        }
        for workload in Workload.allCases {
            for callers in Set(rows.filter { $0.workload == workload }.map(\.callers)).sorted() {
                let group = rows.filter { $0.workload == workload && $0.callers == callers }
                let best = group.map(\.requestsPerSecond).max() ?? 1
                let who = callers == 1 ? "1 caller" : "\(callers) callers"
                text("\(workload.rawValue), \(who)", x: 12, "font-weight=\"bold\"")
                for row in group {
                    y += 20
                    let width = max(1, Int(row.requestsPerSecond / best * 400))
                    text(row.client.rawValue, x: 24)
                    lines.append(
                        "<rect x=\"250\" y=\"\(y - 11)\" width=\"\(width)\" height=\"13\" fill=\"\(Self.colors[row.client] ?? "#888")\"/>"
                    )
                    text("\(row.requestsPerSecond.text(0))/s", x: 258 + width, "fill=\"#555\"")
                }
                y += 32
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="\(y)" font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(lines.joined(separator: "\n"))
            </svg>

            """
    }
}

extension Row {
    fileprivate var peakMegabytes: Double { Double(peakResidentKilobytes) / 1024 }
}
