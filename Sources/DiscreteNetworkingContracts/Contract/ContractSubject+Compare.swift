import DiscreteNetworkingCore
import Foundation

/// A response to compare.
struct Received {
    let response: TransportResponse
    let body: ReceivedBody
    let params: Params?
    /// Why the manager's validator rejected it.
    var refusal: String?

    /// The body; `nil` if it is not JSON.
    var json: JSONValue? { if case .json(let body) = body { body } else { nil } }
    var isJSON: Bool { json != nil }
}

enum ReceivedBody {
    case json(JSONValue)
    case empty
    case unreadable(JSONError)

    init(_ data: Data) {
        guard !data.isEmpty else {
            self = .empty
            return
        }
        do {
            self = .json(try JSONValue(parsing: data))
        } catch {
            self = .unreadable(error)
        }
    }
}

extension ContractSubject {
    func check(_ received: [Received], against folder: ContractFolder, mode: Mode) -> ContractReport {
        do throws(ContractError) {
            let old = try folder.read(name)
            if mode != .compare { return try record(received, old, in: folder, mode) }
            guard let old else {
                throw ContractError(
                    "There is no contract \(folder.file(named: name).lastPathComponent); record it first.")
            }
            var report = try compare(received, with: old.contract)
            if old.origin == .description, received.contains(where: \.isJSON) {
                try folder.write(completed(old, by: received.compactMap(\.json)))
                report.isRecorded = true
            }
            return report
        } catch {
            return failed(error.message)
        }
    }

    private func probe(for one: Received) throws(ContractError) -> DecodingProbe {
        guard let probe = probe(one.params) else {
            throw ContractError("No service is registered under \"\(service)\".")
        }
        return probe
    }

    // MARK: Recording

    private func record(
        _ received: [Received], _ old: ContractFile?, in folder: ContractFolder, _ mode: Mode
    ) throws(ContractError) -> ContractReport {
        var report = ContractReport(name: name, endpoint: endpoint, service: service)
        var bodies: [JSONValue] = []
        for one in received {
            switch one.body {
            case .json(let body): bodies.append(body)
            case .empty: break
            case .unreadable(let error): throw Self.shapeless(error)
            }
            let failure = try probe(for: one).failure(reading: one.response)
            if case .business? = failure { throw Self.refused(failure) }
            report.failure = report.failure ?? failure.map(DriftJudge.text) ?? Self.refusal(one)
        }
        try folder.write(file(recording: bodies, old, mode))
        report.isRecorded = true
        return report
    }

    private func file(recording bodies: [JSONValue], _ old: ContractFile?, _ mode: Mode) -> ContractFile {
        if let old, old.origin != .responses { return completed(old, by: bodies) }
        // Fields with `"values": "any"` keep it.
        let opened = Contract(fields: old?.contract.fields.filter { $0.value.values == .any } ?? [:])
        let contract =
            mode == .update
            ? (old?.contract ?? Contract()).merging(recording: bodies, rules: rules)
            : Contract(recording: bodies, rules: rules.keeping(opened))
        return ContractFile(name: name, endpoint: endpoint, service: service, contract: contract)
    }

    private func completed(_ described: ContractFile, by bodies: [JSONValue]) -> ContractFile {
        ContractFile(
            name: name, endpoint: endpoint, service: service,
            contract: described.contract.completed(by: bodies), origin: .both)
    }

    // MARK: Comparing

    private func compare(
        _ received: [Received], with contract: Contract
    ) throws(ContractError) -> ContractReport {
        var report = ContractReport(name: name, endpoint: endpoint, service: service)
        var drifts: [String: Drift] = [:]
        let bodies = received.compactMap { if case .json(let body) = $0.body { body } else { nil } }
        for drift in contract.compare(bodies) { drifts[drift.id] = drift }
        for one in received {
            let (own, failure) = try judge(one, with: contract)
            report.failure = report.failure ?? failure
            // A field missing in one of several responses is only optional over all of them.
            for drift in own where drift.severity == .breaking || drifts.isEmpty { drifts[drift.id] = drift }
        }
        report.drifts = drifts.sorted { $0.key < $1.key }.map(\.value)
        report.details = drifts.mapValues { DriftDetail(of: $0, in: contract, bodies) }
        if report.verdict != .breaking { report.failure = received.lazy.compactMap(Self.refusal).first }
        return report
    }

    private func judge(
        _ one: Received, with contract: Contract
    ) throws(ContractError) -> ([Drift], failure: String?) {
        let probe = try probe(for: one)
        let failure = probe.failure(reading: one.response)
        guard case .json(let body) = one.body else {
            guard let field = contract.fields[FieldPath()] else {
                if case .unreadable(let error) = one.body { throw Self.shapeless(error) }
                return ([], failure.map(DriftJudge.text))
            }
            var drift = Drift(.removed(was: field), at: FieldPath())
            drift.reason = failure.map(DriftJudge.text)
            if failure != nil { drift.severity = .breaking }
            return ([drift], nil)
        }
        let drifts = contract.compare(body)
        if case .business? = failure,
            !drifts.contains(where: { drift in probe.codePaths.contains { drift.isAt($0) } })
        {
            throw Self.refused(failure)
        }
        let judge = DriftJudge(repair: DriftRepair(contract: contract)) { body in
            var changed = one.response
            changed.body = .data(body.canonicalData)
            return probe.failure(reading: changed)
        }
        return judge.judge(drifts, in: body, failing: failure)
    }

    // MARK: Text

    private static func refusal(_ one: Received) -> String? {
        one.refusal.map { "the manager's validator refuses it: \(Redaction.standard.redacted(text: $0))" }
    }

    private static func refused(_ failure: APIError.Kind?) -> ContractError {
        guard case .business(let code, let message)? = failure else {
            return ContractError("The endpoint refused the call.")
        }
        return ContractError(
            "The endpoint refused the call with the business code \(code.canonicalText)"
                + (message.map { ": \(Redaction.standard.redacted(text: $0))" } ?? "")
                + "; give it other params.")
    }

    private static func shapeless(_ error: JSONError) -> ContractError {
        ContractError("The body is not JSON (\(error)), so there is no shape to compare.")
    }
}

extension Drift {
    /// What tells it from the other drifts of a response.
    var id: String { "\(path) \(kind.name)" }

    fileprivate func isAt(_ path: JSONPath) -> Bool {
        self.path.components == path.components.map(FieldPath.Component.key)
    }
}
