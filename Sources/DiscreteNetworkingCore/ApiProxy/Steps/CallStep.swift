/// A step of a call: does its part before and after the steps that it encloses.
///
/// ```swift
/// /// Lets no call of an endpoint go out after eight in the evening.
/// struct ClosingTimeStep: CallStep {
///     static let place = StepPlace.admission
///     let pending: PendingCall
///
///     func run(_ attempt: inout Attempt, _ rest: CallSteps)
///         async throws(Interruption) -> APIResponse
///     {
///         guard isOpen(at: pending.proxy.clock.now) else {
///             throw .refused(pending.proxy.error(.vetoed, of: attempt.call))
///         }
///         return try await rest(&attempt)
///     }
/// }
/// ```
/// What a step has to remember while the steps that it encloses run is a local variable; what it leaves to them, or to the
/// next attempt, is in the ``Attempt``. A step that encloses it may not see that: a timeout gives the inner steps a copy.
package protocol CallStep: Sendable {
    static var place: StepPlace { get }
    /// What it reads or leaves in the slots of the attempt.
    static var uses: [any AttemptState.Type] { get }
    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse
}

extension CallStep {
    package static var uses: [any AttemptState.Type] { [] }
}

/// Why a step has no response.
package enum Interruption: Error {
    /// The attempt failed. The session, the service and the policies may retry it.
    case failed(APIError)
    /// The call ends with this error, and is not repeated.
    case refused(APIError)
    /// The call has waited, and nothing was sent. What was decided before the wait may not hold any more: the attempt
    /// begins again.
    case outdated
    /// The call has ended.
    case over

    /// The error; `nil` if there is none.
    package var error: APIError? {
        switch self {
        case .failed(let error), .refused(let error): error
        case .outdated, .over: nil
        }
    }
}

/// The steps that a step encloses, the outermost first.
package struct CallSteps: Sendable {
    private var steps: [any CallStep] = []
    private var index = 0

    /// - Parameter count: The number of steps that most calls have: an array that grows allocates memory again each time.
    init(room count: Int) { steps.reserveCapacity(count) }

    /// Adds a step at its place.
    mutating func add(_ step: any CallStep) {
        var index = steps.count
        while index > 0, type(of: step).place.rawValue < type(of: steps[index - 1]).place.rawValue {
            index -= 1
        }
        steps.insert(step, at: index)
    }

    /// Runs the steps, unless the call has ended: the only place where that is asked between two steps.
    package func callAsFunction(_ attempt: inout Attempt) async throws(Interruption) -> APIResponse {
        // The end of a call cancels its task.
        guard !Task.isCancelled else { throw .over }
        var enclosed = self
        enclosed.index += 1
        #if DEBUG
            let outer = attempt.step
            attempt.step = type(of: steps[index])
            defer { attempt.step = outer }
        #endif
        return try await steps[index].run(&attempt, enclosed)
    }
}
