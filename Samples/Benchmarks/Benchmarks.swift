import DiscreteNetworkingCommands
import Foundation

/// What the framework costs, side by side with what it stands on.
///
///     swift run -c release Benchmarks --help
@main
struct Benchmarks {
    static func main() async {
        let options: Options
        do throws(UsageError) {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            CommandOutput.error.write(error.report(Options.help))
            exit(UsageError.status)
        }
        if let warning = options.warning { CommandOutput.error.write(warning) }
        do { try await run(options) } catch { end("\(error)", status: 1) }
    }

    private static func end(_ message: String, status: Int32) -> Never {
        CommandOutput.error.write("error: \(message)")
        exit(status)
    }

    @MainActor
    private static func run(_ options: Options) async throws {
        switch options.job {
        case .help: print(Options.help)
        case .serve(let size): try Shop.serve(largeBody: size)
        case .row(let arguments): try await row(arguments)
        case .large(let arguments): try await Large.measure(arguments)
        case .caches: try await Caches.run(isQuick: options.isQuick)
        case .outbox: try await OutboxCost.run(isQuick: options.isQuick)
        case .queue: try await Queue.run(isQuick: options.isQuick)
        case .inspected: try await Inspected.run()
        case .weight: try Weight(beside: options.beside, isQuick: options.isQuick).run()
        case .start: try Start.run(isQuick: options.isQuick, isPinned: options.isPinned)
        case .firstCall(let arguments): try await Start.call(arguments)
        case .measure: try await measure(options)
        }
    }

    /// On the main thread: threads of Dispatch block signals, and a server that is started there would, too.
    @MainActor
    private static func measure(_ options: Options) async throws {
        // Before anything is measured.
        let earlier: Report?
        do { earlier = try options.compare.map(Report.init(comparing:)) } catch {
            end("--compare: \(error)", status: error.status)
        }
        let isQuick = options.isQuick
        let size = isQuick ? 128 << 20 : 1 << 30
        let server = try Server(largeFile: size, isPinned: options.isPinned)
        defer { server.stop() }
        let signals = server.stopOnSignals()
        defer { for signal in signals { signal.cancel() } }
        print("Server: \(server.name). Transports and libcurl-c bring bytes; managers decode them too.")
        print(Pinning.description(isOn: options.isPinned))
        fflush(nil)
        let grid = Grid(server: server, isQuick: isQuick, isPinned: options.isPinned)
        let report = Report(try grid.run { options.only == nil || $0 == options.only })
        if let file = options.json { try report.write(to: file) }
        if let file = options.plot { try Data(report.picture.utf8).write(to: file) }
        if let earlier { print(report.comparison(with: earlier)) }
        if options.only != nil { return }
        try many(grid)
        try Large.run(server, size: size, isQuick: isQuick)
        try Start.run(isQuick: isQuick, isPinned: options.isPinned)
        try await overhead(rounds: isQuick ? 5 : 31)
        try await cachedCalls()
        try await pages()
        try await assembly()
        try await memory()
        try await Caches.run(isQuick: isQuick)
        try await Queue.run(isQuick: isQuick)
        try await OutboxCost.run(isQuick: isQuick)
    }

    private static func row(_ arguments: [String]) async throws {
        guard arguments.count == 5, let workload = Workload(rawValue: arguments[0]),
            let client = Client(rawValue: arguments[1]), let callers = Int(arguments[2]),
            let seconds = Double(arguments[3]), let server = URL(string: arguments[4])
        else { throw UnexpectedAnswer() }
        let row = try await Measurement.row(
            workload, client, callers: callers, seconds: seconds, server: server)
        FileHandle.standardOutput.write(try JSONEncoder().encode(row))
    }

    /// A thousand managers in flight against sixteen.
    private static func many(_ grid: Grid) throws {
        var ratios: [Double] = []
        for _ in 0..<(grid.isQuick ? 1 : 5) {
            guard let few = try grid.measure(.smallGet, .managerOverCurl, 16, 1),
                let many = try grid.measure(.smallGet, .managerOverCurl, 1000, 1)
            else { return }
            ratios.append(many.cpuMicrosecondsPerRequest / few.cpuMicrosecondsPerRequest)
        }
        print("\nCPU per call with 1,000 managers in flight, against 16: \(ratios.quartiles.median.text(2))")
    }

    @MainActor
    static func repeated(
        _ calls: Int, _ callers: Int, _ call: @escaping @MainActor @Sendable () async throws -> Void
    ) async throws {
        let tasks = (0..<callers).map { _ in
            Task {
                for _ in 0..<calls / callers { try await call() }
            }
        }
        for task in tasks { try await task.value }
    }
}
