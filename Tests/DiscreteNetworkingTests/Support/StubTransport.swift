import Foundation

@testable import DiscreteNetworking

/// A transport that answers with a closure and remembers what it was asked.
final class StubTransport: Transport {
    typealias Answer = @Sendable (APIRequest) async throws -> TransportResponse

    private let answer: Answer
    private let seen = Locked<[APIRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// Always the same JSON.
    convenience init(
        json: String, status: Int = 200, headers: HTTPFields = ["Content-Type": "application/json"]
    ) {
        self.init { request in
            TransportResponse(
                url: request.url, status: status, headers: headers, body: .data(Data(json.utf8)))
        }
    }

    var requests: [APIRequest] { seen.current }

    func send(_ request: APIRequest) async throws -> TransportResponse {
        seen.withLock { $0.append(request) }
        return try await answer(request)
    }
}

extension TransportResponse {
    init(_ request: APIRequest, json: String, status: Int = 200) {
        self.init(url: request.url, status: status, body: .data(Data(json.utf8)))
    }
}

/// A place where tasks wait until a test opens it, and where the test waits for them to arrive. It heeds
/// no cancellation, unlike a well-behaved transport.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var inside: [CheckedContinuation<Void, Never>] = []
        var arrivals = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (passes, watchers) = state.withLock { state in
                state.arrivals += 1
                let arrivals = state.arrivals
                let reached = state.watchers.filter { $0.count <= arrivals }
                state.watchers.removeAll { $0.count <= arrivals }
                if !state.isOpen { state.inside.append(continuation) }
                return (state.isOpen, reached.map(\.continuation))
            }
            for watcher in watchers { watcher.resume() }
            if passes { continuation.resume() }
        }
    }

    func arrival(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    var arrivals: Int { state.withLock { $0.arrivals } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.inside = [] }
            return state.inside
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Waits until something is so, giving others their turn; a hang is ended by the suite's own time limit.
@MainActor
func until(_ isSo: @MainActor () -> Bool) async {
    while !isSo() { await Task.yield() }
}
