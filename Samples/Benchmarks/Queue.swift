import DiscreteNetworking
import Foundation

extension ServiceIdentifier { static let narrow: Self = "narrow" }

final class NarrowService: Service {
    let baseURL = URL(string: "https://api.example.com")!
    let configuration = ServiceConfiguration(concurrencyLimit: 2)
}

final class NarrowManager: APIManager<Item> {
    let serviceIdentifier = ServiceIdentifier.narrow
    var methodName = "item"
    let requestType = HTTPMethod.get
    var ownLimit: Int?
    var ownPriority = CallPriority.normal
    override var concurrencyLimit: Int? { ownLimit }
    override var priority: CallPriority? { ownPriority }
}

/// Never answers.
private struct SilentTransport: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        try await Task.sleep(nanoseconds: .max)
        throw CancellationError()
    }
}

private final class Counter: APICallObserver {
    let waiting = Locked(0)
    let finished = Locked(0)

    func observe(_ event: APICallEvent) {
        switch event.kind {
        case .waiting(for: .otherCalls): waiting.withLock { $0 += 1 }
        case .finished: finished.withLock { $0 += 1 }
        default: break
        }
    }
}

/// What it costs that calls wait for a limit and are canceled, whole calls with their managers.
///
///     swift run -c release Benchmarks --queue [--quick]
enum Queue {
    @MainActor
    static func run(isQuick: Bool) async throws {
        ServiceFactory.shared.register([.narrow: NarrowService.self])
        var costs: [(queue: Double, cancel: Double)] = []
        let counts = isQuick ? [2500, 10_000] : [25_000, 100_000]
        // The first run warms up and does not count.
        for count in [counts[0]] + counts { costs.append(try await microseconds(count)) }
        let (few, many) = (costs[1], costs[2])
        print(
            "\nCPU per call with \(counts[1]) calls that wait for a limit: \(many.queue.text(1)) µs to queue,",
            "\(many.cancel.text(1)) µs to cancel; against \(counts[0]): ratio",
            "\((many.queue / few.queue).text(2)) and \((many.cancel / few.cancel).text(2))")
    }

    /// Half of the calls wait for a full endpoint, in front of the others.
    @MainActor
    private static func microseconds(_ count: Int) async throws -> (queue: Double, cancel: Double) {
        let proxy = ApiProxy(transport: SilentTransport())
        let counter = Counter()
        proxy.addObserver(counter)
        let managers = (0..<count + 2).map { number in
            let manager = NarrowManager()
            manager.proxy = proxy
            manager.ownPriority = [.low, .normal, .high][number % 3]
            if number % 2 == 0 { (manager.methodName, manager.ownLimit) = ("full", 1) }
            return manager
        }
        let queue = try await Cost.of {
            for manager in managers { manager.loadData(with: [:]) }
            while counter.waiting.current < count { try await Task.sleep(nanoseconds: 1_000_000) }
        }
        let cancel = try await Cost.of {
            for manager in managers { manager.cancelAllRequests() }
            while counter.finished.current < count + 2 { try await Task.sleep(nanoseconds: 1_000_000) }
        }
        return (queue.cpu / Double(count) * 1e6, cancel.cpu / Double(count) * 1e6)
    }
}
