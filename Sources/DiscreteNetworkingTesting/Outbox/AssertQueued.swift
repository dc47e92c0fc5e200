public import DiscreteNetworkingCore
public import DiscreteNetworkingOutbox

/// Fails unless an outbox has entries of a manager: waiting, in flight or dead ones.
///
/// ```swift
/// screen.tapLike()
/// assertQueued(LikeManager.self, with: ["id": 7], in: outbox)
/// ```
/// - Parameters:
///   - type: The manager's class.
///   - params: The arguments of the entries; `nil` for any. Values are not shown in the failure, because they may be secret.
///   - outbox: The outbox.
///   - count: The number of entries; 0 if there may be none. Default: 1.
/// - Returns: The entries, in the order in which they were made.
@MainActor
@discardableResult
public func assertQueued<Manager: BaseAPIManager>(
    _ type: Manager.Type, with params: Params? = nil, in outbox: Outbox, count: Int = 1,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
) -> [OutboxEntry] {
    let place = TestLine(fileID: fileID, file: file, line: line)
    guard let name = outbox.name(of: ManagerType(type)) else {
        report("The outbox has no OutboxManager of \(type).", at: place)
        return []
    }
    let all = outbox.entries.filter { $0.manager == name }
    let found = all.filter { params == nil || $0.params == params }
    guard found.count != count else { return found }
    var lines = [
        "The outbox has \(found.count) entries of \(type)\(params == nil ? "" : " with these params"), expected \(count)."
    ]
    for entry in outbox.entries {
        let difference = entry.manager == name ? params.map { names(entry.params, $0) } ?? "" : ""
        lines.append("- \(entry)\(difference)")
    }
    report(lines.joined(separator: "\n"), at: place)
    return found
}

/// The names of the params that differ.
private func names(_ params: Params, _ expected: Params) -> String {
    let (found, expected) = (params.jsonValue.object ?? [:], expected.jsonValue.object ?? [:])
    let names = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
    return names.isEmpty ? "" : ", other values of: \(names.joined(separator: ", "))"
}
