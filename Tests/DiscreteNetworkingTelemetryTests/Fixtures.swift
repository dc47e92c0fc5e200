import DiscreteNetworking
import DiscreteNetworkingTelemetry
import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

extension ServiceIdentifier { static let shop: Self = "shop" }

struct Item: Decodable, Sendable { let id: Int }

final class ItemManager: APIManager<Item> {
    let serviceIdentifier = ServiceIdentifier.shop
    var methodName = "items/{id}"
    var requestType = HTTPMethod.get
    var policy = CachePolicy.none
    var retries: RetryPolicy?
    var shares: Bool?
    override var cachePolicy: CachePolicy { policy }
    override var retryPolicy: RetryPolicy? { retries }
    override var sharesIdenticalRequests: Bool? { shares }
}

/// A service at some address, and what is told of its calls.
@MainActor
struct Shop {
    final class Spans: SpanExporter {
        private let all = Locked<[TraceSpan]>([])
        var list: [TraceSpan] { all.current }
        func export(_ span: TraceSpan) { all.withLock { $0.append(span) } }
    }

    final class ShopService: Service {
        let baseURL: URL

        convenience init() { self.init(URL(fileURLWithPath: "/")) }

        init(_ baseURL: URL) { self.baseURL = baseURL }
    }

    let proxy: ApiProxy
    let spans = Spans()

    init(
        _ baseURL: URL, propagation: Tracer.Propagation = .trace, isSampled: Bool = true
    ) {
        let services = ServiceFactory()
        services.register([.shop: { ShopService(baseURL) }])
        proxy = ApiProxy(services: services)
        Tracer(exporter: spans, propagation: { _ in propagation }, isSampled: { _ in isSampled }).attach(
            to: proxy)
    }

    func manager() -> ItemManager {
        let manager = ItemManager()
        manager.proxy = proxy
        return manager
    }
}

extension XCTestCase {
    func serve(_ handler: @escaping LoopbackRoute.Handler) throws -> LoopbackServer {
        let server = try LoopbackServer(handler: handler)
        addTeardownBlock { server.stop() }
        return server
    }
}
