/// Where code runs: the hooks, the unit of work, the environments.
///
/// One task-local value, so that code which is not part of a call leaves all of it at once.
package struct CallContext: Sendable {
    @TaskLocal static var current = CallContext()

    /// The call that runs its hooks; `nil` outside of hooks. A task that a hook has started keeps it.
    var running: (any RunningCall)?
    /// The unit of work; `nil` if there is none.
    var work: UserWork?
    /// The renewal. A task that outlives it keeps it, but no call waits for that number any more.
    var renewal: RenewalMark?
    /// The scope of the calls that start here; `nil` if there is none.
    var deadline: DeadlineScope?
    /// The environments of the work; `nil` if there are none.
    var environments: EnvironmentScope?
    /// What takes the place of the stores of services; `nil` if they use the stores that they declare.
    var storage: (any ServiceStorage)?
    /// Whether calls that start here are not limited, because a limited call waits for them. Also after that call has ended:
    /// another one may have a slot and wait for the same task, as for a token that both need.
    var isExempt = false
    #if DEBUG
        /// What records what a service leaves to the framework; `nil` except in a test of a service. With it, a call would allocate
        /// one more time.
        var probe: (any ServiceProbe)?
    #endif

    /// The context of now with a change.
    static func with(_ change: (inout CallContext) -> Void) -> CallContext {
        var context = current
        change(&context)
        return context
    }

    /// Runs a part of some work in a changed context.
    package static func within<Value, Failure: Error>(
        _ change: (inout CallContext) -> Void, isolation: isolated (any Actor)? = #isolation,
        _ part: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // `withValue` throws any error.
        try await $current.withValue(with(change)) { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await part()) } catch { return .failure(error) }
        }.get()
    }

    /// Runs a part that a call waits for: its calls are not limited if that one is.
    static func exempting<Value>(_ isLimited: Bool, _ part: () async throws -> Value) async throws -> Value {
        guard isLimited, !current.isExempt else { return try await part() }
        return try await within({ $0.isExempt = true }, part)
    }

    /// Runs code of services with a storage in place of their stores; without one, as it is.
    package static func within<Value>(storage: (any ServiceStorage)?, _ part: () async -> Value) async
        -> Value
    {
        guard let storage, storage !== current.storage else { return await part() }
        return await within({ $0.storage = storage }, part)
    }

    /// Runs code that is not part of a call, such as the delegate of a call: outside of its hooks, its environment and the
    /// storage of its service. What it calls is still part of a renewal.
    static func leaving<Value>(_ code: () -> Value) -> Value {
        let now = current
        guard
            now.running != nil || now.work != nil || now.deadline != nil || now.environments != nil
                || now.storage != nil
        else { return code() }
        return $current.withValue(CallContext(renewal: now.renewal, isExempt: now.isExempt), operation: code)
    }
}

extension RenewalMark {
    /// Starts work that calls wait for, and that goes on if they end, in the environments of now.
    @discardableResult
    package func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let scope = EnvironmentScope.of(EnvironmentScope.active)
        return Task { @concurrent in
            await EnvironmentScope.within(scope) {
                await CallContext.within({ $0.renewal = self }) { await work() }
            }
            scope?.end()
        }
    }
}

// MARK: Values of the context

extension APICall {
    /// The maximum depth of calls that are made in hooks of one another.
    static let nestingLimit = 5
}

extension CallContext {
    /// The chain of calls that leads to a new call, outermost first. Each call made the next one in a hook. Empty if
    /// the task was started in the hook of a call that has ended.
    var callers: [String] {
        guard let running, !running.hasEnded else { return [] }
        return running.call.callers + ["\(running.call.serviceIdentifier)/\(running.call.methodName)"]
    }

    /// See ``EnvironmentScope/active``.
    var activeEnvironments: [any AnyScopedEnvironment] { environments?.environments ?? [] }
}

extension UserEpoch {
    /// The epoch of a new call: now, or the start of the unit of work that the call is part of.
    static var now: UserEpoch { CallContext.current.work?.epoch ?? last.current }
}

extension UserWork {
    /// Runs a part of the work.
    package func run<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ part: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await CallContext.within({ $0.work = self }, part)
    }
}

extension EnvironmentScope {
    /// The environments of the current work; empty if there are none, or the work has ended.
    static var active: [any AnyScopedEnvironment] { CallContext.current.activeEnvironments }

    /// Runs a part of the work; without a scope, as it is.
    package static func within<Value, Failure: Error>(
        _ scope: EnvironmentScope?, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let scope else { return try await work() }
        return try await CallContext.within({ $0.environments = scope }, work)
    }
}

/// What takes the place of the stores of services.
package protocol ServiceStorage: AnyObject, Sendable {}

/// What records what a service leaves to the framework.
package protocol ServiceProbe: AnyObject, Sendable {}
