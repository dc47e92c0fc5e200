import DiscreteNetworkingCommands
import Foundation

/// The rows of a run as JSON, beside those of an earlier run, and as a picture.
struct Report {
    let rows: [Row]

    init(_ rows: [Row]) { self.rows = rows }

    init(contentsOf file: URL) throws {
        rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
    }

    /// The file of an earlier run.
    init(comparing file: URL) throws(FileFailure) {
        do {
            try self.init(contentsOf: file)
        } catch is DecodingError {
            throw .wrongFormat(file, "a file of rows", "Give a file that --json has written.")
        } catch {
            throw .unreadable(file, error)
        }
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: file)
    }

    // MARK: Comparing

    /// Returns each row beside its counterpart: then, now, and now over then.
    func comparison(with earlier: Report) -> String {
        var table = AlignedTable(
            heads: [
                "workload", "client", "callers", "requests/s", "CPU µs", "allocations", "retains", "peak MB",
            ], texts: 2)
        for row in rows {
            guard let then = earlier.rows.first(where: row.isCounterpart) else { continue }
            table.rows.append([
                row.workload.rawValue, row.client.rawValue, "\(row.callers)",
                Self.text(then.requestsPerSecond, row.requestsPerSecond, 0),
                Self.text(then.cpuMicrosecondsPerRequest, row.cpuMicrosecondsPerRequest, 1),
                Self.text(then.counts?.allocations, row.counts?.allocations, 0),
                Self.text(then.counts?.retains, row.counts?.retains, 0),
                Self.text(then.peakMegabytes, row.peakMegabytes, 1),
            ])
        }
        let head =
            "Then, now and now ÷ then. Higher is better for requests, lower for CPU, allocations and retains."
        return (["", head] + table.lines).joined(separator: "\n")
    }

    private static func text(_ then: Double?, _ now: Double?, _ digits: Int) -> String {
        guard let then, let now else { return "" }
        return "\(then.text(digits)) → \(now.text(digits)) (\((now / then).text(2)))"
    }
}

extension Row {
    fileprivate var peakMegabytes: Double { Double(peakResidentKilobytes) / 1024 }
}
