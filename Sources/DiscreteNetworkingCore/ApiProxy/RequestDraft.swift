/// Requests that are built and not sent.
extension ApiProxy {
    /// Returns the request of a call.
    @concurrent
    func draft(_ call: APICall) async throws(APIError) -> APIRequest {
        try await drafted(call) { attempt, request throws(APIError) in
            try await checkLogin(attempt)
            return request.value
        }
    }

    /// - Throws: If the call requires a login and nobody is logged in.
    package func checkLogin(_ attempt: Attempt) async throws(APIError) {
        let call = attempt.call
        guard call.overrides.requiresLogin else { return }
        guard let session = attempt.plan.configured.session else { throw sessionMissing(for: call) }
        do throws(SessionRefusal) {
            guard try await attempt.snapshot(of: session).tokens == nil else { return }
        } catch {
            throw self.error(error, of: call)
        }
        throw error(.loginRequired, of: call)
    }

    /// Builds the request that a call would send now, with the session's current tokens. Does not refresh tokens or ask for a
    /// login.
    @discardableResult
    package func draft(
        _ attempt: inout Attempt, plugins: [any APIPlugin]
    ) async throws(APIError) -> Box<APIRequest> {
        if attempt.plan.configured.session != nil { try await takeSession(&attempt) }
        return try await build(&attempt, plugins: plugins)
    }

    private func takeSession(_ attempt: inout Attempt) async throws(APIError) {
        guard attempt.call.overrides.usesSession, let session = attempt.plan.configured.session else {
            return
        }
        do throws(SessionRefusal) {
            attempt.session = try await attempt.snapshot(of: session)
        } catch {
            throw self.error(error, of: attempt.call)
        }
    }

    /// Builds the request of a call in the current environment of its service.
    package func drafted<Value: Sendable>(
        _ call: APICall, _ use: (Attempt, Box<APIRequest>) async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        var attempt = try attempt(of: call)
        attempt.begin(redaction)
        defer { attempt.scope?.end() }
        return try await CallContext.within(storage: services.memory) {
            await EnvironmentScope.within(attempt.scope) { () -> Result<Value, APIError> in
                do throws(APIError) {
                    let request = try await draft(&attempt, plugins: plugins)
                    return .success(try await use(attempt, request))
                } catch {
                    return .failure(error)
                }
            }
        }.get()
    }
}
