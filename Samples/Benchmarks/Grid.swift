import DiscreteNetworkingCommands
import Foundation

/// Every workload by every client, each measurement in a process of its own, one after the other in turn.
struct Grid {
    let server: Server
    let isQuick: Bool
    var isPinned = false

    private var rounds: Int { isQuick ? 1 : 3 }
    private var seconds: Double { isQuick ? 0.25 : 2 }

    /// - Parameter isMeant: which workloads.
    func run(_ isMeant: (Workload) -> Bool = { _ in true }) throws -> [Row] {
        var rows: [Row] = []
        for workload in Workload.allCases where isMeant(workload) {
            for callers in workload.callers(isQuick: isQuick) {
                var measured: [Client: [Row]] = [:]
                for round in 1...rounds {
                    for client in workload.clients {
                        CommandOutput.error.showProgress(
                            "\(workload.rawValue), \(callers) callers, \(client.rawValue), round \(round) of \(rounds)"
                        )
                        if let row = try measure(workload, client, callers, seconds) {
                            measured[client, default: []].append(row)
                        }
                    }
                }
                CommandOutput.error.showProgress("")
                let medians = workload.clients.compactMap { measured[$0].map(Row.median) }
                Self.show(medians)
                rows += medians
            }
        }
        return rows
    }

    /// - Returns: `nil` for a client that this platform does not have.
    func measure(_ workload: Workload, _ client: Client, _ callers: Int, _ seconds: Double) throws -> Row? {
        let arguments = [
            "--row", workload.rawValue, client.rawValue, "\(callers)", "\(seconds)",
            server.baseURL.absoluteString,
        ]
        let output = try Child.run(arguments, isPinned: isPinned)
        return output.isEmpty ? nil : try JSONDecoder().decode(Row.self, from: output)
    }

    private static func show(_ rows: [Row]) {
        guard let first = rows.first else { return }
        let inC = rows.first { $0.client == .curlInC }?.requestsPerSecond
        let transport = rows.first { $0.client == .curlTransport }?.requestsPerSecond
        print("\n\(first.workload.rawValue), \(first.callers) callers")
        var table = AlignedTable(
            heads: [
                "client", "requests/s", "CPU µs/request", "allocations", "malloc KB", "retains", "releases",
                "copied KB", "switches", "peak MB", "× CurlTransport", "× libcurl-c",
            ], texts: 1)
        table.rows = rows.map { row in
            [
                row.client.rawValue, row.requestsPerSecond.text(0), row.cpuMicrosecondsPerRequest.text(1),
                row.counts?.allocations.text(0) ?? "",
                row.counts.map { ($0.mallocBytes / 1024).text(1) } ?? "",
                row.counts?.retains.text(0) ?? "", row.counts?.releases.text(0) ?? "",
                row.counts.map { ($0.copiedBytes / 1024).text(1) } ?? "", row.counts?.switches.text(0) ?? "",
                (Double(row.peakResidentKilobytes) / 1024).text(1),
                transport.map { (row.requestsPerSecond / $0).text(2) } ?? "",
                inC.map { (row.requestsPerSecond / $0).text(2) } ?? "",
            ]
        }
        for line in table.lines { print(line) }
    }
}

/// This program again, for one measurement.
enum Child {
    static func run(_ arguments: [String], isPinned: Bool = false) throws -> Data {
        #if os(macOS) || os(Linux)
            let process = Process()
            let output = Pipe()
            Pinning.launch(process, Bundle.main.executableURL, arguments, as: isPinned ? .client : nil)
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            if process.terminationStatus != 0 {
                print("(\(arguments.joined(separator: " ")) ended with \(process.terminationStatus))")
                return Data()
            }
            return data
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }
}
