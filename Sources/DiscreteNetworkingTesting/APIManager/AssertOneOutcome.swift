import DiscreteNetworking

/// Fails unless a call is told exactly once, to its closure and to the manager's delegate alike. A veto, and a result
/// that is held back, are not told to the delegate.
///
/// ```swift
/// await assertOneOutcome(manager, with: ["id": 7])
/// ```
/// - Parameter params: the arguments; without them the param source is asked.
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
    // Whoever tells it once more from a task of its own has had its turn by then.
    for _ in 0..<100 { await Task.yield() }

    var expected = 1
    if case .failure(let error) = result, error.kind == .vetoed || error.kind == .intercepted { expected = 0 }
    guard recorder.events.count != expected else { return }
    let told = recorder.events.map(\.description).joined(separator: ", ")
    report(
        "\(type(of: manager)) should have told its delegate \(expected == 1 ? "once" : "nothing"), but told it \(recorder.events.count) times: \(told).",
        at: place)
}
