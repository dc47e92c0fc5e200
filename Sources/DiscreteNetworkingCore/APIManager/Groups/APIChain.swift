/// Loads managers one after the other, deriving the params of each from previous outputs.
///
/// ```swift
/// let order = try await APIChain(userManager.with(["id": 7]))
///     .then { user in cartManager.with(["user": user.id]) }
///     .then { cart in orderManager.with(["cart": cart.id]) }
///     .load()
/// ```
///
/// - ``then(_:)``: adds a step that receives the previous output. Returning `nil` skips it.
/// - `and(_:)`: the same, but keeps the previous outputs beside the new one.
/// - ``thenIfPresent(_:)``: adds a step after an optional one; if that was skipped, the chain ends with
///   `nil`.
///
/// A failure ends the chain: ``BaseAPIGroup/error`` is the failed manager's error and
/// ``BaseAPIGroup/failedIndex`` the index of the step. A step may be a group or a chain.
public final class APIChain<Output: Sendable>: TypedAPIGroup<Output> {
    typealias Steps = @MainActor @Sendable (GroupRun) async throws(APIError) -> Output

    private let steps: Steps

    /// Creates a chain of one step.
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

    /// Returns a chain with another step.
    /// - Parameter make: Returns what to load. If it returns `nil`, the step is skipped and its output is `nil`.
    public func then<Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Output) -> Next
    ) -> APIChain<Next.Output> {
        adding { earlier, index, run throws(APIError) in try await run.step(index, make(earlier)) }
    }

    /// Returns a chain with another step, which runs only if the previous one was not skipped.
    ///
    /// ```swift
    /// let order: Order? = try await APIChain(userManager)
    ///     .then { user in
    ///         user.isMember ? cartManager.with(["user": user.id]) : nil
    ///     }
    ///     .thenIfPresent { cart in orderManager.with(["cart": cart.id]) }
    ///     .load()
    /// ```
    public func thenIfPresent<Wrapped: Sendable, Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Wrapped) -> Next
    ) -> APIChain<Next.Output?> where Output == Wrapped? {
        adding { earlier, index, run throws(APIError) in try await run.step(index, earlier.map(make)) }
    }

    /// Returns a chain with another step and the outputs of both.
    /// - Parameter make: Returns what to load. If it returns `nil`, the step is skipped and its output is `nil`.
    public func and<Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Output) -> Next
    ) -> APIChain<(Output, Next.Output)> {
        adding { earlier, index, run throws(APIError) in
            (earlier, try await run.step(index, make(earlier)))
        }
    }

    /// Returns a chain with another step and the outputs of all three.
    public func and<First: Sendable, Second: Sendable, Next: APILoadable>(
        _ make: @escaping @MainActor @Sendable (Output) -> Next
    ) -> APIChain<(First, Second, Next.Output)> where Output == (First, Second) {
        adding { earlier, index, run throws(APIError) in
            let next = try await run.step(index, make(earlier))
            return (earlier.0, earlier.1, next)
        }
    }

    /// Returns a chain with another step and the outputs of all four. For more, combine outputs in a type.
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
