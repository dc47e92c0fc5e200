import DiscreteNetworking
import DiscreteNetworkingContracts
import Foundation

/// Fails unless a response has the shape that its contract says.
///
/// ```swift
/// await assertContract(of: manager, with: ["id": 7])                         // calls, through the manager's proxy
/// await assertContract(of: manager, response: try Data(contentsOf: fixture))  // sends nothing
/// ```
/// The first run writes the contract, a JSON file in `__Contracts__` beside the test's own file, and fails to say so:
/// look at it, commit it, and run again. Which drifts break the output is found by decoding.
/// - Parameters:
///   - params: the arguments; without them the param source is asked.
///   - body: a recorded body, in place of a call.
///   - folder: where the contracts are, such as those of `contract-check`.
///   - name: the name of the contract. Default: the manager's type.
///   - severity: the worst that is let pass. Default: what is added.
///   - rules: which strings are enumerations.
///   - isRecording: writes the contract anew, and fails to say so.
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
