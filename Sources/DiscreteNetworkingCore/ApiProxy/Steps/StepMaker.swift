/// The machinery of a policy that has a step.
package protocol StepMaking: PolicyMachinery {
    func step(for policy: any Policy, of pending: PendingCall) -> (any CallStep)?
}

/// The machinery of a policy that is nothing but a step.
///
/// ```swift
/// extension ClosingTimePolicy {
///     public init(hour: Int) {
///         let maker = StepMaker<Self> {
///             ClosingTimeStep(pending: $1, policy: $0)
///         }
///         self.init(hour: hour, machinery: Machinery(maker))
///     }
/// }
/// ```
package struct StepMaker<Value: Policy>: StepMaking {
    private let make: @Sendable (Value, PendingCall) -> any CallStep

    package init(_ make: @escaping @Sendable (Value, PendingCall) -> any CallStep) { self.make = make }

    package func step(for policy: any Policy, of pending: PendingCall) -> (any CallStep)? {
        (policy as? Value).map { make($0, pending) }
    }
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
