extension Report {
    /// What the colour of a bar says.
    private enum Kind: String, CaseIterable {
        case foundation = "without the framework"
        case transport = "the framework's transports and decoders"
        case manager = "managers, with decoding"

        init(_ client: Client) {
            switch client {
            case .urlSession, .curlInC, .curlInCFresh, .decoder: self = .foundation
            case .urlSessionTransport, .curlTransport, .fastDecoder: self = .transport
            default: self = .manager
            }
        }

        /// As in the README's pictures.
        var color: String {
            switch self {
            case .foundation: "#86868b"
            case .transport: "#0066cc"
            case .manager: "#34a853"
            }
        }
    }

    /// The rows as bars, a group for each workload and number of callers; a bar is as long as the requests per second
    /// are in proportion to the best of its group. Above them, a legend says what the colours mean.
    var picture: String {
        var lines: [String] = []
        var y = 28
        func text(_ text: String, x: Int, _ attributes: String = "") {
            lines.append("<text x=\"\(x)\" y=\"\(y)\" \(attributes)>\(text)</text>")
        }
        text("Requests per second, in proportion to the best of each group", x: 20, "font-weight=\"600\"")
        y += 28
        var x = 20
        for kind in Kind.allCases {
            lines.append(
                "<rect x=\"\(x)\" y=\"\(y - 11)\" width=\"13\" height=\"13\" rx=\"3\" fill=\"\(kind.color)\"/>"
            )
            text(kind.rawValue, x: x + 20)
            x += 50 + 7 * kind.rawValue.count
        }
        y += 36
        for workload in Workload.allCases {
            for callers in Set(rows.filter { $0.workload == workload }.map(\.callers)).sorted() {
                let group = rows.filter { $0.workload == workload && $0.callers == callers }
                let best = group.map(\.requestsPerSecond).max() ?? 1
                let who = callers == 1 ? "1 caller" : "\(callers) callers"
                text("\(workload.rawValue), \(who)", x: 20, "font-weight=\"600\"")
                for row in group {
                    y += 24
                    let width = max(1, Int(row.requestsPerSecond / best * 400))
                    text(row.client.rawValue, x: 270, "text-anchor=\"end\"")
                    lines.append(
                        "<rect x=\"282\" y=\"\(y - 14)\" width=\"\(width)\" height=\"18\" rx=\"4\" fill=\"\(Kind(row.client).color)\"/>"
                    )
                    text("\(row.requestsPerSecond.text(0))/s", x: 290 + width)
                }
                y += 36
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 \(y)" width="800" height="\(y)" font-family="-apple-system, BlinkMacSystemFont, Helvetica Neue, Arial, sans-serif" font-size="13" fill="#1d1d1f">
            <rect width="800" height="\(y)" fill="#ffffff"/>
            \(lines.joined(separator: "\n"))
            </svg>

            """
    }
}
