import DiscreteNetworking
import DiscreteNetworkingTelemetry
import Foundation
import LoopbackServer
import XCTest

/// Counts and durations of calls.
@MainActor
final class CallMetricsTests: XCTestCase {
    private func lines(_ rows: [CallMetrics.Row]) -> [String] {
        rows.map { row in
            let series = row.series
            return
                "\(series.method) \(series.service)/\(series.endpoint) \(series.host ?? "-") \(series.result) "
                + "\(row.durations.count)"
        }
    }

    func testCallsAndExchangesAreCounted() async throws {
        let count = Locked(0)
        let server = try serve { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch (request.path, number) {
            case ("/items/1", _): return .text("gone", status: 404)
            case (_, 1): return .text("later", status: 503)
            default: return .json(#"{"id":7}"#)
            }
        }
        let shop = Shop(server.baseURL)
        let metrics = CallMetrics()
        shop.proxy.addObserver(metrics)
        let manager = shop.manager()
        manager.retries = RetryPolicy(base: 0)
        manager.policy = .memory
        for _ in 0..<3 { _ = try await manager.load(with: ["id": 7]) }
        _ = try? await manager.load(with: ["id": 1])
        XCTAssertEqual(
            lines(metrics.calls),
            ["GET shop/items/{id} - 4xx 1", "GET shop/items/{id} - cache 2", "GET shop/items/{id} - ok 1"])
        XCTAssertEqual(
            lines(metrics.exchanges),
            [
                "GET shop/items/{id} 127.0.0.1 2xx 1", "GET shop/items/{id} 127.0.0.1 4xx 1",
                "GET shop/items/{id} 127.0.0.1 5xx 1",
            ])
    }

    func testExchangesWithoutAResponseAreCounted() async throws {
        let port = try LoopbackServer.refusedPort()
        let shop = Shop(try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)")))
        let metrics = CallMetrics()
        shop.proxy.addObserver(metrics)
        _ = try? await shop.manager().load(with: ["id": 7])
        XCTAssertEqual(lines(metrics.exchanges), ["GET shop/items/{id} 127.0.0.1 cannotConnect 1"])
        XCTAssertEqual(lines(metrics.calls), ["GET shop/items/{id} - cannotConnect 1"])
    }

    func testSeriesAreLimited() async throws {
        let server = try serve { _ in .json(#"{"id":7}"#) }
        let shop = Shop(server.baseURL)
        let metrics = CallMetrics(limit: 2)
        shop.proxy.addObserver(metrics)
        for number in 0..<5 {
            let manager = shop.manager()
            manager.methodName = "items/\(number)"
            _ = try await manager.load()
        }
        XCTAssertEqual(
            lines(metrics.calls),
            ["GET shop/(other) - ok 3", "GET shop/items/0 - ok 1", "GET shop/items/1 - ok 1"])
    }

    /// A URL may hold a secret, and there are any number of them.
    func testCompleteURLsAreOneEndpoint() async throws {
        let server = try serve { _ in .json(#"{"id":7}"#) }
        let shop = Shop(server.baseURL)
        let metrics = CallMetrics()
        shop.proxy.addObserver(metrics)
        let url = server.baseURL.appendingPathComponent("a-secret-place")
        _ = try await shop.manager().load(at: url)
        XCTAssertFalse(
            "\(metrics.calls)\(metrics.exchanges)\(shop.spans.list.map(\.name))".contains("a-secret-place"))
    }

    func testTheQueryOfAMethodNameIsNotShown() async throws {
        let server = try serve { _ in .json(#"{"id":7}"#) }
        let shop = Shop(server.baseURL)
        let metrics = CallMetrics()
        shop.proxy.addObserver(metrics)
        let manager = shop.manager()
        manager.methodName = "index.php?c=user&token=p4ssw0rd-of-ming"
        _ = try await manager.load()
        let names =
            shop.spans.list.map(\.name) + metrics.calls.map(\.series.endpoint)
            + metrics.exchanges.map(\.series.endpoint)
            + shop.spans.list.flatMap { $0.attributes.values.compactMap(\.string) }
            + ["\(try XCTUnwrap(manager.response?.request?.origin))"]
        XCTAssertTrue(names.contains("GET index.php?c&token"), "\(names)")
        XCTAssertFalse(names.joined().contains("p4ssw0rd"), "\(names)")
    }

    func testHistogramsAddUp() async throws {
        let server = try serve { _ in .json(#"{"id":7}"#) }
        let shop = Shop(server.baseURL)
        let metrics = CallMetrics(bounds: [1e9, 0])
        shop.proxy.addObserver(metrics)
        for _ in 0..<3 { _ = try await shop.manager().load(with: ["id": 7]) }
        let histogram = try XCTUnwrap(metrics.calls.first).durations
        XCTAssertEqual(histogram.bounds, [0, 1e9])
        XCTAssertEqual(histogram.counts, [0, 3, 0])
        XCTAssertGreaterThan(histogram.sum, 0)
    }
}
