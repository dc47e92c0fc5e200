import Foundation

/// What the framework costs, side by side with what it stands on.
///
///     swift run -c release Benchmarks [--quick] [--only WORKLOAD] [--json FILE] [--plot FILE.svg] [--compare FILE]
///     swift run -c release Benchmarks --caches [--quick]
@main
struct Benchmarks {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if let index = arguments.firstIndex(of: "--serve") {
            return try Shop.serve(largeBody: Int(arguments[index + 1]) ?? 0)
        }
        if let index = arguments.firstIndex(of: "--row") {
            return try await row(Array(arguments[(index + 1)...]))
        }
        if let index = arguments.firstIndex(of: "--large") {
            return try await Large.measure(Array(arguments[(index + 1)...]))
        }
        let isQuick = arguments.contains("--quick")
        if arguments.contains("--caches") { return try await Caches.run(isQuick: isQuick) }
        let size = isQuick ? 128 << 20 : 1 << 30
        let server = try Server(largeFile: size)
        defer { server.stop() }
        print("Server: \(server.name). Transports and libcurl-c bring bytes; managers decode them too.")
        let grid = Grid(server: server, isQuick: isQuick)
        let only = value(of: "--only", in: arguments)
        let report = Report(try grid.run { only == nil || $0.rawValue == only })
        if let file = value(of: "--json", in: arguments) { try report.write(to: URL(fileURLWithPath: file)) }
        if let file = value(of: "--plot", in: arguments) {
            try Data(report.picture.utf8).write(to: URL(fileURLWithPath: file))
        }
        if let file = value(of: "--compare", in: arguments) {
            report.show(against: try Report(contentsOf: URL(fileURLWithPath: file)))
        }
        if only != nil { return }
        try many(grid)
        try Large.run(server, size: size, isQuick: isQuick)
        try await overhead(rounds: isQuick ? 5 : 31)
        try await cachedCalls()
        try await pages()
        try await assembly()
        try await memory()
        try await Caches.run(isQuick: isQuick)
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
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
