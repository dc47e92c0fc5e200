/// Managers that are loaded one after the other, each with params made from what came before, typed.
///
/// ```swift
/// let order = try await APIChain(loginManager.with(credentials))
///     .then { login in accountManager.with(["uid": login.uid]) }
///     .then { account in orderManager.with(["account": account.id]) }
///     .load()
/// ```
/// - ``then(_:)``: a step that gets the output of the one before. A closure that returns `nil` skips it.
/// - ``and(_:)-(_)``: the same, but what came before is kept beside its output.
/// - ``thenIfPresent(_:)``: a step after one that may be skipped; if that was, the chain stops here, with
///   `nil`.
///
/// A failure ends the chain; ``BaseAPIGroup/error`` is the manager's, and ``BaseAPIGroup/failedIndex`` says
/// which step's. A step may be a group or a chain itself.
public final class APIChain<Output: Sendable>: TypedAPIGroup<Output> {
    typealias Steps = @MainActor @Sendable (GroupRun) async throws(APIError) -> Output

    private let steps: Steps

    /// A chain of one step.
    public convenience init<Element: APILoadable>(_ element: Element) where Output == Element.Output {
        self.init(total: 1) { run throws(APIError) in try await run.step(0, element) }
    }

    private init(total: Int, steps: @escaping Steps) {
        self.steps = steps
        super.init(total: total) { run in
            do throws(APIError) {
                return .success(try await steps(run))
            } catch {
                return .failure(error)
            }
        }
    }

    /// A chain that goes on from this one.
    /// - Parameter make: what to load; `nil` skips the step, and its output is `nil`.
    public func then<Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Output) -> Next
    ) -> APIChain<Next.Output> {
        adding { earlier, index, run throws(APIError) in try await run.step(index, make(earlier)) }
    }

    /// A chain that goes on from this one, if its last step was not skipped; otherwise it stops there.
    ///
    /// ```swift
    /// let coupon: Coupon? = try await APIChain(loginManager)
    ///     .then { login in login.isMember ? clubManager.with(["uid": login.uid]) : nil }
    ///     .thenIfPresent { club in couponManager.with(["club": club.id]) }
    ///     .load()
    /// ```
    public func thenIfPresent<Wrapped: Sendable, Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Wrapped) -> Next
    ) -> APIChain<Next.Output?> where Output == Wrapped? {
        adding { earlier, index, run throws(APIError) in try await run.step(index, earlier.map(make)) }
    }

    /// A chain that goes on from this one, with the outputs of both.
    /// - Parameter make: what to load; `nil` skips the step, and its output is `nil`.
    public func and<Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Output) -> Next
    ) -> APIChain<(Output, Next.Output)> {
        adding { earlier, index, run throws(APIError) in
            (earlier, try await run.step(index, make(earlier)))
        }
    }

    /// A chain that goes on from this one, with the outputs of all three.
    public func and<First: Sendable, Second: Sendable, Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Output) -> Next
    ) -> APIChain<(First, Second, Next.Output)> where Output == (First, Second) {
        adding { earlier, index, run throws(APIError) in
            let next = try await run.step(index, make(earlier))
            return (earlier.0, earlier.1, next)
        }
    }

    /// A chain that goes on from this one, with the outputs of all four. For more, make a type of them.
    public func and<First: Sendable, Second: Sendable, Third: Sendable, Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Output) -> Next
    ) -> APIChain<(First, Second, Third, Next.Output)> where Output == (First, Second, Third) {
        adding { earlier, index, run throws(APIError) in
            let next = try await run.step(index, make(earlier))
            return (earlier.0, earlier.1, earlier.2, next)
        }
    }

    private func adding<Next: Sendable>(
        _ step: @escaping @MainActor @Sendable (Output, Int, GroupRun) async throws(APIError) -> Next
    ) -> APIChain<Next> {
        let index = progress.total
        return APIChain<Next>(total: index + 1) { [steps] run throws(APIError) in
            try await step(try await steps(run), index, run)
        }
    }
}
