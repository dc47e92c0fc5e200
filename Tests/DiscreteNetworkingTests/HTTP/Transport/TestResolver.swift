import Foundation

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

/// A resolver whose answers a test sets, with the clock of its resolution.
final class TestResolver: HostResolver {
    private struct Silence: Error { let secret = "s3cr3t" }

    /// The answer; `nil` throws.
    let answer: Locked<ResolvedAddresses?>
    /// The hosts that it was asked for.
    let asked = Locked<[String]>([])
    let failures = Locked<[HostResolution.Failure]>([])
    /// Seconds.
    let time = Locked<TimeInterval>(1000)
    /// What it does before it answers.
    private let work: @Sendable (String) async throws -> Void

    init(
        _ addresses: [String]?, for lifetime: TimeInterval = 60,
        work: @escaping @Sendable (String) async throws -> Void = { _ in }
    ) {
        answer = Locked(addresses.map { ResolvedAddresses($0, timeToLive: lifetime) })
        self.work = work
    }

    func addresses(for host: String) async throws -> ResolvedAddresses {
        asked.withLock { $0.append(host) }
        try await work(host)
        guard let answer = answer.current else { throw Silence() }
        return answer
    }

    func set(_ addresses: [String]?, for lifetime: TimeInterval = 60) {
        answer.current = addresses.map { ResolvedAddresses($0, timeToLive: lifetime) }
    }

    func resolution(
        hosts: Set<String>? = nil, timeout: TimeInterval = 60, staleLimit: TimeInterval = 600
    ) -> HostResolution {
        HostResolution(
            self, hosts: hosts, timeout: timeout, staleLimit: staleLimit,
            onFailure: { [failures] failure in failures.withLock { $0.append(failure) } },
            now: { [time] in time.current })
    }
}

extension HostResolution {
    func addresses(for host: String) async -> [String]? { await addresses(for: host, within: .infinity) }
}

/// Asks a service by a manager, for JSON as that of AliDNS and Google.
final class ManagerResolver: HostResolver {
    struct Answer: Decodable, Sendable {
        struct Record: Decodable, Sendable {
            let type: Int
            let lifetime: Double
            let data: String
            enum CodingKeys: String, CodingKey {
                case type
                case lifetime = "TTL"
                case data
            }
        }
        let records: [Record]?
        enum CodingKeys: String, CodingKey { case records = "Answer" }
    }

    let proxy = Locked<ApiProxy?>(nil)
    let asked = Locked<[String]>([])

    @MainActor
    private func manager() -> TestManager<Answer> {
        let manager = TestManager<Answer>()
        manager.serviceIdentifier = .other
        if let proxy = proxy.current { manager.proxy = proxy }
        return manager
    }

    func addresses(for host: String) async throws -> ResolvedAddresses {
        asked.withLock { $0.append(host) }
        let answer = try await manager().load(with: ["name": host, "type": 1])
        let records = (answer.records ?? []).filter { $0.type == 1 }
        return ResolvedAddresses(records.map(\.data), timeToLive: records.map(\.lifetime).min() ?? 60)
    }
}
