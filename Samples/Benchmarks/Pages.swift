import DiscreteNetworking
import Foundation

struct NumberPage: APIPage, Decodable {
    let items: [Int]
    let total: Int?

    static func key(of item: Int) -> (any Hashable & Sendable)? { item }
}

final class NumberListManager: PagedAPIManager<NumberPage> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "numbers"
    let requestType = HTTPMethod.get
    let paging = Paging.number(size: 100)
}

/// Gives each page a hundred numbers that no other has.
private struct NumberTransport: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let page = items.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
        let numbers = (0..<100).map { String(page * 100 + $0) }.joined(separator: ",")
        return TransportResponse(
            url: request.url, status: 200, headers: ["Content-Type": "application/json"],
            body: .data(Data(#"{"items":[\#(numbers)],"total":1000000}"#.utf8)))
    }
}

extension Benchmarks {
    /// What a page of a hundred items costs at the end of a short list and of a long one.
    @MainActor
    static func pages() async throws {
        ServiceFactory.shared.register([.shop: ShopService.self])
        let manager = NumberListManager()
        manager.proxy = ApiProxy(transport: NumberTransport())
        var costs: [Double] = []
        for count in [1000, 100_000] {
            while manager.items.count < count - 2000 { _ = try await manager.nextPage() }
            var pages: [Double] = []
            for _ in 0..<30 {
                pages.append(try await Cost.of { _ = try await manager.nextPage() }.cpu * 1e6)
            }
            costs.append(pages.quartiles.median)
        }
        print(
            "a page of 100 items in a list of 100,000: \(costs[1].text(0)) µs CPU; of 1,000: \(costs[0].text(0)) µs; ratio \((costs[1] / costs[0]).text(2))"
        )
    }
}
