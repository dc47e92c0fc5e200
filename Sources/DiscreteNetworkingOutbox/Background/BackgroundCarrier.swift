import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingSupport
import Foundation

/// Sends the requests of one call as tasks of a ``BackgroundSession``.
final class BackgroundCarrier: CallCarrier {
    private struct State {
        weak var transfers: BackgroundTransfers?
        var begun: APIRequest?
        /// Whether the system has reported how a task ended.
        var isAnswered = false
        var isCancelled = false
    }

    private let id: UUID
    private let state: Locked<State>

    /// - Parameter begun: The request that an earlier call of the transfer has sent.
    init(_ id: UUID, _ transfers: BackgroundTransfers, begun: APIRequest?) {
        self.id = id
        state = Locked(State(transfers: transfers, begun: begun))
    }

    var begunRequest: APIRequest? { state.withLock { $0.begun } }

    /// The app has canceled the transfer, which is its outcome.
    func noteCancelled() { state.withLock { $0.isCancelled = true } }

    /// A failure before the system has responded is one of the preparation, such as a refresh of the tokens without a network, or
    /// the app ends the call: the transfer goes on later.
    func isInterim(_ error: any Error) -> Bool {
        guard let error = error as? APIError else { return false }
        let (isAnswered, isCancelled) = state.withLock { ($0.isAnswered, $0.isCancelled) }
        guard !isCancelled else { return false }
        switch FailureVerdict(error, maybeSent: isAnswered) {
        case .user: return true
        case .later: return !isAnswered && error.response == nil
        case .done, .rejected: return false
        }
    }

    func send(_ request: APIRequest) async throws -> TransportResponse {
        let (transfers, isBegun) = state.withLock { state in
            defer { state.begun = nil }
            return (state.transfers, state.begun != nil)
        }
        guard let transfers else { throw TransportError.exchangeCancelled }
        if !isBegun {
            try Self.check(request)
            state.withLock { $0.isAnswered = false }
            try await transfers.begin(request, of: id)
        }
        guard let result = await transfers.result(of: id, request) else {
            throw TransportError.exchangeCancelled
        }
        state.withLock { $0.isAnswered = true }
        return try result.response(to: request, file: transfers.folder.file(of: result.task))
    }

    /// - Throws: ``TransportError`` of kind ``TransportError/Kind/unsupported`` for what the system does not do by itself.
    private static func check(_ request: APIRequest) throws(TransportError) {
        var problem: String?
        switch request.notes.redirectPolicy {
        case .follow: break
        case .refuse, .decide:
            problem =
                "The system follows every redirect of a background transfer; use RedirectPolicy.follow, or load the manager while the app runs."
        }
        if request.credential != nil {
            problem =
                "A background transfer cannot respond to an authentication challenge; send the credential as a header."
        }
        if case .file = request.destination, !request.body.isEmpty || request.method != .get {
            problem = "A background download is a GET without a body; encode the params in the query."
        }
        if case .stream = request.destination {
            problem = "Nobody reads a stream while the app does not run; download a file instead."
        }
        if let problem { throw TransportError(.unsupported, message: problem) }
    }
}

extension RequestBody {
    /// Whether nothing is sent.
    var isEmpty: Bool {
        switch self {
        case .none: true
        case .data(let data): data.isEmpty
        case .file, .stream: false
        }
    }
}
