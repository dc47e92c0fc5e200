import DiscreteNetworkingContracts

/// Fails unless all went as the cassette has it: no request without an answer and, where it is replayed exactly, no
/// answer that nobody asked for. Say it at the end of a test.
///
/// ```swift
/// let cassette = CassetteTransport(at: file, mode: .replayExactly)
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
