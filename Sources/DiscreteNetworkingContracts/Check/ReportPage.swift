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
        <h1>Contracts <span lang="zh">接口契约检查</span></h1>
        <p>\(escape(outcome.sum)) \(escape(place)), \(escape(time)).</p>
        \(index)
        \(loud.map(section).joined(separator: "\n"))
        \(quiet)
        <footer>
        <p>A contract is the recorded shape of an endpoint's response. A change is <b>breaking</b> when apps that are in use can
        no longer read the response, a <b>warning</b> when they can, and <b>news</b> when something was added.</p>
        <p lang="zh">契约记录了接口响应的结构。<b>breaking</b>：已发布的 App 无法再读取响应；<b>warning</b>：仍可读取，但需要确认；<b>news</b>：新增字段。</p>
        </footer>
        </body>
        </html>

        """
    }

    private var place: String {
        server.map { "Server: \($0.absoluteString)" } ?? "Servers: as configured in the app"
    }

    private var time: String { ISO8601DateFormatter().string(from: date) }

    // MARK: Order

    /// The verdicts that need somebody, the worst first.
    private static let loudVerdicts: [ContractReport.Verdict] = [.breaking, .failed, .warning, .news]

    private func reports(_ verdict: ContractReport.Verdict) -> [(number: Int, report: ContractReport)] {
        outcome.reports.enumerated().filter { $1.verdict == verdict }.map { ($0, $1) }
    }

    private var loud: [(number: Int, report: ContractReport)] { Self.loudVerdicts.flatMap(reports) }

    private var index: String {
        let rows = loud.map { number, report in
            let counts = Drift.Severity.allCases.reversed().compactMap { severity -> String? in
                let count = report.drifts.filter { $0.severity == severity }.count
                let plural = severity == .warning && count > 1 ? "s" : ""
                return count == 0 ? nil : "\(count) \(severity.rawValue)\(plural)"
            }
            let changes = counts.isEmpty ? "" : " <small>\(counts.joined(separator: ", "))</small>"
            return
                "<li><a href=\"#r\(number)\">\(escape(report.endpoint))</a> \(badge(report.verdict))\(changes)</li>"
        }
        return rows.isEmpty
            ? "" : "<nav aria-label=\"Changes\">\n<ol>\n\(rows.joined(separator: "\n"))\n</ol>\n</nav>"
    }

    /// The endpoints without a change.
    private var quiet: String {
        let rest: [ContractReport.Verdict] = [.recorded, .skipped, .unchanged]
        return rest.compactMap { verdict -> String? in
            let reports = reports(verdict)
            guard !reports.isEmpty else { return nil }
            let rows = reports.map { _, report in
                "<li><code>\(escape(report.endpoint))</code> "
                    + "\(escape(report.skipped ?? ""))</li>"
            }
            return """
                <details><summary>\(reports.count) \(escape(CheckOutcome.word(verdict).lowercased()))</summary>
                <ul>
                \(rows.joined(separator: "\n"))
                </ul>
                </details>
                """
        }.joined(separator: "\n")
    }

    // MARK: Sections

    private func section(_ number: Int, _ report: ContractReport) -> String {
        var lines = [
            "<section id=\"r\(number)\" class=\"\(report.verdict.rawValue)\">",
            "<h2><code>\(escape(report.endpoint))</code> \(badge(report.verdict))</h2>",
            "<p><small>\(escape(report.name)) of \(escape(report.service))</small></p>",
        ]
        if let problem = report.problem { lines.append("<p>\(escape(problem))</p>") }
        if let failure = report.failure {
            let meaning = DriftSentence.meaning(isGone: report.isGone)
            lines.append("<p>\(meaning.english) <span lang=\"zh\">\(meaning.chinese)</span></p>")
            lines.append(report.isGone ? "<p>\(escape(failure))</p>" : said(failure))
        }
        // Fields that are missing in one object show it once.
        var shown: String?
        for drift in report.drifts.sorted(by: { $0.severity > $1.severity }) {
            let excerpt = report.details[drift.id]?.excerpt
            lines.append(self.drift(drift, report, excerpt == shown ? nil : excerpt))
            shown = excerpt
        }
        return (lines + ["</section>"]).joined(separator: "\n")
    }

    private func drift(_ drift: Drift, _ report: ContractReport, _ excerpt: String?) -> String {
        let sentence = DriftSentence(of: drift, report.details[drift.id])
        let meaning = DriftSentence.meaning(drift.severity)
        let json = excerpt.map { "<pre>\(escape($0))</pre>" } ?? ""
        return """
            <div class="\(drift.severity.rawValue)">
            <p><b>\(drift.severity.rawValue)</b> <code>\(escape(drift.path.description))</code> \(escape(sentence.english)) \(meaning.english)</p>
            <p lang="zh"><code>\(escape(drift.path.description))</code> \(escape(sentence.chinese))\(meaning.chinese)</p>
            \(json)\(drift.reason.map(said) ?? "")
            </div>
            """
    }

    /// What the app's decoder says, which names types of its code.
    private func said(_ reason: String) -> String {
        "<details><summary>What the app says</summary><p>\(escape(reason))</p></details>"
    }

    private func badge(_ verdict: ContractReport.Verdict) -> String {
        "<span class=\"badge \(verdict.rawValue)\">\(escape(CheckOutcome.word(verdict)))</span>"
    }

    private func escape(_ text: String) -> String { XMLText.escape(text) }

    private static let style = """
        :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
        body { max-width: 60em; margin: 2em auto; padding: 0 1em; }
        h1 span { font-weight: normal; font-size: .6em; opacity: .7; }
        nav ol { padding-left: 1.6em; }
        section { border-left: 4px solid #8a8f98; padding: 2px 14px; margin: 22px 0; }
        section.warning, section.news { border-color: #b8860b; }
        section.breaking, section.failed { border-color: #c62f35; }
        section > div { margin: 12px 0; }
        h2 { font-size: 1.1em; margin: 0; }
        .badge { font-size: .8rem; font-weight: normal; padding: 0 8px; border-radius: 9px; border: 1px solid currentcolor;
            white-space: nowrap; }
        .badge.breaking, .badge.failed, div.breaking b { color: #c62f35; }
        .badge.warning, .badge.news, div.warning b { color: #8a6400; }
        p { margin: 3px 0; }
        p[lang=zh], span[lang=zh] { opacity: .85; }
        code { overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
        pre { background: #8882; padding: 6px 10px; overflow-x: auto; margin: 4px 0; }
        small, footer { opacity: .75; }
        footer { margin-top: 3em; font-size: .9em; }
        @media (prefers-color-scheme: dark) {
            .badge.breaking, .badge.failed, div.breaking b { color: #ff7b80; }
            .badge.warning, .badge.news, div.warning b { color: #e3b341; }
        }
        """
}
