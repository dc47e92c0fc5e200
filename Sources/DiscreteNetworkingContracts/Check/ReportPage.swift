import Foundation

/// The result of a check as a page that a backend's team can be sent: one file that loads nothing and runs nothing.
struct ReportPage {
    let outcome: CheckOutcome
    /// The server that was checked; `nil` for the services' own.
    let server: URL?
    let date: Date

    /// Everything that a server may have said is escaped. The policy of the page forbids scripts besides.
    var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Contracts: \(escape(outcome.sum))</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <h1>Contracts</h1>
        <p>\(escape(outcome.sum)) \(escape(place)), \(escape(time)).</p>
        \(outcome.reports.map(section).joined(separator: "\n"))
        <footer>
        <p>A contract is the recorded shape of an endpoint's response. A change is <b>breaking</b> when apps that are in use can
        no longer read the response, a <b>warning</b> when they can, and <b>news</b> when something was added.</p>
        </footer>
        </body>
        </html>

        """
    }

    private var place: String { server.map { "Server: \($0.absoluteString)" } ?? "Servers: those of the app" }

    private var time: String {
        let formatter = ISO8601DateFormatter()
        return formatter.string(from: date)
    }

    private func section(_ report: ContractReport) -> String {
        let verdict = report.verdict
        let lines = [report.problem, report.failure].compactMap { $0 }.map { "<p>\(escape($0))</p>" }
        let table = report.drifts.isEmpty ? [] : [table(report.drifts)]
        return
            ([
                "<section class=\"\(verdict.rawValue)\">",
                "<h2>\(escape(report.name)) <span>\(escape(CheckOutcome.word(verdict)))</span></h2>",
                "<p><code>\(escape(report.endpoint))</code> of \(escape(report.service))</p>",
            ] + lines + table + ["</section>"]).joined(separator: "\n")
    }

    private func table(_ drifts: [Drift]) -> String {
        let rows = drifts.map { drift in
            let cells = [drift.severity.rawValue, drift.path.description, drift.summary, drift.reason ?? ""]
            return "<tr class=\"\(drift.severity.rawValue)\">"
                + cells.map { "<td>\(escape($0))</td>" }.joined() + "</tr>"
        }
        let head = ["Severity", "Field", "Change", "What the app says"].map { "<th>\($0)</th>" }.joined()
        return "<table><tr>\(head)</tr>\n\(rows.joined(separator: "\n"))\n</table>"
    }

    private func escape(_ text: String) -> String { XMLText.escape(text) }

    private static let style = """
        :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
        body { max-width: 60em; margin: 2em auto; padding: 0 1em; }
        section { border-left: 4px solid #8a8f98; padding: 2px 14px; margin: 18px 0; }
        section.unchanged, section.recorded { border-color: #2a9d4a; }
        section.warning, section.news { border-color: #d29922; }
        section.breaking, section.failed { border-color: #d1383d; }
        h2 { font-size: 1.1em; margin: 0; overflow-wrap: anywhere; }
        h2 span { font-weight: normal; opacity: .75; }
        p { margin: 4px 0; overflow-wrap: anywhere; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; vertical-align: top; padding: 3px 12px 3px 0; overflow-wrap: anywhere; }
        th { font-weight: normal; opacity: .7; }
        td:nth-child(2) { font-family: ui-monospace, monospace; }
        tr.breaking td:first-child { color: #d1383d; font-weight: bold; }
        footer { margin-top: 3em; opacity: .75; font-size: .9em; }
        """
}
