import DiscreteNetworkingCommands
import DiscreteNetworkingCore

/// The result of a check, as text, JSON and JUnit XML.
struct CheckOutcome {
    let reports: [ContractReport]

    /// The exit status; a broken output has precedence over a failed check, and that over a server that is down.
    var status: Int32 {
        let called = reports.filter { $0.verdict != .skipped }
        let failed = called.filter { $0.verdict == .failed }
        if called.contains(where: { $0.verdict == .breaking }) { return 1 }
        if failed.isEmpty { return 0 }
        // A server that is down, or some of it; an endpoint with wrong arguments does not hide that.
        let isDown =
            failed.allSatisfy(\.isUnreachable)
            || failed.count == called.count && failed.contains(where: \.isUnreachable)
        return isDown ? Self.unavailable : 2
    }

    /// `EX_UNAVAILABLE` of sysexits.h.
    static let unavailable: Int32 = 69

    // MARK: Text

    /// The table: one row per endpoint with its drifts, and a summary.
    var table: [String] { table(hasColours: false) }

    /// The same, with colours for a terminal.
    func table(hasColours: Bool) -> [String] {
        let heads = ["Contract", "Endpoint", "Verdict"]
        let rows = reports.map { [$0.name, "\($0.service) \($0.endpoint)", Self.word($0.verdict)] }
        let widths = heads.indices.map { column in
            ([heads] + rows).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        var lines = [line(heads), line(widths.map { String(repeating: "-", count: $0) })]
        for (report, row) in zip(reports, rows) {
            lines.append(hasColours ? Self.painted(line(row), ending: row[2], report.verdict) : line(row))
            lines += report.lines.map { "    " + (hasColours ? Self.painted($0) : $0) }
        }
        return lines + ["", sum] + recorded
    }

    /// Colours the verdict at the end of a line.
    private static func painted(_ line: String, ending word: String, _ verdict: ContractReport.Verdict)
        -> String
    {
        let colour: CommandOutput.Colour =
            switch verdict {
            case .breaking, .failed: .red
            case .warning, .skipped: .yellow
            default: .green
            }
        return line.dropLast(word.count) + CommandOutput.painted(word, colour)
    }

    /// Colours the severity at the start of a drift.
    private static func painted(_ drift: String) -> String {
        let colours: [(String, CommandOutput.Colour)] = [
            ("breaking ", .red), ("warning ", .yellow), ("news ", .green),
        ]
        guard let (word, colour) = colours.first(where: { drift.hasPrefix($0.0) }) else { return drift }
        return CommandOutput.painted(String(word.dropLast()), colour) + drift.dropFirst(word.count - 1)
    }

    /// What to do with contracts that were written.
    private var recorded: [String] {
        let count = reports.filter(\.isRecorded).count
        return count == 0 ? [] : ["\(count) contract\(count == 1 ? " was" : "s were") written; commit them."]
    }

    /// How many endpoints had which verdict.
    var sum: String {
        let parts = ContractReport.Verdict.allCases.compactMap { verdict -> String? in
            let count = reports.filter { $0.verdict == verdict }.count
            return count > 0 ? "\(count) \(Self.word(verdict).lowercased())" : nil
        }
        return "\(reports.count) checked: " + parts.joined(separator: ", ") + "."
    }

    static func word(_ verdict: ContractReport.Verdict) -> String {
        switch verdict {
        case .unchanged: "ok"
        case .breaking: "BREAKING"
        case .failed: "FAILED"
        default: verdict.rawValue
        }
    }

    // MARK: Machine-readable

    var json: String {
        let reports = reports.map { report -> JSONValue in
            let drifts = report.drifts.map { drift -> JSONValue in
                var members: [String: JSONValue] = [
                    "path": .string(drift.path.description), "kind": .string(drift.kind.name),
                    "severity": .string(drift.severity.rawValue), "summary": .string(drift.summary),
                ]
                members["reason"] = drift.reason.map(JSONValue.string)
                return .object(members)
            }
            var members: [String: JSONValue] = [
                "name": .string(report.name), "service": .string(report.service),
                "endpoint": .string(report.endpoint), "verdict": .string(report.verdict.rawValue),
                "drifts": .array(drifts),
            ]
            members["problem"] = (report.skipped ?? report.problem ?? report.failure).map(JSONValue.string)
            return .object(members)
        }
        return PrettyJSON.text(["reports": .array(reports), "status": .number(JSONNumber(Int(status)))])
    }

    /// The JUnit XML report: a breaking drift is a failure, a failed check an error, everything else output
    /// of a passed test.
    var junit: String {
        let failures = reports.filter { $0.verdict == .breaking }.count
        let errors = reports.filter { $0.verdict == .failed }.count
        let skipped = reports.filter { $0.verdict == .skipped }.count
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites>"#,
            #"<testsuite name="contracts" tests="\#(reports.count)" failures="\#(failures)" errors="\#(errors)" skipped="\#(skipped)">"#,
        ]
        for report in reports {
            let name = XMLText.escape(report.name)
            let service = XMLText.escape(report.service)
            let text = XMLText.escape(report.text)
            let head = #"  <testcase name="\#(name)" classname="\#(service)">"#
            switch report.verdict {
            case .breaking:
                let broken = report.drifts.first { $0.severity == .breaking }?.description
                let message = XMLText.escape(broken ?? report.failure ?? "")
                lines += [
                    head, #"    <failure type="drift" message="\#(message)">\#(text)</failure>"#,
                    "  </testcase>",
                ]
            case .failed:
                let message = XMLText.escape(report.problem ?? "")
                lines += [
                    head, #"    <error type="failed" message="\#(message)">\#(text)</error>"#,
                    "  </testcase>",
                ]
            case .unchanged: lines.append(head.dropLast() + "/>")
            case .skipped:
                let message = XMLText.escape(report.skipped ?? "")
                lines += [head, #"    <skipped message="\#(message)"/>"#, "  </testcase>"]
            case .news, .warning, .recorded:
                lines += [head, "    <system-out>\(text)</system-out>", "  </testcase>"]
            }
        }
        return (lines + ["</testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }
}

/// Text in XML 1.0.
enum XMLText {
    /// Escapes text for content and attributes. Characters that XML 1.0 section 2.2 does not allow become
    /// U+FFFD.
    static func escape(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&apos;"
            case "\t", "\n", "\r": output += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
