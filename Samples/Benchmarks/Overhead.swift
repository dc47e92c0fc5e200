import DiscreteNetworking
import Foundation

/// Answers at once, so that only the framework's own work is left.
struct InMemoryTransport: TimeKeepingTransport {
    let body: Data

    init(_ body: Data = Shop.document) { self.body = body }

    func send(_ request: APIRequest) async throws -> TransportResponse {
        TransportResponse(
            url: request.url, status: 200, headers: ["Content-Type": "application/json"], body: .data(body))
    }
}

extension ServiceIdentifier { static let search: Self = "search" }

/// Keeps the call it is asked about, so that the generator can be timed alone.
final class SearchService: Service {
    let baseURL = URL(string: "https://api.example.com/gateway")!
    let apiVersion: String? = "v3"
    let seen = Locked<APICall?>(nil)
    func extraParams(for call: APICall) -> Params { ["cid": "000001"] }
    func extraHeaders(for call: APICall) -> [String: String] { ["Authorization": "Bearer 0123456789"] }
    func adapt(_ request: inout APIRequest, for call: APICall) { seen.current = call }
}

final class TenParamManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.search
    let methodName = "products/search"
    let requestType = HTTPMethod.get
}

final class KeptItemManager: APIManager<Item> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "item"
    let requestType = HTTPMethod.get
    override var cachePolicy: CachePolicy { .memory }
}

extension Benchmarks {
    /// The whole pipeline without a wire.
    @MainActor
    static func overhead(rounds: Int) async throws {
        ServiceFactory.shared.register([.shop: ShopService.self])
        ApiProxy.shared = ApiProxy(transport: InMemoryTransport())
        let managed = { @MainActor @Sendable in
            _ = try await ItemManager().load()
        }
        try await repeated(2000, 1, managed)
        var costs: [Double] = []
        for _ in 0..<rounds {
            costs.append(try await Cost.of { try await repeated(2000, 1, managed) }.cpu / 2000 * 1e6)
        }
        let (low, median, high) = costs.quartiles
        print("\nthe whole pipeline over an in-memory transport, decoding included:", terminator: " ")
        print("\(median.text(1)) µs CPU per call (\(low.text(1))–\(high.text(1)))")

        // What a recorder adds, in the same process, so that its share at 1,000 calls a second can be said.
        let recorder = ApiProxy.shared.addObserver(
            TrafficRecorder(limits: .init(calls: 10_000, bytes: 128 << 20)))
        defer { ApiProxy.shared.removeObserver(recorder) }
        var recorded: [Double] = []
        for _ in 0..<rounds {
            recorded.append(try await Cost.of { try await repeated(2000, 1, managed) }.cpu / 2000 * 1e6)
        }
        let added = recorded.quartiles.median - median
        print(
            "with a TrafficRecorder: \(added.text(1)) µs more, \((added / 10).text(1)) % of a core at 1,000 calls/s"
        )
    }

    /// `await manager.load()` answered from memory, beside a dictionary of the same values.
    @MainActor
    static func cachedCalls() async throws {
        ServiceFactory.shared.register([.shop: ShopService.self])
        let proxy = ApiProxy(transport: InMemoryTransport())
        let manager = KeptItemManager()
        manager.proxy = proxy
        let ids = (0..<1000).map { ($0 as Int).jsonValue }
        var dictionary: [Params: Item] = [:]
        for id in ids { dictionary[["id": id]] = try await manager.load(with: ["id": id]) }
        var (kept, bare): ([Double], [Double]) = ([], [])
        for _ in 0..<9 {
            kept.append(
                try await Cost.of { for id in ids { _ = try await manager.load(with: ["id": id]) } }.cpu)
            bare.append(
                try await Cost.of {
                    for id in ids where dictionary[["id": id]] == nil { throw UnexpectedAnswer() }
                }.cpu)
        }
        let (call, look) = (kept.quartiles.median * 1e3, bare.quartiles.median * 1e3)
        print(
            "a call answered from memory, decoded: \(call.text(1)) µs CPU; a dictionary of outputs: \(look.text(2)) µs"
        )
    }

    /// From params to an `APIRequest`: nine of the manager's, one of the service's.
    static func assembly() async throws {
        let services = ServiceFactory()
        services.register([.search: SearchService.self])
        let proxy = ApiProxy(transport: InMemoryTransport(), services: services)
        try await send(through: proxy)
        guard let service = services.service(for: .search) as? SearchService, let call = service.seen.current
        else {
            return
        }
        let generator = RequestGenerator()
        let count = 20_000
        var costs: [Double] = []
        for _ in 0..<15 {
            let cost = try await Cost.of {
                for _ in 0..<count { _ = try await generator.request(for: call, service: service) }
            }
            costs.append(cost.cpu / Double(count) * 1e6)
        }
        let (low, median, high) = costs.quartiles
        print("assembling a GET of ten params: \(median.text(2)) µs (\(low.text(2))–\(high.text(2)))")
    }

    @MainActor
    private static func send(through proxy: ApiProxy) async throws {
        let manager = TenParamManager()
        manager.proxy = proxy
        _ = try await manager.load(with: [
            "keyword": "青花瓷 茶壶", "page": 1, "size": 20, "sort": "price", "ascending": true, "min": 10.5,
            "max": 999, "tags": ["tea", "blue"], "city": "景德镇",
        ])
    }

    /// A hundred thousand calls, and what the process holds on to.
    @MainActor
    static func memory() async throws {
        ApiProxy.shared = ApiProxy(transport: InMemoryTransport())
        let call = { @MainActor @Sendable in _ = try await ItemManager().load() }
        try await repeated(20_000, 16, call)
        let before = residentBytes()
        try await repeated(100_000, 16, call)
        print("resident memory after 100,000 more calls: \((residentBytes() - before) / 1024) KiB more")
    }
}
