package import Foundation

/// Builds the request of an attempt, unless the cache has built it.
package struct RequestStep: CallStep {
    package static let place = StepPlace.request
    package static var uses: [any AttemptState.Type] {
        [ChosenHost.self, UncompressedBody.self]
    }
    let pending: PendingCall

    package func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        if begin(&attempt) {
            do throws(APIError) {
                try await pending.proxy.build(&attempt, plugins: pending.plugins)
            } catch {
                throw .failed(error)
            }
        }
        if let progress = pending.progress { report(to: progress, &attempt) }
        let response = try await rest(&attempt)
        pending.emit(.decoded(response), of: attempt.call)
        return response
    }

    /// Chooses what sends the request.
    /// - Returns: Whether the request has to be built.
    private func begin(_ attempt: inout Attempt) -> Bool {
        attempt.follower = pending.proxy.follower(for: attempt.plan.configured, of: pending.call)
        if attempt.plan.isCarried, let begun = begunRequest(attempt) {
            attempt.take(Box(begun))
            return false
        }
        return attempt.request == nil
    }

    /// The request that an earlier process has sent; `nil` if there is none.
    private func begunRequest(_ attempt: Attempt) -> APIRequest? {
        guard var request = attempt.call.overrides.carrier?.begunRequest,
            let destination = try? attempt.call.destination(
                limit: attempt.plan.configuration.responseSizeLimit)
        else { return nil }
        request.destination = destination
        request.timeout = .infinity
        return request
    }

    private func report(to progress: ProgressReporter, _ attempt: inout Attempt) {
        if let request = attempt.request { attempt.take(Box(request.value.reporting(to: progress))) }
    }
}

extension APIRequest {
    /// Returns the request with an observer of its progress.
    fileprivate func reporting(to progress: ProgressReporter) -> APIRequest {
        var request = self
        let other = onProgress
        let isDownload = if case .file = destination { true } else { false }
        request.onProgress = { step in
            other?(step)
            // Progress of a download is measured as the file is written.
            if isDownload { progress.reportSent(step) } else { progress.report(step) }
        }
        return request
    }
}

/// The host that a step has chosen for the requests of a call.
package struct ChosenHost: AttemptState {
    package static let lifetime = SlotLifetime.environment
    /// The base URL of the service.
    private let base: URL
    /// The base URL of the host.
    package let host: URL

    package init(base: URL, host: URL) { (self.base, self.host) = (base, host) }

    package func alias() throws(InvalidRequestError) -> HostAlias { try HostAlias(of: base, at: host) }
}

// MARK: Building

extension ApiProxy {
    /// Builds the request of an attempt, including its session's authorization.
    @discardableResult
    func build(
        _ attempt: inout Attempt, plugins: [any APIPlugin]
    ) async throws(APIError) -> Box<APIRequest> {
        attempt.takeBodyTransform()
        let isPlain = isPlain(attempt, plugins)
        do {
            let request =
                isPlain
                ? try await generator.request(of: try draft(attempt))
                : try await changedRequest(of: attempt, plugins)
            attempt.take(request)
            return request
        } catch {
            throw self.error(ofBuilding: error, attempt)
        }
    }

    /// Whether nothing but the service changes the request.
    private func isPlain(_ attempt: Attempt, _ plugins: [any APIPlugin]) -> Bool {
        (plugins.isEmpty || attempt.plan.isForeign) && attempt.bodyTransform == nil
            && attempt.compressionSize == nil && !attempt.plan.isLimited
    }

    private func draft(_ attempt: Attempt) throws -> RequestGenerator.Draft {
        try generator.draft(
            of: attempt.call, attempt.plan, attempt.session, attempt[ChosenHost.self]?.alias())
    }

    /// Builds a request of a limited call, or one that the app changes, within the timeout of an attempt.
    private func changedRequest(
        of attempt: Attempt, _ plugins: [any APIPlugin]
    ) async throws -> Box<APIRequest> {
        let (plan, host) = (attempt.plan, try attempt[ChosenHost.self]?.alias())
        let plugins = plan.isForeign ? [] : plugins
        let changes = RequestChanges(
            plugins: plugins, bodyTransform: attempt.bodyTransform,
            compression: attempt.compressionSize.map { size in
                .init(minimumSize: size) { [refusals = compressionRefusals] in refusals.contains($0) }
            })
        // The calls that the service of a limited call makes for it do not wait for it.
        return try await CallContext.exempting(plan.isLimited) {
            try await within(changes.isEmpty ? .infinity : plan.timeout) { [generator] in
                try await generator.request(
                    for: attempt.call, plan, session: attempt.session, at: host, changes)
            }
        }
    }

    /// Returns the error of a call after its request could not be built.
    private func error(ofBuilding error: any Error, _ attempt: Attempt) -> APIError {
        let kind: APIError.Kind =
            switch error {
            case is CancellationError: .cancelled
            case is TimeoutExceeded: .timedOut
            case let error as APIError where error.isOfNesting: error.kind
            default: .invalidRequest(reason: String(describing: error))
            }
        let made = error as? APIError
        let hint =
            kind == .timedOut
            ? "Building the request took longer than \(RequestLocation.text(ofSeconds: attempt.plan.timeout)); see the timeout of the manager or its service, and its plugins and body transforms."
            : made?.isOfNesting == true ? made?.hint : nil
        return self.error(kind, of: attempt.call, underlying: made, hint: hint)
    }
}
