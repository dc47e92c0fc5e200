/// A member of ``Service`` that has a default implementation.
package enum ServiceDefault: String, Sendable, Hashable, CaseIterable {
    case configuration, apiVersion, url, extraParams, extraHeaders, credential, encoding, adapt,
        bodyTransform, signer
    case priority, redirectPolicy, accepts, envelope, sessionProblem, intercept, userMessage, retryPolicy
    case circuitBreakerPolicy, varyingFields, cacheIdentity
}

/// Records which default implementations of ``Service`` run, in debug builds: for a test that a service implements a member
/// itself.
package final class DefaultProbe: ServiceProbe {
    private let seen = Locked<Set<ServiceDefault>>([])

    package init() {}

    /// The members that ran their default implementation.
    package var noted: Set<ServiceDefault> { seen.current }

    /// Records while a test asks a service.
    package func record(_ test: () async -> Void) async {
        #if DEBUG
            await CallContext.within({ $0.probe = self }, test)
        #else
            await test()
        #endif
    }

    /// Called by each default implementation. Does nothing in a release build.
    static func note(_ member: ServiceDefault) {
        #if DEBUG
            (CallContext.current.probe as? DefaultProbe)?.add(member)
        #endif
    }

    /// Whether this build records.
    package static var isRecording: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    private func add(_ member: ServiceDefault) { seen.withLock { _ = $0.insert(member) } }
}

// MARK: Arguments

extension APICall {
    /// A call without params to no endpoint.
    package static var neutral: APICall {
        APICall(
            serviceIdentifier: "", methodName: "", requestType: .get, params: [:], outputType: NoContent.self,
            managerType: ManagerType(NoManager.self))
    }

    private final class NoManager {}
}

extension FailureContext {
    /// A timeout of ``APICall/neutral``.
    package static var neutral: FailureContext {
        let call = APICall.neutral
        return FailureContext(call: call, error: APIError(.timedOut, call: call, redaction: .standard))
    }
}
