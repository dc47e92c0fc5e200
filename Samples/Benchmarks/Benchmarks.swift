import DiscreteNetworking
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the framework costs on top of its transport. Each ratio is measured side by side: short rounds of
/// either side in turn, in one process, and the median of the rounds' ratios.
@main
struct Benchmarks {
    static func main() async throws {
        if CommandLine.arguments.contains("--serve") { return try Shop.serve() }
        let rounds = CommandLine.arguments.contains("--quick") ? 5 : 31
        let server = try ShopProcess()
        defer { server.stop() }
        ShopService.base.current = server.baseURL
        ServiceFactory.shared.register([.shop: ShopService.self])

        print("await manager.load() against the same URLSession used bare with JSONDecoder (CPU per call)")
        print("| callers | bare µs | manager µs | ratio | quartiles |")
        print("|---|---|---|---|---|")
        for callers in [1, 16] { try await compare(callers: callers, calls: 480, rounds: rounds) }
        try await overhead(rounds: rounds)
        try await assembly()
        try await memory()
    }

    static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        return configuration
    }

    @MainActor
    static func compare(callers: Int, calls: Int, rounds: Int) async throws {
        let session = URLSession(configuration: configuration())
        let url = server(path: "item")
        let decoder = JSONDecoder()
        let bare = { @MainActor @Sendable in
            // The same request on the wire, headers and all.
            var request = URLRequest(url: url)
            for field in HTTPFields.standard { request.setValue(field.value, forHTTPHeaderField: field.name) }
            let (data, _) = try await session.data(for: request)
            _ = try decoder.decode(Item.self, from: data)
        }
        ApiProxy.shared = ApiProxy(transport: URLSessionTransport(configuration: configuration()))
        let managed = { @MainActor @Sendable in
            _ = try await ItemManager().load()
        }
        try await repeated(calls, callers, bare)
        try await repeated(calls, callers, managed)
        var ratios: [Double] = []
        var costs: [(bare: Double, managed: Double)] = []
        for round in 0..<rounds {
            let first = try await Cost.of {
                try await repeated(calls, callers, round % 2 == 0 ? bare : managed)
            }
            let second = try await Cost.of {
                try await repeated(calls, callers, round % 2 == 0 ? managed : bare)
            }
            let (bare, managed) = round % 2 == 0 ? (first, second) : (second, first)
            ratios.append(managed.cpu / bare.cpu)
            costs.append((bare.cpu / Double(calls) * 1e6, managed.cpu / Double(calls) * 1e6))
        }
        let (low, median, high) = ratios.quartiles
        print(
            "| \(callers) | \(costs.map(\.bare).quartiles.median.text(1)) | \(costs.map(\.managed).quartiles.median.text(1))",
            "| \(median.text(3)) | \(low.text(3))–\(high.text(3)) |")
        session.invalidateAndCancel()
    }

    static func server(path: String) -> URL { ShopService.base.current.appendingPathComponent(path) }

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
