/// The machinery of a policy that is a step.
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
package struct StepMaker<Value>: PolicyMachinery {
    fileprivate let make: @Sendable (Value, PendingCall) -> any CallStep

    package init(_ make: @escaping @Sendable (Value, PendingCall) -> any CallStep) { self.make = make }
}

extension CallSteps {
    /// Adds the step that a policy brings.
    mutating func add<Brought: Policy>(_ policy: Brought?, of pending: PendingCall) {
        guard let policy, let maker = policy.machinery.value as? StepMaker<Brought> else { return }
        add(maker.make(policy, pending))
    }
}
