public import DiscreteNetworkingCore
public import Foundation

/// A manager with the arguments and rules for checking its responses against a contract.
///
/// ```swift
/// let subject = ContractSubject(ProductManager(), params: ["id": 7])
/// // A live call.
/// let report = await subject.check(against: ContractFolder(folder))
/// ```
@MainActor
public struct ContractSubject {
    /// What to do with the contract's file.
    public enum Mode: Sendable, Hashable {
        /// Compare responses with it.
        case compare
        /// Record it again. Fields with `"values": "any"` keep it.
        case record
        /// Widen it to admit the responses, or record it if it does not exist.
        case update
    }

    /// The name of the contract.
    public let name: String
    let endpoint: String
    let service: String
    let rules: ContractRules
    var arguments: ContractArguments
    /// Whether the response body is held in memory.
    private let isInMemory: Bool
    let probe: (Params?) -> DecodingProbe?
    private let answer: (Params?, ApiProxy?) async -> (APIResponse?, APIError?)

    /// Creates a subject with one call.
    /// - Parameters:
    ///   - params: The arguments of the call; `nil` to call the param source.
    ///   - name: The name of the contract. Default: the manager's type.
    ///   - rules: Which strings are enumerations.
    public init<Output>(
        _ manager: TypedAPIManager<Output>, params: Params? = nil, name: String? = nil,
        rules: ContractRules = .standard
    ) {
        self.init(manager, .init(kind: .calls([params])), name: name, rules: rules)
    }

    /// Creates a subject with several calls that share a contract.
    /// - Parameter samples: The arguments of the calls.
    public init<Output>(
        _ manager: TypedAPIManager<Output>, samples: [Params], name: String? = nil,
        rules: ContractRules = .standard
    ) {
        self.init(
            manager, .init(kind: .calls(samples.isEmpty ? [nil] : samples)), name: name, rules: rules)
    }

    /// Creates a subject with arguments that may come from another subject's response.
    /// - Parameters:
    ///   - arguments: What it is called with.
    ///   - name: The name of the contract. Default: the manager's type.
    ///   - rules: Which strings are enumerations.
    public init<Output>(
        _ manager: TypedAPIManager<Output>, _ arguments: ContractArguments, name: String? = nil,
        rules: ContractRules = .standard
    ) {
        let child = manager as? any APIManagerChild
        self.name = name ?? String(describing: type(of: manager))
        endpoint = child.map { "\($0.requestType) \($0.methodName)" } ?? ""
        service = child?.serviceIdentifier.rawValue ?? ""
        self.rules = rules
        self.arguments = arguments
        isInMemory = !(Output.self is any TransferredOutput.Type)
        probe = { DecodingProbe(manager, params: $0 ?? [:]) }
        answer = { params, proxy in
            if let proxy { manager.proxy = proxy }
            do throws(APIError) {
                _ = try await manager.load(with: params, ignoringCache: true)
                return (manager.response, nil)
            } catch {
                return (error.response ?? error.underlying?.response, error)
            }
        }
    }

    // MARK: Live

    /// Calls the manager once per sample and compares the responses.
    /// - Parameter proxy: The proxy to assign to the manager. Default: its current one.
    public func check(
        against folder: ContractFolder, mode: Mode = .compare, over proxy: ApiProxy? = nil
    ) async -> ContractReport {
        var answers = ContractAnswers()
        return await check(against: folder, mode: mode, over: proxy, &answers)
    }

    /// The same, with the responses of other endpoints.
    func check(
        against folder: ContractFolder, mode: Mode, over proxy: ApiProxy?, _ answers: inout ContractAnswers
    ) async -> ContractReport {
        guard isInMemory else {
            return failed("The body goes to a file or a stream, so there is no shape to compare.")
        }
        let samples: [Params?]
        switch arguments.kind {
        case .calls(let calls): samples = calls
        case .none(let reason): return skipped(reason)
        case .optional: return skipped("It has no arguments.")
        case .chain(let places, let list, let params):
            do throws(ContractError) {
                samples = [try answers.params(places, of: list, params)]
            } catch {
                return skipped(error.message)
            }
        }
        var received: [Received] = []
        for params in samples {
            let (response, error) = await answer(params, proxy)
            if let error, let gone = Self.gone(error) { return self.gone(gone) }
            if let error, let problem = Self.problem(error, response) {
                return failed(problem, isUnreachable: Self.isUnreachable(error))
            }
            guard let response else { return failed("There is no response to compare.") }
            var one = Received(
                response: TransportResponse(
                    url: response.url, status: response.status, headers: response.headers,
                    body: .data(response.body)),
                body: ReceivedBody(response.body), params: params)
            if case .invalidResponse(let reason)? = error?.kind { one.refusal = reason }
            if let body = one.json { answers.answers[name] = .init(params: params ?? [:], body: body) }
            received.append(one)
        }
        return check(received, against: folder, mode: mode)
    }

    /// Returns what is said of an endpoint that there is no more.
    private static func gone(_ error: APIError) -> String? {
        guard case .http(let status) = error.kind, [404, 405, 410].contains(status) else { return nil }
        return
            "the status is \(status): there is no such endpoint any more, or no resource with these arguments."
    }

    /// Whether there was no response because of the connection or the server as a whole.
    static func isUnreachable(_ error: APIError) -> Bool {
        switch error.kind {
        case .transport, .timedOut, .notReachable: true
        case .http(let status): [502, 503, 504].contains(status)
        default: false
        }
    }

    /// Returns an error that prevents a comparison; a decoding failure does not.
    private static func problem(_ error: APIError, _ response: APIResponse?) -> String? {
        switch error.kind {
        case .decoding, .business, .invalidResponse: response == nil ? error.explanation : nil
        default: error.explanation
        }
    }

    // MARK: Recorded

    /// Compares a recorded body as a response with status 200. Nothing is sent.
    public func check(
        response body: Data, against folder: ContractFolder, mode: Mode = .compare
    ) -> ContractReport {
        let response = TransportResponse(
            url: URL(fileURLWithPath: "/"), status: 200, body: .data(body))
        return check(
            [Received(response: response, body: ReceivedBody(body), params: firstParams)],
            against: folder, mode: mode)
    }

    /// The params of a recorded response.
    private var firstParams: Params? {
        if case .calls(let calls) = arguments.kind { calls.first ?? nil } else { nil }
    }

    private func skipped(_ reason: String) -> ContractReport {
        var report = ContractReport(name: name, endpoint: endpoint, service: service)
        report.skipped = reason
        return report
    }

    func failed(_ problem: String, isUnreachable: Bool = false) -> ContractReport {
        var report = ContractReport(name: name, endpoint: endpoint, service: service, problem: problem)
        report.isUnreachable = isUnreachable
        return report
    }

    private func gone(_ reason: String) -> ContractReport {
        var report = ContractReport(name: name, endpoint: endpoint, service: service, failure: reason)
        report.isGone = true
        return report
    }
}
