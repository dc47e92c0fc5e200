import DiscreteNetworkingCore

/// Returns the failures of the kit's assertions in a closure, instead of failing the test. For tests of
/// custom assertions.
///
/// ```swift
/// let failures = await collectFailures { await assertSucceeds(manager) }
/// XCTAssertEqual(failures.count, 1)
/// ```
public func collectFailures(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> [TestFailure] {
    let failures = Locked<[TestFailure]>([])
    try await TestFailure.$collector.withValue(
        { failure in failures.withLock { $0.append(failure) } }, operation: body, isolation: isolation)
    return failures.current
}
