import Foundation

@testable import DiscreteNetworking

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
