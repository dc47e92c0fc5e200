public import Foundation

/// Dispatches calls: assigns request IDs, tracks the calls in flight, sends their requests over a
/// transport, and cancels them.
///
/// ```swift
/// let proxy = ApiProxy(
///     transport: URLSessionTransport(), services: ServiceFactory())
/// manager.proxy = proxy
/// ```
///
/// An app usually needs only ``shared``. Tests create their own over a stub transport.
public final class ApiProxy: UserDataHolder {
    /// The default proxy of all managers. To use another transport, replace it at launch, before the first
    /// call.
    public static var shared: ApiProxy {
        get { current.current }
        set { current.current = newValue }
    }

    private static let current = Locked(ApiProxy())

    /// The proxy of managers without a proxy of their own: in a hook, the proxy of the call; otherwise ``shared``.
    static var standard: ApiProxy {
        guard let running = CallContext.current.running else { return shared }
        return of(running.dispatcher)
    }

    /// The registered services.
    public let services: ServiceFactory
    /// The redaction applied to the texts of errors and logs.
    public let redaction: Redaction
    /// Reports network connectivity.
    public let reachability: any Reachability
    /// Whether and when managers that carry a ``BaseAPIManager/sample`` use it as their response. All others go to the network.
    /// Default: ``SampleMode/off``. A release build may say ``SampleMode/forbidden``.
    public var sampleMode: SampleMode {
        get { samples.current }
        set { samples.current = newValue }
    }
    private let samples = Locked(SampleMode.off)
    /// The plugins of all calls that start from now on, in their order. Default: none.
    public var plugins: [any APIPlugin] {
        get { pluginList.current }
        set { pluginList.current = newValue }
    }
    private let pluginList = Locked<[any APIPlugin]>([])
    /// What changes calls before they start; `nil` for nothing.
    package let callRules = Locked<(any CallRules)?>(nil)
    package let clock: any APIClock
    let random: @Sendable () -> Double
    let generator: RequestGenerator
    let follower: RedirectFollower
    package var transport: any Transport { follower.transport }
    /// What policies keep; see ``state(_:)``.
    let slots = Locked(Slots())
    private let calls = Locked<[RequestID: PendingCall]>([:])
    private let observers = Locked<[(id: ObserverID, observer: any APICallObserver)]>([])

    /// Creates a proxy.
    /// - Parameters:
    ///   - transport: The transport. Default: ``CurlTransport`` on Linux, if libcurl is available,
    ///     otherwise ``URLSessionTransport``.
    ///   - caches: The caches. Default: a ``MemoryCache`` and a ``DiskCache``, which is in memory as well if the services are
    ///     kept there; see ``ServiceFactory/keepInMemory()``.
    ///   - reachability: Used only with transports that need the network; see
    ///     ``Transport/needsNetwork(for:)``.
    ///   - clock: The clock for caches, retries, debouncing, circuit breakers and event streams. Timeouts use the
    ///     system clock.
    ///   - random: Returns a random number in 0..<1, for the delays between retries.
    public init(
        transport: (any Transport)? = nil, services: ServiceFactory = .shared,
        generator: RequestGenerator = RequestGenerator(), redaction: Redaction = .standard,
        caches: CacheTiers? = nil, reachability: any Reachability = SystemReachability.shared,
        clock: any APIClock = SystemClock(), random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.reachability = reachability
        self.clock = clock
        self.random = random
        self.services = services
        self.generator = generator
        self.redaction = redaction
        follower = RedirectFollower(transport: transport ?? StandardTransport.make(), redaction: redaction)
        if let caches { _ = state { caches } }
        TokenSession.userDataHolders.add { [weak self] in self }
    }

    // MARK: Cancellation

    /// The request IDs of the calls in flight, in ascending order.
    public var requestIDs: [RequestID] { pendingCalls.map(\.call.requestID) }

    /// The calls in flight, in the order in which they were made.
    var pendingCalls: [PendingCall] {
        calls.withLock { Array($0.values) }.sorted { $0.call.requestID < $1.call.requestID }
    }

    /// Cancels a call. Has no effect if it has ended.
    public func cancelRequest(_ requestID: RequestID) {
        calls.withLock { $0[requestID] }?.cancel()
    }

    /// Cancels calls of any manager.
    public func cancelRequests(_ requestIDs: some Sequence<RequestID>) {
        for requestID in requestIDs { cancelRequest(requestID) }
    }

    /// Cancels the calls of all managers with a tag.
    public func cancelRequests(tagged tag: RequestTag) {
        for pending in pendingCalls where pending.call.tag == tag { pending.cancel() }
    }

    /// Cancels all calls.
    public func cancelAllRequests() {
        for pending in pendingCalls { pending.cancel() }
    }

    // MARK: Degradation

    /// Degrades an endpoint, or all endpoints of a service: calls end with
    /// ``APIError/Kind/degraded(until:)`` until a date.
    public func degrade(_ service: ServiceIdentifier, methodName: String? = nil, until date: Date) {
        degrade(.init(service: service, methodName: methodName), until: date)
    }

    func degrade(_ place: EndpointPlace, until date: Date) {
        degradations.degrade(place, until: date, now: clock.now, at: clock.uptime)
    }

    // MARK: Observers

    /// Identifies an observer; see ``addObserver(_:)``.
    public struct ObserverID: Hashable, Sendable { fileprivate let value = UUID() }

    /// Adds an observer of calls that start from now on.
    /// - Returns: The identifier for ``removeObserver(_:)``.
    @discardableResult
    public func addObserver(_ observer: any APICallObserver) -> ObserverID {
        let id = ObserverID()
        observers.withLock { $0.append((id, observer)) }
        return id
    }

    /// Removes an observer. It still observes calls that have started.
    public func removeObserver(_ id: ObserverID) {
        // Released outside the lock: its `deinit` may access the proxy.
        _ = observers.withLock { observers in
            observers.firstIndex { $0.id == id }.map { observers.remove(at: $0) }
        }
    }

    // MARK: For the pipeline

    var currentObservers: [any APICallObserver] { observers.withLock { $0.map(\.observer) } }

    func track(_ pending: PendingCall) {
        calls.withLock { $0[pending.call.requestID] = pending }
    }

    func untrack(_ requestID: RequestID) {
        _ = calls.withLock { $0.removeValue(forKey: requestID) }
    }

    /// Whether the services store nothing.
    var isInMemory: Bool { services.memory != nil }

    /// Removes the cached responses of all services with this session, including responses from earlier launches.
    func removeUserData(of session: TokenSession) async {
        for identifier in services.identifiers {
            guard let instance = try? services.lookUp(identifier) else { continue }
            guard instance.removeCookies(of: session) else { continue }
            if let caches = known(CacheTiers.self) {
                await caches.machinery.remove(of: identifier)
            } else if !isInMemory {
                await ResponseFolder.remove(identifier)
            }
        }
    }

    func userMayHaveChanged() { known(CacheTiers.self)?.machinery.userMayHaveChanged() }

    /// In the words of the call's service, where there is one.
    private func userText(of call: APICall) -> APIError.UserText? {
        guard let service = services.made(call.serviceIdentifier)?.service else { return nil }
        return { service.userMessage(for: $0, languages: $1) }
    }

    /// Creates an error of a call.
    ///
    /// Not inlined: the async frames of 20 steps would have 1 to 4 KB for its fields.
    /// - Parameter hint: A description that replaces the general one of its kind.
    @inline(never)
    package func error(
        _ kind: APIError.Kind, of call: APICall, response: APIResponse? = nil, underlying: APIError? = nil,
        hint: String? = nil
    ) -> APIError {
        // The response of another call, such as a login, does not belong to this error.
        let own = underlying?.requestID == call.requestID ? underlying?.response : nil
        return APIError(
            kind, call: call, response: response ?? own, underlying: underlying, hint: hint,
            redaction: redaction, tellUser: userText(of: call))
    }
}

// MARK: Slots

extension ApiProxy {
    /// The state of a type.
    /// - Parameter make: Makes it at the first use. Takes no lock.
    package func state<State: ProxyState>(_ make: () -> State) -> State {
        slots.withLock { slots in
            if let known = slots[State.self] { return known }
            let new = make()
            slots[State.self] = new
            return new
        }
    }

    /// The state of a type; `nil` if no call has needed it yet.
    func known<State: ProxyState>(_ type: State.Type) -> State? { slots.withLock { $0[type] } }
}
