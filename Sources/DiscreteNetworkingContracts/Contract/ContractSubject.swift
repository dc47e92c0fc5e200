import DiscreteNetworking
import Foundation

/// A manager whose responses are compared with a contract.
///
/// ```swift
/// let subject = ContractSubject(ProductManager(), params: ["id": 7])
/// let report = await subject.check(against: ContractFolder(folder))     // a live call
/// ```
@MainActor
public struct ContractSubject {
    /// What is done with the contract's file.
    public enum Mode: Sendable, Hashable {
        /// Nothing: the responses are compared with it.
        case compare
        /// It is written anew. Fields that a person has opened (`"values": "any"`) stay open.
        case record
        /// It is widened to admit the responses too, or written where there is none.
        case update
    }

    /// The name of the contract.
    public let name: String
    let endpoint: String
    let service: String
    let rules: ContractRules
    let samples: [Params?]
    private let probe: (Params?) -> OutputProbe?
    private let answer: (Params?, ApiProxy?) async -> (APIResponse?, APIError?)

    /// - Parameters:
    ///   - params: the arguments of the call; without them the param source is asked.
    ///   - name: the name of the contract. Default: the manager's type.
    ///   - rules: which strings are enumerations.
    public init<Output>(
        _ manager: TypedAPIManager<Output>, params: Params? = nil, name: String? = nil,
        rules: ContractRules = .standard
    ) {
        self.init(manager, samples: [params], name: name, rules: rules)
    }

    /// - Parameter samples: the arguments of several calls, whose responses have one contract together.
    public init<Output>(
        _ manager: TypedAPIManager<Output>, samples: [Params], name: String? = nil,
        rules: ContractRules = .standard
    ) {
        self.init(manager, samples: samples.map(Optional.some), name: name, rules: rules)
    }

    private init<Output>(
        _ manager: TypedAPIManager<Output>, samples: [Params?], name: String?, rules: ContractRules
    ) {
        let child = manager as? any APIManagerChild
        self.name = name ?? String(describing: type(of: manager))
        endpoint = child.map { "\($0.requestType) \($0.methodName)" } ?? ""
        service = child?.serviceIdentifier.rawValue ?? ""
        self.rules = rules
        self.samples = samples
        probe = { OutputProbe(manager, params: $0 ?? [:]) }
        answer = { params, proxy in
            if let proxy { manager.proxy = proxy }
            do throws(APIError) {
                _ = try await manager.load(with: params)
                return (manager.response, nil)
            } catch {
                return (error.response ?? error.underlying?.response, error)
            }
        }
    }

    // MARK: Live

    /// Calls the manager, once for each sample, and compares what it is answered.
    /// - Parameter proxy: whom the manager uses from now on. Default: the one it has.
    public func check(
        against folder: ContractFolder, mode: Mode = .compare, over proxy: ApiProxy? = nil
    ) async -> ContractReport {
        var responses: [TransportResponse] = []
        for params in samples {
            let (response, error) = await answer(params, proxy)
            if let error, let problem = Self.problem(error, response) { return failed(problem) }
            guard let response else { return failed("There is no response to compare.") }
            responses.append(
                TransportResponse(
                    url: response.url, status: response.status, headers: response.headers,
                    body: .data(response.body)))
        }
        return check(responses, against: folder, mode: mode)
    }

    /// What no comparison could say more about; a response that cannot be read is for the comparison.
    private static func problem(_ error: APIError, _ response: APIResponse?) -> String? {
        switch error.kind {
        case .decoding, .business, .invalidResponse: response == nil ? error.localizedDescription : nil
        default: error.localizedDescription
        }
    }

    // MARK: Recorded

    /// Compares a body that was recorded, as an answer with status 200. Nothing is sent.
    public func check(
        response body: Data, against folder: ContractFolder, mode: Mode = .compare
    ) -> ContractReport {
        let url = URL(fileURLWithPath: "/")
        return check(
            [TransportResponse(url: url, status: 200, body: .data(body))], against: folder, mode: mode)
    }

    func failed(_ problem: String) -> ContractReport {
        ContractReport(name: name, endpoint: endpoint, service: service, problem: problem)
    }

    private func check(
        _ responses: [TransportResponse], against folder: ContractFolder, mode: Mode
    ) -> ContractReport {
        do throws(ContractError) {
            let old = try folder.read(name)
            let bodies = try responses.map { response throws(ContractError) in try Self.json(response) }
            var report = ContractReport(name: name, endpoint: endpoint, service: service)
            if mode == .compare {
                guard let old else {
                    throw ContractError(
                        "There is no contract \(folder.file(named: name).lastPathComponent); record it first."
                    )
                }
                return try compare(responses, bodies, with: old.contract)
            }
            for (index, response) in responses.enumerated() {
                guard let failure = probe(samples[index])?.failure(reading: response) else { continue }
                if case .business = failure { throw ContractError(Self.refusal(failure)) }
                report.failure = DriftJudge.text(failure)
            }
            let rules = mode == .record ? rules.keeping(Contract(fields: old?.contract.opened ?? [:])) : rules
            let contract =
                mode == .record
                ? Contract(recording: bodies, rules: rules)
                : (old?.contract ?? Contract()).merging(recording: bodies, rules: rules)
            try folder.write(
                ContractFile(name: name, endpoint: endpoint, service: service, contract: contract))
            report.isRecorded = true
            return report
        } catch {
            return failed(error.message)
        }
    }

    private func compare(
        _ responses: [TransportResponse], _ bodies: [JSONValue], with contract: Contract
    ) throws(ContractError) -> ContractReport {
        var report = ContractReport(name: name, endpoint: endpoint, service: service)
        var drifts: [String: Drift] = [:]
        for drift in contract.compare(bodies) { drifts[drift.id] = drift }
        for (index, response) in responses.enumerated() {
            guard let probe = probe(samples[min(index, samples.count - 1)]) else {
                throw ContractError("No service is registered under \"\(service)\".")
            }
            let own = contract.compare(bodies[index])
            if case .business? = probe.failure(reading: response),
                !own.contains(where: { drift in probe.codePaths.contains { drift.isAt($0) } })
            {
                throw ContractError(Self.refusal(probe.failure(reading: response)))
            }
            let judge = DriftJudge(repair: DriftRepair(contract: contract)) { body in
                var changed = response
                changed.body = .data(body.canonicalData)
                return probe.failure(reading: changed)
            }
            let (judged, failure) = judge.judge(own, in: bodies[index])
            report.failure = report.failure ?? failure
            // What is gone from one response of several is only missing somewhere, over them all.
            for drift in judged where drift.severity == .breaking { drifts[drift.id] = drift }
        }
        report.drifts = drifts.sorted { $0.key < $1.key }.map(\.value)
        return report
    }

    private static func refusal(_ failure: APIError.Kind?) -> String {
        guard case .business(let code, let message)? = failure else {
            return "The endpoint refused the call."
        }
        return "The endpoint refused the call with the business code \(code.canonicalText)"
            + (message.map { ": \(Redaction.standard.redacted(text: $0))" } ?? "") + "; give it other params."
    }

    private static func json(_ response: TransportResponse) throws(ContractError) -> JSONValue {
        guard case .data(let body) = response.body, !body.isEmpty else {
            throw ContractError("The response has no body in memory, so there is no shape to compare.")
        }
        do {
            return try JSONValue(parsing: body)
        } catch {
            throw ContractError("The body is not JSON (\(error)), so there is no shape to compare.")
        }
    }
}

extension Contract {
    /// The fields whose values a person has opened.
    fileprivate var opened: [FieldPath: Field] { fields.filter { $0.value.values == .any } }
}

extension Drift {
    fileprivate var id: String { "\(path) \(kind.name)" }

    fileprivate func isAt(_ path: JSONPath) -> Bool {
        self.path.components == path.components.map(FieldPath.Component.key)
    }
}
