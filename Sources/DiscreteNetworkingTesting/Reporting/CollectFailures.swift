import DiscreteNetworking

/// Does something, and answers the failures that the kit's assertions found in it, instead of failing the test. For
/// the tests of one's own assertions that are made from the kit's.
///
/// ```swift
/// let failures = await collectFailures { await assertSucceeds(brokenManager) }
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
