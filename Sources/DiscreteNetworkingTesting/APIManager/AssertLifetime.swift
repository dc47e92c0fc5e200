public import DiscreteNetworkingCore

/// When a manager is released; see ``assertFreed(_:with:fileID:file:line:_:)``.
public enum ReleaseMoment: Sendable {
    /// During a call, which is canceled thereby. No stub is needed.
    case whileLoading
    /// After a call has ended. A stub with an answer is needed.
    case afterOutcome
}

/// Fails unless a manager is deallocated when it is released.
///
/// ```swift
/// await assertFreed {
///     let manager = ProductManager()
///     manager.proxy = proxy
///     return manager
/// }
/// ```
///
/// The most frequent causes of a leak are a closure that captures the manager and a strong reference cycle
/// through a delegate.
/// - Parameters:
///   - moment: When the manager is released.
///   - params: The arguments; `nil` to call the param source.
///   - make: Creates the manager without retaining it.
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
    // A task started by the manager may retain it briefly.
    for _ in 0..<100 where held.witness != nil { await Task.yield() }
    guard let leaked = held.witness else { return }
    leaked.cancelAllRequests()
    report(
        "\(type(of: leaked)) should have been freed, but something keeps it. Look for a closure that names it without [weak], and for a strong property that leads back to it.",
        at: place)
}

/// The only strong reference to a manager, unless it leaks.
@MainActor
private final class Held<Output: Decodable & Sendable> {
    var manager: TypedAPIManager<Output>?
    weak var witness: TypedAPIManager<Output>?

    init(_ manager: TypedAPIManager<Output>) {
        self.manager = manager
        witness = manager
    }
}
