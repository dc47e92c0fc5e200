public import Foundation

/// The base class of all managers, independent of the output type. Subclass ``APIManager`` instead.
///
/// Use it as a type where managers of several outputs are treated alike:
///
/// ```swift
/// func anyIsLoading(_ managers: [BaseAPIManager]) -> Bool {
///     managers.contains(where: \.isLoading)
/// }
/// ```
///
/// Releasing a manager cancels its calls; calls do not retain it. Its mirror, and therefore `dump`, is
/// empty, because properties of a subclass may be secret.
@MainActor
open class BaseAPIManager: CallOwner, CustomReflectable {
    public nonisolated var customMirror: Mirror {
        Mirror(self, children: [], displayStyle: .class, ancestorRepresentation: .suppressed)
    }

    // MARK: Collaborators

    /// The source of params for calls without explicit ones. Default: the manager itself, if it conforms.
    public weak var paramSource: (any APIManagerParamSource)? {
        get { assignedParamSource ?? self as? any APIManagerParamSource }
        set { assignedParamSource = newValue }
    }
    /// The validator of params and responses. Default: the manager itself, if it conforms.
    public weak var validator: (any APIManagerValidator)? {
        get { assignedValidator ?? self as? any APIManagerValidator }
        set { assignedValidator = newValue }
    }
    /// Called at the steps of each call. A manager that conforms itself is called first.
    public weak var interceptor: (any APIManagerInterceptor)?
    /// The delegate that receives the outcome of calls.
    ///
    /// If a manager with calls in flight is released before its delegate, a debug build logs a line.
    public weak var delegate: (any APIManagerDelegate)? {
        didSet { state.note(delegate) }
    }
    /// The proxy that dispatches calls. Default: ``ApiProxy/shared``; in a hook of another call, the proxy of that call, see
    /// ``APICall/proxy``.
    public var proxy: ApiProxy {
        get { assignedProxy ?? .standard }
        set { assignedProxy = newValue }
    }
    /// Whether and when the manager's ``sample`` is the response. Default, `nil`: as ``ApiProxy/sampleMode`` says.
    public var sampleMode: SampleMode?
    /// A tag shared with other managers, to cancel their calls together.
    public var tag: RequestTag?
    /// Receives progress updates. Default: the delegate, if it conforms.
    public weak var progressDelegate: (any APIManagerProgressDelegate)? {
        get { assignedProgressDelegate ?? delegate as? any APIManagerProgressDelegate }
        set { assignedProgressDelegate = newValue }
    }
    /// Receives progress updates, like ``progressDelegate``. Set it before a call starts.
    public var onProgress: (@MainActor (TransferProgress) -> Void)?

    private weak var assignedParamSource: (any APIManagerParamSource)?
    private weak var assignedValidator: (any APIManagerValidator)?
    private weak var assignedProgressDelegate: (any APIManagerProgressDelegate)?
    var assignedProxy: ApiProxy?

    // MARK: State

    /// The response of the last call that had one. Unchanged by a later call that fails without a response.
    public var response: APIResponse? { state.value.response }
    /// Why the last call failed; `nil` after a success.
    public var error: APIError? { state.value.error }
    /// Whether a call is in flight. `false` as soon as the last one is canceled.
    public var isLoading: Bool { state.isLoading }

    let state = ManagerState()
    /// Created on first use.
    private(set) lazy var progressListeners = {
        hasProgressListeners = true
        return Broadcaster<TransferProgress>(bufferingNewest: 1)
    }()
    private(set) var hasProgressListeners = false
    /// Created on first use.
    package private(set) lazy var watchers = {
        hasWatchers = true
        return ManagerWatchers()
    }()
    private(set) var hasWatchers = false
    let outputType: any (Decodable & Sendable).Type

    init(outputType: any (Decodable & Sendable).Type) { self.outputType = outputType }

    deinit { state.release() }

    // MARK: Request configuration for subclasses

    /// The headers of this endpoint. They override the headers of the service. Default: none.
    open var headers: [String: String] { [:] }
    /// The encoding of the params. Default: ``Service/encoding(for:)``.
    open var encoding: (any ParamEncoding)? { nil }
    /// How its responses are treated, where that is not as the service says: envelope, decoder, accepted statuses,
    /// redirects. Default: as the service says.
    open var responseRules: ResponseRules { ResponseRules() }
    /// Changes the bodies of its requests and responses; `.plain` for no change. Default:
    /// ``Service/bodyTransform(for:)``.
    open var bodyTransform: (any BodyTransform)? { nil }
    /// The timeout for one attempt, in seconds; `.infinity` for no limit. Default: ``ServiceConfiguration/timeout``.
    ///
    /// For transfers, the service's timeout limits only the time until the head of a download's response,
    /// and does not apply while a file or stream is uploaded. A value set here limits a whole attempt of a
    /// download, including pauses. For a ``ByteStream``, either value limits the time until the head of the
    /// response.
    open var timeout: TimeInterval? { nil }
    /// The timeout for one call, in seconds, by the clock of the proxy; `.infinity` for no limit. Default:
    /// ``ServiceConfiguration/deadline``.
    ///
    /// The limit includes all attempts, all hosts, and everything that the call waits for: its delay, a cached
    /// response, a login, new tokens, other calls, a network. It begins when the call starts. When it is reached, the
    /// call ends with ``APIError/Kind/deadlineExceeded(waitingFor:)``, and everything that other calls share with it
    /// continues. A stale response that the ``cachePolicy`` allows, or the output of a plugin, replaces the error if it
    /// comes within another second.
    ///
    /// It limits a download or an upload as a whole, including pauses. For a ``ByteStream`` it is the limit until the head of
    /// the response. To limit single calls, use ``APICall/withDeadline(_:isolation:_:)``.
    open var deadline: TimeInterval? { nil }
    /// Whether identical GET requests in flight share one exchange. Default:
    /// ``ServiceConfiguration/sharesIdenticalRequests``.
    open var sharesIdenticalRequests: Bool? { nil }
    /// The destination of a ``DownloadedFile``. Default: a new file in the temporary directory.
    open var download: Download? { nil }
    /// Whether calls use the tokens of the service's ``ServiceConfiguration/session``, and wait while those are renewed.
    /// Default: `true`. Override with `false` in the managers of a login or a refresh.
    open var usesSession: Bool { true }
    /// Whether a call waits for the user to log in before it is sent. Requires a ``ServiceConfiguration/session``.
    /// Default: `false`.
    open var requiresLogin: Bool { false }
    /// Whether and how responses are stored and reused; without a call, too, see ``ManagerCache/output(with:maxAge:)``.
    /// Default: ``CachePolicy/none``.
    open var cachePolicy: CachePolicy { .none }
    /// Returns the cached responses of other managers that a call makes stale. Default: none.
    ///
    /// ```swift
    /// override func invalidates(with params: Params) -> [StaleOutput] {
    ///     let product = StaleOutput(ProductManager(), with: ["id": params["id"]])
    ///     return [StaleOutput(CartManager()), product]
    /// }
    /// ```
    /// The responses become stale when the call has succeeded, or has failed but the server may have acted: after a
    /// cancellation, a timeout, a transport error, a status of 500 or more, or a response that cannot be read. A
    /// response that a screen shows is loaded again and shown until then; see ``ManagerCache/outputs(with:)``.
    /// Other responses are removed.
    open func invalidates(with params: Params) -> [StaleOutput] { [] }
    /// The retry policy for failures that the service reports. Default: ``Service/retryPolicy(for:)``.
    open var retryPolicy: RetryPolicy? { nil }
    /// Which networks calls may use, and how long they wait for one before they fail with
    /// ``APIError/Kind/notReachable``. Default: ``NetworkPolicy/any``, without waiting.
    open var networkPolicy: NetworkPolicy { .any }
    /// The maximum number of concurrent calls of this endpoint, by all managers of the proxy that limit it, besides
    /// ``ServiceConfiguration/concurrencyLimit``. Default: `nil`; no limit, and calls do not count for the limit of other managers.
    open var concurrencyLimit: Int? { nil }
    /// How many calls of this endpoint are sent in a period, by all managers of the proxy that limit it, besides
    /// ``ServiceConfiguration/rateLimit``. Default: `nil`; no limit.
    open var rateLimit: RateLimit? { nil }
    /// Whether bodies of requests are compressed. Default: ``ServiceConfiguration/requestCompression``.
    open var requestCompression: RequestCompression? { nil }
    /// The order in which calls are sent that wait for a limit. Default: ``Service/priority(for:)``.
    open var priority: CallPriority? { nil }
    /// What identifies the operation of a call in all its attempts, for a backend that performs it only once. Default: `nil`; none
    /// is sent.
    ///
    /// ```swift
    /// override func idempotencyKey(with params: Params) -> IdempotencyKey? {
    ///     IdempotencyKey()
    /// }
    /// ```
    /// Asked once a call. A call with a key is retried and fails over as a GET does, also if its method is POST or PATCH, and
    /// ``repeatFailedCall()`` sends the key of the failed call. Where the key is in the request, says
    /// ``ServiceConfiguration/idempotencyKeyLocation``.
    open func idempotencyKey(with params: Params) -> IdempotencyKey? { nil }
    /// The response that replaces the backend's response, if ``sampleMode`` or the proxy's ``ApiProxy/sampleMode`` says
    /// so. Use it for previews, demos and endpoints that do not exist yet. Default: none.
    open var sample: SampleResponse? { nil }
    /// What happens to a call that starts while another is in flight. Default: ``LoadPolicy/concurrent``.
    open var loadPolicy: LoadPolicy { .concurrent }
    /// Whether responses are secret as a whole, and are not shown in logs, errors and recordings.
    package final var hidesResponses = false
    /// Modifies the params of a call, for example to add a page number. Default: no change.
    open func reform(_ params: Params) -> Params { params }

    /// Forgets output, response and error; calls in flight go on. A subclass that forgets more calls super.
    ///
    /// Called when the user leaves for whom they were loaded: at a logout of the service's ``ServiceConfiguration/session``, or when
    /// another user logs in.
    open func cleanData() { state.clean() }

    /// Forgets what was loaded for a user who has left.
    package func forgetUserData() { cleanData() }

    // MARK: Calling

    /// Performs steps 1 to 4 of the pipeline; the rest runs off the main actor.
    /// - Parameters:
    ///   - refusing: Why the call may not start, if already known.
    ///   - ending: What the outcome changes elsewhere.
    func start(
        with explicit: Params?, headers extra: HTTPFields = [:], ignoringCache: Bool = false,
        refusing: APIError.Kind? = nil, ending: PendingCall.Ending? = nil,
        completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        let params = reform(explicit ?? paramSource?.params(for: self) ?? [:])
        return send(
            params, headers: extra, ignoringCache: ignoringCache, refusing: refusing, ending: ending,
            completion: completion)
    }

    /// The params of a request that is not sent now.
    package func prepared(_ params: Params) -> Params { reform(params) }

    /// Whether a cached response can be loaded again.
    package func mayReload(_ params: Params) -> Bool {
        !call(params).isForCacheOnly && refusal(of: params) == nil
    }

    /// Reloads a cached response that a call has made stale.
    package func reload(_ params: Params, over proxy: ApiProxy) {
        let call = call(params).ignoringCache().unshared()
        let pending = PendingCall(call, proxy: proxy, owner: self)
        state.add(pending)
        CallContext.$current.withValue(.with { $0.work = nil }) { pending.start() }
    }

    /// Makes a call that has failed again, as it was.
    func `repeat`(_ call: APICall) -> PendingCall {
        send(
            call.params, at: call.overrides.url, ignoringCache: call.ignoresCache,
            key: call.idempotencyKey, completion: nil
        ).0
    }

    // MARK: Outcome

    var validates: Bool { validator != nil }

    package func rejectionReason(for response: APIResponse) -> String? {
        guard case .invalid(let reason)? = validator?.validate(response: response, for: self) else {
            return nil
        }
        return reason
    }

    func conclude(_ pending: PendingCall, _ outcome: CallOutcome, _ completions: PendingCall.Completions) {
        switch outcome {
        case .succeeded(let response):
            conclude(pending, response, completions)
            forgetWithUser(pending, hasSucceeded: true)
        case .failed(let error, let isSwallowed):
            conclude(pending, error, isSwallowed: isSwallowed, completions)
            forgetWithUser(pending, hasSucceeded: false)
        }
        // A manager that follows the stored output shows that, with what is not confirmed yet.
        if hasWatchers { watchers.change() }
    }

    /// Revalidates an output served from the cache with another call.
    func revalidate(_ answered: PendingCall) {
        let call = answered.call.revalidation()
        let pending = PendingCall(call, proxy: answered.proxy, owner: self)
        state.add(pending)
        answered.followUp = pending
        pending.start()
    }
}
