import Foundation

/// What all managers have in common, whatever their output. Subclass ``APIManager``, not this.
///
/// Releasing a manager cancels what it started; nothing retains it meanwhile. Its mirror, and with it `dump`, is
/// empty: what a subclass holds may be secret.
@MainActor
open class BaseAPIManager: CallOwner, CustomReflectable {
    public nonisolated var customMirror: Mirror {
        Mirror(self, children: [], displayStyle: .class, ancestorRepresentation: .suppressed)
    }

    // MARK: Collaborators

    /// Where params come from when a call is not given any. Default: the manager itself, if it conforms.
    public weak var paramSource: (any APIManagerParamSource)? {
        get { assignedParamSource ?? self as? any APIManagerParamSource }
        set { assignedParamSource = newValue }
    }
    /// Checks params and responses. Default: the manager itself, if it conforms.
    public weak var validator: (any APIManagerValidator)? {
        get { assignedValidator ?? self as? any APIManagerValidator }
        set { assignedValidator = newValue }
    }
    /// Looks in from outside. A manager that conforms itself is asked first, then this one.
    public weak var interceptor: (any APIManagerInterceptor)?
    /// Told how calls end.
    public weak var delegate: (any APIManagerDelegate)?
    /// Where calls are dispatched. Default: ``ApiProxy/shared``.
    public var proxy: ApiProxy {
        get { assignedProxy ?? .shared }
        set { assignedProxy = newValue }
    }
    /// A name shared with other managers, to cancel their calls together.
    public var tag: RequestTag?
    /// Told how far calls have come. Default: the delegate, if it conforms.
    public weak var progressDelegate: (any APIManagerProgressDelegate)? {
        get { assignedProgressDelegate ?? delegate as? any APIManagerProgressDelegate }
        set { assignedProgressDelegate = newValue }
    }
    /// Told how far calls have come, like ``progressDelegate``. Set before a call starts.
    public var onProgress: (@MainActor (TransferProgress) -> Void)?

    private weak var assignedParamSource: (any APIManagerParamSource)?
    private weak var assignedValidator: (any APIManagerValidator)?
    private weak var assignedProgressDelegate: (any APIManagerProgressDelegate)?
    private var assignedProxy: ApiProxy?

    // MARK: State

    /// The response of the last call that had one. Stays when a later call fails without one.
    public var response: APIResponse? { state.value.response }
    /// Why the last call failed; `nil` after a success.
    public var error: APIError? { state.value.error }
    /// Whether a call is in flight. `false` as soon as the last one was cancelled.
    public var isLoading: Bool { state.isLoading }

    let state = ManagerState()
    let progressListeners = Broadcaster<TransferProgress>(bufferingNewest: 1)
    let outputType: any (Decodable & Sendable).Type

    init(outputType: any (Decodable & Sendable).Type) { self.outputType = outputType }

    deinit { state.release() }

    // MARK: What a subclass may say about its requests

    /// Headers of this endpoint; they beat those of the service. Default: none.
    open var headers: [String: String] { [:] }
    /// Where params go. Default: as the service says.
    open var encoding: (any ParamEncoding)? { nil }
    /// How its responses are treated, where that is not as the service says: envelope, decoder, accepted statuses,
    /// redirects. Default: as the service says.
    open var responseRules: ResponseRules { ResponseRules() }
    /// Encodes the values given to ``params(encoding:)``. Default: as the service says.
    open var encoder: JSONEncoder? { nil }
    /// Seconds one attempt may take; `.infinity` for no limit. Default: as the service says.
    ///
    /// Transfers take as long as they take: where the manager says nothing, the service's timeout is for the
    /// head of a download's response, and there is none while the body of a request comes from a file or a
    /// stream. What a manager says is for the whole attempt of a download, pauses included. A
    /// ``ByteStream`` has the timeout, whoever says it, until the head of the response is there.
    open var timeout: TimeInterval? { nil }
    /// Whether identical GETs in flight at once share one exchange. Default: as the service says.
    open var sharesIdenticalRequests: Bool? { nil }
    /// Where a ``DownloadedFile`` goes. Default: a file of its own in the temporary folder.
    open var download: Download? { nil }
    /// Whether calls go out with the tokens of the service's ``Service/session``, and wait when those are
    /// renewed. Default: `true`. The managers of a login and of a refresh say `false`.
    open var usesSession: Bool { true }
    /// Whether the user has to be logged in before a call goes out at all. Default: `false`. The service needs
    /// a ``Service/session``.
    open var requiresLogin: Bool { false }
    /// Whether and how responses are kept, and used instead of the network. Default: not at all.
    open var cache: CachePolicy { .none }
    /// How failures are repeated that the service leaves to the caller. Default: as the service says.
    open var retry: RetryPolicy? { nil }
    /// Whether calls wait until there is a network, instead of ending with ``APIError/Kind/notReachable``.
    /// Default: `false`. The waiting has no time limit; cancel the call.
    open var waitsForNetwork: Bool { false }
    /// What happens to a call made while another is in flight. Default: both go out.
    open var loadPolicy: LoadPolicy { .concurrent }
    /// A last change to the params of a call, such as a page number. Default: none.
    open func reform(_ params: Params) -> Params { params }

    // MARK: Hooks of a subclass; no need to call super

    /// Whether a call may go out; see ``APIManagerInterceptor``.
    open func shouldCall(with params: Params) -> Bool { true }
    /// The call is on its way.
    open func didCall(with params: Params) {}
    /// The call is on its way, under this number. Default: ``didCall(with:)``.
    open func didCall(_ requestID: RequestID, with params: Params) { didCall(with: params) }
    /// A response came.
    open func didReceive(_ response: APIResponse) {}
    /// Before success is told; `false` holds it back.
    open func beforeSuccess(with response: APIResponse) -> Bool { true }
    /// After success was told, or held back.
    open func afterSuccess(with response: APIResponse) {}
    /// Before a failure is told; `false` holds it back.
    open func beforeFailure(with error: APIError) -> Bool { true }
    /// After a failure was told, or held back.
    open func afterFailure(with error: APIError) {}
    /// Forgets output, response and error; calls in flight go on. A subclass that forgets more calls super.
    ///
    /// Called when the user leaves for whom they were loaded: at a logout of the service's ``Service/session``, or when
    /// another user logs in.
    open func cleanData() { state.clean() }

    /// Forgets what was loaded for a user who has left.
    func forgetUserData() { cleanData() }

    // MARK: Calling

    /// Starts a call; the delegate is told how it ends.
    /// - Parameters:
    ///   - params: the arguments; without them the param source is asked.
    ///   - ignoringCache: whether the server is asked whatever is kept; see ``cache``.
    /// - Returns: the number of the call, to cancel it by.
    @discardableResult
    public func loadData(with params: Params? = nil, ignoringCache: Bool = false) -> RequestID {
        start(with: params, ignoringCache: ignoringCache, completion: nil).0.call.requestID
    }

    /// Cancels one call of this manager. Nothing happens where it is over or another manager's.
    public func cancelRequest(_ requestID: RequestID) { state.cancel(requestID) }

    /// Cancels some calls of this manager, as ``cancelRequest(_:)`` does.
    public func cancelRequests(_ requestIDs: some Sequence<RequestID>) {
        for requestID in requestIDs { cancelRequest(requestID) }
    }

    /// Cancels every call of this manager.
    public func cancelAllRequests() { state.cancelAll() }

    /// What was fetched, as somebody else needs it.
    public func fetchData<Reformed>(with reformer: any APIManagerReformer<Reformed>) -> Reformed {
        reformer.reform(self)
    }

    /// Turns a value into params with the encoder of the manager or its service.
    /// - Throws: ``InvalidRequest`` where it does not encode to an object; what encoding throws.
    public func params(encoding value: some Encodable) throws -> Params {
        let service = (self as? any APIManagerChild).flatMap {
            proxy.services.service(for: $0.serviceIdentifier)
        }
        let encoder = encoder ?? service?.jsonEncoder(for: call([:])) ?? Params.makeEncoder()
        return try Params(encoding: value, encoder: encoder)
    }

    /// Steps 1 to 4 of the pipeline; the rest runs off the main actor.
    /// - Parameter refusing: why the call may not go out, where that is known before anybody is asked.
    func start(
        with explicit: Params?, headers extra: [String: String] = [:], ignoringCache: Bool = false,
        refusing: APIError.Kind? = nil, completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        let params = reform(explicit ?? paramSource?.params(for: self) ?? [:])
        let refusal = refusing ?? refusal(of: params)
        var call = call(params, headers: extra)
        if ignoringCache { call = call.ignoringCache() }
        var pause: TimeInterval = 0
        if refusal == nil {
            switch loadPolicy {
            case .concurrent: break
            case .ignoreNew:
                for running in state.running
                where running.call.isEqual(to: call) && isShareable(running) {
                    if let listener = running.addListener(completion) { return (running, listener) }
                }
            case .cancelPrevious: cancelAllRequests()
            case .debounce(let seconds):
                cancelAllRequests()
                pause = seconds
            }
        }
        let pending = PendingCall(call, proxy: proxy, owner: self)
        let listener = pending.addListener(completion)
        state.add(pending)
        if let refusal {
            pending.fail(refusal)
        } else {
            // What a delegate begins is no part of the work that this call is a part of.
            UserWork.$current.withValue(nil) { pending.start(after: pause) }
            let requestID = call.requestID
            didCall(requestID, with: params)
            for interceptor in interceptors { interceptor.manager(self, didCall: requestID, with: params) }
        }
        return (pending, listener)
    }

    // MARK: Ending

    func rejectionReason(for response: APIResponse) -> String? {
        guard case .invalid(let reason)? = validator?.validate(response: response, for: self) else {
            return nil
        }
        return reason
    }

    func conclude(_ pending: PendingCall, _ outcome: CallOutcome, _ completions: [PendingCall.Completion]) {
        state.finish(pending, outcome)
        if case .succeeded(let response) = outcome, response.needsRevalidation { revalidate(pending) }
        let interceptors = interceptors
        if let response = outcome.response {
            didReceive(response)
            for interceptor in interceptors { interceptor.manager(self, didReceive: response) }
        }
        let mayDeliver: Bool
        switch outcome {
        case .succeeded(let response):
            mayDeliver =
                beforeSuccess(with: response)
                && interceptors.allSatisfy { $0.manager(self, beforeSuccessWith: response) }
        case .failed(let error, _):
            mayDeliver =
                beforeFailure(with: error)
                && interceptors.allSatisfy { $0.manager(self, beforeFailureWith: error) }
        }
        tell(pending, outcome, completions, mayDeliver: mayDeliver)
        switch outcome {
        case .succeeded(let response):
            afterSuccess(with: response)
            for interceptor in interceptors { interceptor.manager(self, afterSuccessWith: response) }
            state.releaseStream(of: response)
        case .failed(let error, _):
            afterFailure(with: error)
            for interceptor in interceptors { interceptor.manager(self, afterFailureWith: error) }
        }
        forgetWithUser(pending, outcome)
    }

    /// After an answer from the cache: asks the server with a call of its own.
    func revalidate(_ answered: PendingCall) {
        let call = answered.call.revalidation()
        let pending = PendingCall(call, proxy: answered.proxy, owner: self)
        state.add(pending)
        answered.followUp = pending
        pending.start()
    }

    private func tell(
        _ pending: PendingCall, _ outcome: CallOutcome, _ completions: [PendingCall.Completion],
        mayDeliver: Bool
    ) {
        if mayDeliver {
            switch outcome {
            case .succeeded: delegate?.managerDidSucceed(self)
            case .failed(let error, let isSwallowed):
                if !isSwallowed, error.kind != .vetoed { delegate?.managerDidFail(self) }
            }
        }
        let result: Result<any Sendable, APIError> =
            mayDeliver
            ? outcome.result
            : .failure(
                pending.proxy.error(
                    .intercepted, of: pending.call, response: outcome.response, underlying: outcome.error))
        for completion in completions { completion(result) }
    }
}

/// By identity: a manager equals itself only.
extension BaseAPIManager: Hashable {
    nonisolated public static func == (left: BaseAPIManager, right: BaseAPIManager) -> Bool { left === right }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
