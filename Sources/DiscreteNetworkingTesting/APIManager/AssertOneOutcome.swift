public import DiscreteNetworkingCore

/// Fails unless a call delivers exactly one outcome to its closure and to the manager's delegate. A vetoed
/// call and a withheld outcome are not delivered to the delegate.
///
/// ```swift
/// await assertOneOutcome(manager, with: ["id": 7])
/// ```
///
/// - Parameter params: The arguments; `nil` to call the param source.
@MainActor
public func assertOneOutcome<Output>(
    _ manager: TypedAPIManager<Output>, with params: Params? = nil, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line
) async {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let before = manager.delegate
    let recorder = ManagerRecorder(manager, .delegate)
    defer { manager.delegate = before }
    let result = await load(manager, with: params, assertedAt: place)
    // Lets tasks run that might deliver the outcome again.
    for _ in 0..<100 { await Task.yield() }

    var expected = 1
    if case .failure(let error) = result, error.kind == .vetoed || error.kind == .swallowed { expected = 0 }
    guard recorder.events.count != expected else { return }
    report(
        "The delegate of \(type(of: manager)) should have received \(expected == 1 ? "one outcome" : "no outcome"), but received \(ManagerEvent.list(recorder.events)).",
        at: place)
}
