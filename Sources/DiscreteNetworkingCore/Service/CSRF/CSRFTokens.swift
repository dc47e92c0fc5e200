import Foundation

/// The CSRF tokens of a service in one environment: fetched once, however many calls wait for one.
final class CSRFTokens: Sendable {
    /// The owner of a token. A token is not used for another owner.
    struct Owner: Hashable, Sendable {
        let usesSession: Bool
        /// The number of logins and logouts of the session.
        let logins: Int
        /// Identifies the user; see ``SessionState/subject``.
        let subject: String?
        /// The number of times the cookie jar was emptied.
        let cookies: Int?
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

    let protection: CSRFProtection
    private let renewals = RenewalOwner()
    private let state = Locked(State())

    init(_ protection: CSRFProtection) { self.protection = protection }

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
            run.waiters[ObjectIdentifier(waiter)] = waiter
            state.runs[owner] = run
            return nil
        }
        guard let awaited else { return answer ?? .deadlock }
        onWait(awaited)
        defer { RenewalGraph.remove(call.renewal, waitsFor: awaited) }
        return await withTaskCancellationHandler {
            await waiter.value
        } onCancel: {
            state.withLock { _ = $0.runs[owner]?.waiters.removeValue(forKey: ObjectIdentifier(waiter)) }
            waiter.fulfil(.failed(CancellationError()))
        }
    }

    /// Starts a fetch, in the environments of the call that needs it.
    private func begin(
        _ owner: Owner, in state: inout State, _ fetch: @escaping @Sendable () async throws -> String
    ) -> Run {
        state.lastNumber += 1
        let number = state.lastNumber
        let scope = EnvironmentScope.of(EnvironmentScope.active)
        let mark = RenewalMark(owner: renewals, number: number)
        state.runs[owner] = Run(number: number)
        Task { @concurrent in
            let outcome: Result<String, any Error>
            do {
                outcome = .success(
                    try await EnvironmentScope.within(scope) {
                        await CallContext.within({ $0.renewal = mark }) { await Result(of: fetch) }
                    }.get())
            } catch {
                outcome = .failure(error)
            }
            scope?.end()
            end(owner, number, outcome)
        }
        return Run(number: number)
    }

    private func end(_ owner: Owner, _ number: Int, _ outcome: Result<String, any Error>) {
        let answer: Answer =
            switch outcome {
            case .success(let value): .token(CSRFToken(value: value, generation: number))
            case .failure(let error): .failed(error)
            }
        let waiters = state.withLock { state -> [Waiter] in
            if case .token(let token) = answer {
                // The tokens of former users are dropped.
                state.tokens = state.tokens.filter { $0.key.usesSession != owner.usesSession }
                state.tokens[owner] = token
            }
            return state.runs.removeValue(forKey: owner).map { Array($0.waiters.values) } ?? []
        }
        for waiter in waiters { waiter.fulfil(answer) }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(of work: @Sendable () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
