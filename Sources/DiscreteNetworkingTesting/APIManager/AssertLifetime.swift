import DiscreteNetworking

/// When a manager is let go of; see ``assertFreed(_:with:fileID:file:line:_:)``.
public enum ReleaseMoment: Sendable {
    /// While a call is on its way, which is thereby cancelled. It needs no stub.
    case whileLoading
    /// After a call has ended. It needs a stub that answers.
    case afterOutcome
}

/// Fails unless a manager that nobody holds any longer is freed.
///
/// ```swift
/// await assertFreed {
///     let manager = ProductManager()
///     manager.proxy = proxy
///     return manager
/// }
/// ```
/// What keeps a manager is most often a closure of its own that names it, or a strong `delegate` of somebody else's.
/// - Parameters:
///   - moment: when it is let go of.
///   - params: the arguments; without them the param source is asked.
///   - make: makes the manager, and keeps it nowhere.
@MainActor
public func assertFreed<Output>(
    _ moment: ReleaseMoment = .whileLoading, with params: Params? = nil, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line,
    _ make: @MainActor () throws -> TypedAPIManager<Output>
) async rethrows {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let outcome = CallOutcomes()
    let held = Held(try make())
    TestLine.$asserted.withValue(place) {
        StubTransport.$needsNoStubs.withValue(moment == .whileLoading) {
            _ = held.manager?.loadData(with: params) { result in outcome.add(result.map { _ in }) }
        }
    }
    if moment == .afterOutcome { _ = await outcome.first(of: TypedAPIManager<Output>.self, at: place) }
    held.manager = nil
    // A task that the manager started for a moment may still hold it.
    for _ in 0..<100 where held.witness != nil { await Task.yield() }
    guard let leaked = held.witness else { return }
    leaked.cancelAllRequests()
    report(
        "\(type(of: leaked)) should have been freed, but something keeps it. Look for a closure that names it without [weak], and for a strong property that leads back to it.",
        at: place)
}

/// The only one who holds a manager, if all is well.
@MainActor
private final class Held<Output: Decodable & Sendable> {
    var manager: TypedAPIManager<Output>?
    weak var witness: TypedAPIManager<Output>?

    init(_ manager: TypedAPIManager<Output>) {
        self.manager = manager
        witness = manager
    }
}
