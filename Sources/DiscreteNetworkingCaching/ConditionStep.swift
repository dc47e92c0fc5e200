import DiscreteNetworkingCore

/// Notes where the response is stored, and for ``CachePolicy/Mode/revalidate`` asks the server whether the one that is stored
/// there is still valid (RFC 9110 section 13).
struct ConditionStep: CallStep {
    static let place = StepPlace.condition
    static var uses: [any AttemptState.Type] { [ResponsePlace.self] }
    let pending: PendingCall
    let store: ResponseStore

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        if attempt.cachePlace == nil { attempt.takeCachePlace(store.changes) }
        guard attempt.cachePolicy.mode == .revalidate, !attempt.ignoresCache else {
            return try await rest(&attempt)
        }
        return try await revalidated(&attempt, rest)
    }

    private func revalidated(
        _ attempt: inout Attempt, _ rest: CallSteps
    ) async throws(Interruption) -> APIResponse {
        guard let stored = await storedResponse(attempt), let request = attempt.request,
            let conditional = request.value.conditional(on: stored)
        else { return try await rest(&attempt) }
        attempt.take(Box(conditional))
        attempt.isConditional = true
        // The condition does not distinguish requests.
        defer { (attempt.request, attempt.isConditional) = (request, false) }
        let response = try await rest(&attempt)
        return response.status == 304 ? validated(stored, by: response, attempt) : response
    }

    /// Regardless of its age: the server validates it.
    private func storedResponse(_ attempt: Attempt) async -> APIResponse? {
        let responses = StoredResponses(pending: pending, store: store)
        switch await responses.lookUp(attempt, extra: .infinity) {
        case .hit(let stored, _):
            if let response = await responses.read(stored, age: 0, attempt) { return response }
            responses.noteMiss(.unreadable, attempt)
        case .miss(let reason): responses.noteMiss(reason, attempt)
        }
        return nil
    }

    /// Returns the cached response with the headers of the 304 response (RFC 9111 section 4.3.4).
    private func validated(
        _ stored: APIResponse, by received: APIResponse, _ attempt: Attempt
    ) -> APIResponse {
        var headers = received.headers
        headers["Content-Length"] = nil
        pending.emit(.servedFromCache(age: 0), of: attempt.call)
        return stored.updated(with: headers)
    }
}

extension APIRequest {
    /// Returns the request with a condition for the cached response (RFC 9110 sections 13.1.2 and 13.1.3).
    /// - Returns: `nil` if the cached response has no validator that can be sent.
    fileprivate func conditional(on stored: APIResponse) -> APIRequest? {
        let conditions: [(validator: HTTPFields.Name, name: HTTPFields.Name)] = [
            ("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since"),
        ]
        for condition in conditions {
            guard let value = stored.headers[condition.validator],
                // With a control character, the request could not be sent, and no later one.
                (try? HTTPFields([.init(name: condition.name, value: value)]).validate()) != nil
            else { continue }
            var request = self
            request.headers[condition.name] = value
            return request
        }
        return nil
    }
}
