import DiscreteNetworking
import DiscreteNetworkingContracts
import Foundation
import LoopbackServer
import XCTest

/// A transport made slow and unreliable, by a clock that does not wait.
final class SlowNetworkTests: XCTestCase {
    /// Writes down how long it was asked to wait.
    private final class Waits: APIClock {
        let list = Locked<[TimeInterval]>([])
        var now: Date { Date(timeIntervalSince1970: 0) }
        var uptime: TimeInterval { 0 }
        func sleep(for seconds: TimeInterval) async throws {
            try Task.checkCancellation()
            list.withLock { $0.append(seconds) }
        }
    }

    private struct Echo: Transport {
        var body: ResponseBody?
        var count = Locked(0)
        func send(_ request: APIRequest) async throws -> TransportResponse {
            count.withLock { $0 += 1 }
            return TransportResponse(url: request.url, status: 200, body: body ?? .data(Data(count: 3000)))
        }
        func needsNetwork(for url: URL) -> Bool { url.host == "far.test" }
    }

    private let request = APIRequest(
        url: URL(string: "https://far.test/")!, method: .post, body: .data(Data(count: 500)))

    func testBodiesTakeTheirTime() async throws {
        let waits = Waits()
        let network = SlowNetwork(
            .init(latency: 0.25...0.25, sentPerSecond: 1000, receivedPerSecond: 2000), over: Echo(),
            clock: waits)
        let response = try await network.send(request)
        guard case .data(let data) = response.body else { return XCTFail("\(response.body)") }
        XCTAssertEqual(data.count, 3000)
        XCTAssertEqual(waits.list.current, [0.75, 1.5])
    }

    func testStreamsAreReadAsSlowlyAsTheyAreSent() async throws {
        let waits = Waits()
        let read = Locked(0)
        let pieces = AsyncThrowingStream<Data, any Error> {
            read.withLock { $0 += 1 }
            return read.current > 3 ? nil : Data(count: 1000)
        }
        let network = SlowNetwork(
            .init(receivedPerSecond: 4000), over: Echo(body: .stream(pieces)), clock: waits)
        guard case .stream(let stream) = try await network.send(request).body else { return XCTFail() }
        XCTAssertEqual(read.current, 0)
        var count = 0
        for try await piece in stream { count += piece.count }
        XCTAssertEqual(count, 3000)
        XCTAssertEqual(waits.list.current, [0.25, 0.25, 0.25])
    }

    func testTheSameSeedGivesTheSameNetwork() async throws {
        func run(_ seed: UInt64) async -> ([TimeInterval], [Bool], Int) {
            let (waits, echo) = (Waits(), Echo())
            let network = SlowNetwork(
                .init(latency: 0.1...2, loss: 0.3), over: echo, clock: waits, seed: seed)
            var outcomes: [Bool] = []
            for _ in 0..<1000 { outcomes.append((try? await network.send(request)) != nil) }
            return (waits.list.current, outcomes, echo.count.current)
        }
        let (one, again, other) = (await run(7), await run(7), await run(8))
        XCTAssertEqual(one.0, again.0)
        XCTAssertEqual(one.1, again.1)
        XCTAssertNotEqual(one.0, other.0)
        XCTAssertTrue(one.0.allSatisfy { (0.1...2).contains($0) })
        XCTAssertGreaterThan(Set(one.0).count, 900)
        let lost = one.1.filter { !$0 }.count
        XCTAssertTrue((240...360).contains(lost), "\(lost)")
        // About half of the lost ones have reached the server.
        XCTAssertTrue((90...210).contains(1000 - one.2), "\(one.2)")
    }

    func testLostRequestFailsWithConnectionLost() async throws {
        let network = SlowNetwork(.init(loss: 1), over: Echo())
        do {
            _ = try await network.send(request)
            XCTFail("nothing is lost")
        } catch let error as TransportError {
            XCTAssertEqual(error.kind, .connectionLost)
        }
    }

    func testACallIsCancelledWhileItWaits() async throws {
        let network = SlowNetwork(.init(latency: 3600...3600), over: Echo())
        let task = Task { [request] in try await network.send(request) }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }

    func testPropertiesOfTheWrappedTransportAreKept() throws {
        let network = SlowNetwork(.edge, over: Echo())
        XCTAssertTrue(network.needsNetwork(for: request.url))
        XCTAssertFalse(network.replacesServiceTransport(for: request.url))
    }

    @MainActor
    func testOverASocket() async throws {
        final class ItemManager: APIManager<JSONValue> {
            let serviceIdentifier: ServiceIdentifier = "far"
            let methodName = "items"
            let requestType = HTTPMethod.get
        }
        final class FarService: Service {
            let baseURL: URL
            convenience init() { self.init(URL(fileURLWithPath: "/")) }
            init(_ baseURL: URL) { self.baseURL = baseURL }
        }
        let server = try LoopbackServer { _ in .json(#"{"id":7}"#) }
        defer { server.stop() }
        let waits = Waits()
        let services = ServiceFactory()
        services.register(["far": { [url = server.baseURL] in FarService(url) }])
        let proxy = ApiProxy(
            transport: SlowNetwork(
                .init(latency: 5...5, receivedPerSecond: 4), over: PlatformTransport.make(), clock: waits),
            services: services)
        let manager = ItemManager()
        manager.proxy = proxy
        let value = try await manager.load()
        XCTAssertEqual(value, ["id": 7])
        XCTAssertEqual(waits.list.current, [5, 2])
    }
}
