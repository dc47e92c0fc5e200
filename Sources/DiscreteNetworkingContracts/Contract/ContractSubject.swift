public import DiscreteNetworking
public import Foundation

/// A manager whose responses are compared with a contract.
///
/// ```swift
/// let subject = ContractSubject(ProductManager(), params: ["id": 7])
/// let report = await subject.check(against: ContractFolder(folder))     // a live call
/// ```
@MainActor
public struct ContractSubject {
    /// What to do with the contract's file.
    public enum Mode: Sendable, Hashable {
        /// Compare responses with it.
        case compare
        /// Record it anew. Fields with `"values": "any"` keep it.
        case record
        /// Widen it to admit the responses, or record it if it does not exist.
        case update
    }

    /// The name of the contract.
    public let name: String
    let endpoint: String
    let service: String
    let rules: ContractRules
    let samples: [Params?]
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
        self.init(manager, samples: [params], name: name, rules: rules)
    }

    /// Creates a subject with several calls that share a contract.
    /// - Parameter samples: The arguments of the calls.
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
        self.samples = samples.isEmpty ? [nil] : samples
        isInMemory = Output.self != DownloadedFile.self && Output.self != ByteStream.self
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
        guard isInMemory else {
            return failed("The body goes to a file or a stream, so there is no shape to compare.")
        }
        var received: [Received] = []
        for params in samples {
            let (response, error) = await answer(params, proxy)
            if let error, let problem = Self.problem(error, response) { return failed(problem) }
            guard let response else { return failed("There is no response to compare.") }
            var one = Received(
                response: TransportResponse(
                    url: response.url, status: response.status, headers: response.headers,
                    body: .data(response.body)),
                body: ReceivedBody(response.body), params: params)
            if case .invalidResponse(let reason)? = error?.kind { one.refusal = reason }
            received.append(one)
        }
        return check(received, against: folder, mode: mode)
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
            [Received(response: response, body: ReceivedBody(body), params: samples.first ?? nil)],
            against: folder, mode: mode)
    }

    func failed(_ problem: String) -> ContractReport {
        ContractReport(name: name, endpoint: endpoint, service: service, problem: problem)
    }
}
