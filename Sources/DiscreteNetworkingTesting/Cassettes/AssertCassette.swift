public import DiscreteNetworkingContracts

/// Fails unless all requests matched the cassette and, with exact replay, all recordings were used. Call it
/// at the end of a test.
///
/// ```swift
/// let cassette = CassetteTransport(at: file, mode: .replayExactly)
/// services.keepInMemory()
/// manager.proxy = ApiProxy(transport: cassette, services: services)
/// _ = try? await manager.load(with: ["id": 7])
/// assertPlayed(cassette)
/// ```
public func assertPlayed(
    _ cassette: CassetteTransport, fileID: StaticString = #fileID, file: StaticString = #filePath,
    line: UInt = #line
) {
    let problems = cassette.problems
    guard !problems.isEmpty else { return }
    report(
        problems.joined(separator: "\n"), at: TestLine(fileID: fileID, file: file, line: line))
}
