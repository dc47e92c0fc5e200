/// Loads managers concurrently, with typed outputs.
///
/// ```swift
/// let (user, feed) = try await APIGroup(
///     userManager.with(["id": 7]), feedManager
/// ).load()
/// // An array of one type.
/// let products = try await APIGroup(managers, limit: 4).load()
/// // A Result for each.
/// let results = await APIGroup(userManager, feedManager).loadAll()
/// ```
///
/// The first failure cancels the other members, unless ``failsFast`` is `false`. A member may be a group, a
/// chain, or an optional.
public final class APIGroup<Output: Sendable>: TypedAPIGroup<Output> {
    typealias Member = @MainActor @Sendable () async -> GroupRun.Answer

    /// Whether the first failure cancels the other members. Default: `true`.
    ///
    /// If `false`, all members run to completion. The group then reports the error of the first failed member, in the
    /// order of the members.
    public var failsFast = true

    override var cancelsRest: Bool { failsFast }

    /// Whether the group was created with an array.
    private let isArray: Bool

    /// Creates a group of members with different outputs.
    /// - Parameter limit: The maximum number of concurrent members, at least 1.
    public init<each Element: APILoadable>(_ member: repeat each Element, limit: Int = .max)
    where Output == (repeat (each Element).Output) {
        isArray = false
        var members: [Member] = []
        for element in repeat each member { members.append(Self.erased(element)) }
        super.init(total: members.count) { [members] run in
            await Self.load(members, limit, run) { values in
                var values = ErasedValues(values)
                return (repeat values.next((each Element).Output.self))
            }
        }
    }

    /// Creates a group of members with the same output.
    /// - Parameter limit: The maximum number of concurrent members, at least 1.
    public init<Element: APILoadable>(_ elements: [Element], limit: Int = .max)
    where Output == [Element.Output] {
        isArray = true
        let members = elements.map { Self.erased($0) }
        super.init(total: members.count) { run in
            await Self.load(members, limit, run) { values in
                var values = ErasedValues(values)
                return elements.map { _ in values.next(Element.Output.self) }
            }
        }
    }

    /// Loads all members, regardless of failures, and returns a result for each.
    @_disfavoredOverload  // An array of members is a tuple of one array too, to the compiler.
    public func loadAll<each Value>() async -> (repeat Result<each Value, APIError>)
    where Output == (repeat each Value) {
        let outcome = await run(.collecting)
        var answers = ErasedAnswers(isArray ? [outcome.result.map { $0 }] : outcome.answers)
        return (repeat answers.next((each Value).self))
    }

    /// Loads all members, regardless of failures, and returns a result for each.
    public func loadAll<Value>() async -> [Result<Value, APIError>] where Output == [Value] {
        let outcome = await run(.collecting)
        guard isArray else {
            // One member, whose output is an array.
            switch outcome.result {
            case .success(let values): return values.map { .success($0) }
            case .failure(let error): return [.failure(error)]
            }
        }
        var answers = ErasedAnswers(outcome.answers)
        return outcome.answers.map { _ in answers.next(Value.self) }
    }

    private static func erased<Element: APILoadable>(_ element: Element) -> Member {
        {
            do throws(APIError) {
                return .success(try await element.loadAsMember())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs on the main actor, so that members start in order.
    private static func numbered(
        _ index: Int, _ member: @escaping Member
    ) -> @MainActor @Sendable () async -> (Int, GroupRun.Answer) {
        { (index, await member()) }
    }

    private static func load(
        _ members: [Member], _ limit: Int, _ run: GroupRun,
        _ output: @MainActor ([any Sendable]) -> Output
    ) async -> Result<Output, APIError> {
        let limit = min(max(1, limit), members.count)
        await withTaskGroup(of: (Int, GroupRun.Answer).self) { tasks in
            for index in 0..<limit {
                tasks.addTask(operation: numbered(index, members[index]))
            }
            var next = limit
            for await (index, answer) in tasks {
                run.finish(index, answer)
                if run.cancelsRest, run.failedIndex != nil {
                    tasks.cancelAll()
                } else if next < members.count {
                    tasks.addTask(operation: numbered(next, members[next]))
                    next += 1
                }
            }
        }
        if let index = run.failedIndex, case .failure(let error)? = run.answers[index] {
            return .failure(error)
        }
        return .success(output(run.answers.compactMap { try? $0?.get() }))
    }
}

/// Restores the types of the members' outputs, in order.
private struct ErasedValues {
    private var values: IndexingIterator<[any Sendable]>

    init(_ values: [any Sendable]) { self.values = values.makeIterator() }

    /// The cast cannot fail: each value is the output of the member with the same index.
    mutating func next<Value>(_: Value.Type) -> Value { values.next() as! Value }
}

/// Restores the types of the members' results, in order.
private struct ErasedAnswers {
    private var answers: IndexingIterator<[GroupRun.Answer?]>

    init(_ answers: [GroupRun.Answer?]) { self.answers = answers.makeIterator() }

    /// Every member has a result if all run to completion.
    mutating func next<Value>(_: Value.Type) -> Result<Value, APIError> {
        answers.next()!!.map { $0 as! Value }
    }
}
