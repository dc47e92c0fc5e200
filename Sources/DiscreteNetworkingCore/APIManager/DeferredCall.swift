/// The user and the environment of a call that is saved and sent later.
package struct CallIdentity: Sendable, Hashable, Codable {
    /// ``SessionTokens/user``; `nil` for a call without a session.
    package let user: String?
    /// The name of the environment; `nil` for a service without environments.
    package let environment: String?

    package init(user: String?, environment: String?) {
        self.user = user
        self.environment = environment
    }
}

/// Why a call has no ``CallIdentity``.
package enum CallIdentityProblem: Error {
    case serviceNotRegistered(ServiceIdentifier)
    case loggedOut
    /// The tokens have no ``SessionTokens/user``.
    case userUnknown
    /// The store of the session cannot be read yet.
    case sessionUnavailable(CredentialStoreError)
}

/// The outcome of a saved call.
package enum DeferredOutcome<Output: Sendable>: Sendable {
    case succeeded(Output)
    /// - Parameter mayHaveActed: Whether the server may have done what an attempt of the call asked for.
    case failed(APIError, mayHaveActed: Bool)
    /// Nothing was sent: the user, or the environment, is another one.
    case otherIdentity(CallIdentity)
    case withoutIdentity(CallIdentityProblem)
}

/// The user and the environment of the moment at which it is made, for a call that is saved after a wait.
@MainActor
package struct CallMoment {
    private let manager: BaseAPIManager
    private let epoch = UserEpoch.now
    private let environments: EnvironmentScope?

    /// - Parameter manager: A manager of the call.
    package init(_ manager: BaseAPIManager) {
        self.manager = manager
        environments = (try? manager.ownService())?.inOneEnvironment {
            EnvironmentScope.of(EnvironmentScope.active)
        }
    }

    /// The identity of the call. Ask for it again after each wait.
    /// - Throws: ``CallIdentityProblem/loggedOut`` if the user of the moment has left, whoever has logged in since.
    package var identity: CallIdentity {
        get async throws(CallIdentityProblem) {
            try await EnvironmentScope.within(environments) { () async throws(CallIdentityProblem) in
                try await manager.loadSession()
                let identity = try manager.currentIdentity().0
                guard try manager.isUser(at: epoch) else { throw .loggedOut }
                return identity
            }
        }
    }
}

extension BaseAPIManager {
    /// Reads the store of the session that this manager uses, without blocking the main actor.
    fileprivate func loadSession() async throws(CallIdentityProblem) {
        if let session = try usedSession() { await session.load() }
    }

    fileprivate func isUser(at epoch: UserEpoch) throws(CallIdentityProblem) -> Bool {
        try usedSession()?.here.isUser(at: [epoch]) ?? true
    }

    private func usedSession() throws(CallIdentityProblem) -> TokenSession? {
        usesSession ? session(of: try ownService()) : nil
    }

    fileprivate func ownService() throws(CallIdentityProblem) -> any Service {
        let identifier = (self as? any APIManagerChild)?.serviceIdentifier ?? ""
        guard let service = proxy.services.service(for: identifier) else {
            throw .serviceNotRegistered(identifier)
        }
        return service
    }

    private func session(of service: any Service) -> TokenSession? {
        (self as? any APIManagerChild).flatMap {
            proxy.services.configuration(for: $0.serviceIdentifier)?.session
        }
    }

    /// Returns the identity, and the environments that it was read in.
    fileprivate func currentIdentity() throws(CallIdentityProblem) -> (CallIdentity, EnvironmentScope?) {
        let service = try ownService()
        let result = service.inOneEnvironment {
            () -> Result<(CallIdentity, EnvironmentScope?), CallIdentityProblem> in
            let (name, scope) = (service.environmentName, CallContext.current.environments)
            guard usesSession, let session = session(of: service) else {
                return .success((CallIdentity(user: nil, environment: name), scope))
            }
            guard let tokens = session.tokens else {
                return .failure(
                    session.storeFailure.map(CallIdentityProblem.sessionUnavailable) ?? .loggedOut)
            }
            guard let user = tokens.user else { return .failure(.userUnknown) }
            return .success((CallIdentity(user: user, environment: name), scope))
        }
        return try result.get()
    }
}

extension BaseAPIManager {
    /// Does what a saved call needs, for its user and in its environment.
    /// - Returns: `nil` if these are not the current ones.
    package func within<Value: Sendable>(
        _ identity: CallIdentity, _ work: () async -> Value?
    ) async -> Value? {
        try? await loadSession()
        let users = UserWork()
        defer { users.end() }
        guard let (now, scope) = try? currentIdentity(), now == identity else { return nil }
        defer { scope?.end() }
        return await users.run { await EnvironmentScope.within(scope) { await work() } }
    }
}

extension TypedAPIManager {
    /// Makes a saved call, if it belongs to the current user and environment.
    ///
    /// The call never gets the tokens of another user, even if the user changes meanwhile. It belongs to the user of
    /// its epoch, and the epoch begins before the users are compared.
    /// - Parameter carrier: Sends the requests in place of the proxy.
    package func load(
        with params: Params, for identity: CallIdentity, key: IdempotencyKey,
        over carrier: (any CallCarrier)? = nil
    ) async -> DeferredOutcome<Output> {
        do throws(CallIdentityProblem) {
            try await loadSession()
            let work = UserWork()
            defer { work.end() }
            let (now, scope) = try currentIdentity()
            guard now == identity else { return .otherIdentity(now) }
            defer { scope?.end() }
            return await work.run {
                await EnvironmentScope.within(scope) { await outcome(of: params, key, carrier) }
            }
        } catch {
            return .withoutIdentity(error)
        }
    }

    private func outcome(
        of params: Params, _ key: IdempotencyKey, _ carrier: (any CallCarrier)?
    ) async -> DeferredOutcome<Output> {
        let mayHaveActed = Locked(false)
        do throws(APIError) {
            return .succeeded(
                try await answer {
                    send(
                        reform(params), key: key, over: carrier, refusing: $0,
                        ending: { mayHaveActed.current = $0.mayHaveActed }, completion: $1)
                })
        } catch {
            return .failed(error, mayHaveActed: mayHaveActed.current)
        }
    }
}
