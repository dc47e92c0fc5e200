public import DiscreteNetworkingContracts
public import DiscreteNetworkingCore
public import Foundation

/// Fails unless a response matches its contract.
///
/// ```swift
/// // Calls, through the manager's proxy.
/// await assertContract(of: manager, with: ["id": 7])
/// // Sends nothing.
/// await assertContract(of: manager, response: try Data(contentsOf: fixture))
/// ```
///
/// The first run records the contract as a JSON file in `__Contracts__` beside the test file and fails:
/// review it, commit it, and run again. Decoding determines which drifts break the output.
/// - Parameters:
///   - params: The arguments; `nil` to call the param source.
///   - body: A recorded body to check instead of a call.
///   - folder: The directory of the contracts, such as the directory that `contract-check` uses.
///   - name: The name of the contract. Default: the manager's type.
///   - severity: The highest severity that is allowed. Default: additions.
///   - rules: Which strings are enumerations.
///   - isRecording: Whether to record the contract again, which fails the test.
@MainActor
public func assertContract<Output>(
    of manager: TypedAPIManager<Output>, with params: Params? = nil, response body: Data? = nil,
    in folder: URL? = nil, named name: String? = nil, allowing severity: Drift.Severity = .news,
    rules: ContractRules = .standard, record isRecording: Bool = false, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line
) async {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let subject = ContractSubject(manager, params: params, name: name, rules: rules)
    let beside = URL(fileURLWithPath: file.description).deletingLastPathComponent()
    let contracts = ContractFolder(folder ?? beside.appendingPathComponent("__Contracts__"))
    let stored = contracts.file(named: subject.name)
    let records = isRecording || !FileManager.default.fileExists(atPath: stored.path)
    let mode = records ? ContractSubject.Mode.record : .compare
    let result: ContractReport =
        if let body {
            subject.check(response: body, against: contracts, mode: mode)
        } else {
            await TestLine.$asserted.withValue(place) { await subject.check(against: contracts, mode: mode) }
        }
    if let complaint = result.complaint(allowing: severity) { report(complaint, at: place) }
    guard records, result.isRecorded else { return }
    report(
        "\(isRecording ? "" : "There was no contract. ")Recorded \(stored.path). Look at it, and run the test again\(isRecording ? " without `record`" : "").",
        at: place)
}
