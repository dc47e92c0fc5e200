/// The machinery of a policy that has a step.
package protocol StepMaking: PolicyMachinery {
    func step(for policy: any Policy, of pending: PendingCall) -> (any CallStep)?
}

/// The machinery of a ``CachePolicy``. Its step of an attempt notes where the response is stored.
package protocol CacheMaking: StepMaking {
    /// The step that encloses the attempts of a call.
    func outerStep(of pending: PendingCall) -> any CallStep
    /// The step that may use a stale response in place of the failure of a call that was given up; `nil` if none may be used.
    func substitute(for failure: APIError, of attempt: Attempt, _ pending: PendingCall) -> (any CallStep)?
}

extension CachePolicy {
    var maker: (any CacheMaking)? { machinery.value as? any CacheMaking }
}

/// The machinery of a policy that is nothing but a step, for the policy's initializers:
/// `Machinery(StepMaker<Self> { ClosingTimeStep(pending: $1, policy: $0) })`.
package struct StepMaker<Value: Policy>: StepMaking {
    private let make: @Sendable (Value, PendingCall) -> any CallStep

    package init(_ make: @escaping @Sendable (Value, PendingCall) -> any CallStep) { self.make = make }

    package func step(for policy: any Policy, of pending: PendingCall) -> (any CallStep)? {
        (policy as? Value).map { make($0, pending) }
    }
}

/// The machinery of a ``TransferredOutput``.
package struct TransferMaker: PolicyMachinery {
    private let make: @Sendable (_ pending: PendingCall, _ isCarried: Bool) -> any CallStep

    package init(_ make: @escaping @Sendable (_ pending: PendingCall, _ isCarried: Bool) -> any CallStep) {
        self.make = make
    }

    func step(of pending: PendingCall, isCarried: Bool) -> any CallStep { make(pending, isCarried) }
}

extension CallSteps {
    /// Adds the step that a policy brings.
    mutating func add(_ policy: (any Policy)?, of pending: PendingCall) {
        guard let policy, let maker = policy.machinery.value as? any StepMaking,
            let step = maker.step(for: policy, of: pending)
        else { return }
        add(step)
    }
}
