import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// A fetched token.
struct CSRFToken: Sendable {
    /// Empty if a cookie holds the token.
    let value: String
    /// The number of the fetch.
    let generation: Int
}

extension CSRFToken: SecretBearing {
    /// The number of the fetch; never the value.
    var description: String { "CSRFToken(\(generation))" }
}

/// The CSRF tokens of a service in one environment: fetched once, however many calls wait for one.
final class CSRFTokens: Sendable {
    /// The owner of a token. A token is not used for another owner.
    struct Owner: Hashable, Sendable {
        let usesSession: Bool
        /// The number of logins and logouts of the session.
        let logins: Int
        /// Identifies the user.
        let subject: String?
        /// Where the cookies are.
        let cookies: CookiePlace?
        /// The origin of the host that the token is for.
        let host: String

        init(
            _ call: APICall, _ configured: ConfiguredService, _ cookies: (any CookieKeeping)?, at host: URL
        ) {
            self.host = host.origin
            usesSession = call.overrides.usesSession
            let login = configured.session?.loginAndSubject
            logins = login?.logins ?? 0
            subject = usesSession ? login?.subject : nil
            self.cookies = cookies?.place
        }

        /// Whether one of both has followed the other.
        func hasSamePlace(as other: Owner) -> Bool { usesSession == other.usesSession && host == other.host }
    }

    /// The outcome of a wait.
    enum Answer: Sendable {
        case token(CSRFToken)
        case failed(any Error)
        /// The call is part of the fetch, or of what the fetch waits for: it is sent without a token.
        case deadlock
    }

    private typealias Waiter = Promise<Answer>

    private struct Run: Sendable {
        let number: Int
        var waiters: [ObjectIdentifier: Waiter] = [:]
    }

    private struct State: Sendable {
        var tokens: [Owner: CSRFToken] = [:]
        var runs: [Owner: Run] = [:]
        var lastNumber = 0
    }

    private let renewals = RenewalOwner()
    private let state = Locked(State())

    /// The token that is known; `nil` if none was fetched for the owner.
    func token(of owner: Owner) -> CSRFToken? { state.withLock { $0.tokens[owner] } }

    /// Returns a token, and fetches it if needed.
    /// - Parameters:
    ///   - rejected: The generation of the token that the backend has rejected; `nil` for none.
    ///   - onWait: Called before it waits.
    ///   - fetch: Fetches a token, in a task of its own that continues if the call ends.
    func token(
        of owner: Owner, newerThan rejected: Int?, for call: APICall, onWait: (RenewalMark) -> Void,
        fetch: @escaping @Sendable () async throws -> String
    ) async -> Answer {
        let waiter = Waiter()
        var awaited: RenewalMark?
        let answer = state.withLock { state -> Answer? in
            if let token = state.tokens[owner], token.generation > rejected ?? 0 { return .token(token) }
            var run = state.runs[owner] ?? begin(owner, in: &state, fetch)
            let mark = RenewalMark(owner: renewals, number: run.number)
            guard RenewalGraph.add(call.renewal, waitsFor: mark) else { return .deadlock }
            awaited = mark
            run.waiters[waiter.id] = waiter
            state.runs[owner] = run
            return nil
        }
        guard let awaited else { return answer ?? .deadlock }
        onWait(awaited)
        defer { RenewalGraph.remove(call.renewal, waitsFor: awaited) }
        return await withTaskCancellationHandler {
            await waiter.value
        } onCancel: {
            state.withLock { _ = $0.runs[owner]?.waiters.removeValue(forKey: waiter.id) }
            waiter.fulfil(.failed(CancellationError()))
        }
    }

    /// Starts a fetch, in the environments of the call that needs it.
    private func begin(
        _ owner: Owner, in state: inout State, _ fetch: @escaping @Sendable () async throws -> String
    ) -> Run {
        state.lastNumber += 1
        let number = state.lastNumber
        let mark = RenewalMark(owner: renewals, number: number)
        state.runs[owner] = Run(number: number)
        mark.start {
            do {
                let value = try await fetch()
                self.end(owner, .token(CSRFToken(value: value, generation: number)))
            } catch {
                self.end(owner, .failed(error))
            }
        }
        return Run(number: number)
    }

    private func end(_ owner: Owner, _ answer: Answer) {
        let waiters = state.withLock { state -> [Waiter] in
            if case .token(let token) = answer {
                // One token at each place: of the last user, also if a fetch for a former one ends later.
                let rivals = state.tokens.keys.filter(owner.hasSamePlace)
                if rivals.allSatisfy({ $0.logins <= owner.logins }) {
                    for rival in rivals { state.tokens[rival] = nil }
                    state.tokens[owner] = token
                }
            }
            return state.runs.removeValue(forKey: owner).map { Array($0.waiters.values) } ?? []
        }
        for waiter in waiters { waiter.fulfil(answer) }
    }
}
