import Foundation

@testable import DiscreteNetworkingCore

/// Keeps every request until it is answered.
final class ParkedWire: Transport {
    private typealias Item = (request: APIRequest, answer: Promise<TransportResponse>)
    private let items = Locked<[Item]>([])

    func send(_ request: APIRequest) async throws -> TransportResponse {
        let answer = Promise<TransportResponse>()
        items.withLock { $0.append((request, answer)) }
        return await answer.value
    }

    func needsNetwork(for url: URL) -> Bool { true }

    var requests: [APIRequest] { items.withLock { $0.map(\.request) } }
    var count: Int { items.withLock { $0.count } }

    @MainActor
    func answer(_ index: Int, _ make: (APIRequest) -> TransportResponse) {
        let item = items.withLock { $0.remove(at: index) }
        item.answer.fulfil(make(item.request))
    }
}

/// Keeps the user thinking until told what to do.
@MainActor
final class ParkedLogin: SessionLogin {
    private var answers: [Promise<LoginOutcome>] = []

    var count: Int { answers.count }

    func logIn(to session: TokenSession) async -> LoginOutcome {
        let answer = Promise<LoginOutcome>()
        answers.append(answer)
        return await answer.value
    }

    func answer(_ outcome: LoginOutcome) {
        guard !answers.isEmpty else { return }
        answers.removeFirst().fulfil(outcome)
    }
}

/// What a random schedule of calls and sessions runs over: all that leaves the framework is parked, and goes on when its
/// turn comes.
@MainActor
class ParkedStack {
    var random: JSONRandom
    let desk = TokenDesk()
    let wire = ParkedWire()
    let login = ParkedLogin()
    let session: TokenSession
    let stack: Stack

    /// - Parameter limit: how many refreshes the session may make in its window.
    init(
        seed: UInt64, limit: (inout JSONRandom) -> Int, now: @escaping @Sendable () -> Date = { Date() },
        rules change: (inout TestService.Rules) -> Void = { _ in }
    ) {
        random = JSONRandom(seed: seed)
        let session = TokenSession(
            login: login, policy: RefreshPolicy(timeout: .infinity, limit: limit(&random), window: 60),
            refresh: TokenSession.standardRefresh, now: now)
        self.session = session
        stack = Stack(wire) { rules in
            rules.session = session
            rules.timeout = .infinity
            rules.problem = { SessionProblem.byBody($0, at: "id") }
            change(&rules)
        }
    }
}
