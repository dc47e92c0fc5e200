import Foundation

/// Dispatches calls: gives them numbers, keeps the table of those in flight, sends their requests over a
/// transport, and cancels.
///
/// ```swift
/// let proxy = ApiProxy(transport: URLSessionTransport(), services: ServiceFactory())
/// manager.proxy = proxy
/// ```
///
/// An app needs only ``shared``. A test makes its own, over its own transport.
public final class ApiProxy: UserDataHolder {
    /// The proxy of every manager that has not been given another one. Set it at start-up, before the
    /// first call, to use another transport.
    public static var shared: ApiProxy {
        get { current.current }
        set { current.current = newValue }
    }

    private static let current = Locked(ApiProxy())

    /// Which services exist.
    public let services: ServiceFactory
    /// What is hidden in the texts of errors and logs.
    public let redaction: Redaction
    /// Where the responses of managers with a ``CachePolicy`` are kept.
    public let caches: CacheTiers
    /// Whether there is a network.
    public let reachability: any Reachability
    let clock: any APIClock
    let random: @Sendable () -> Double
    let breakers = CircuitBreakerRegistry()
    let generator: RequestGenerator
    let follower: RedirectFollower
    let exchanges = RequestCoalescer()
    private let calls = Locked<[RequestID: PendingCall]>([:])
    private let observers = Locked<[(id: ObserverID, observer: any APICallObserver)]>([])

    /// - Parameters:
    ///   - transport: who puts bytes on the wire. Default: ``CurlTransport`` on Linux,
    ///     ``URLSessionTransport`` elsewhere, and where there is no libcurl.
    ///   - reachability: asked only for transports that need the network; see ``Transport/needsNetwork(for:)``.
    ///   - clock: what cache, retries, debounce, breakers and event streams go by. Time limits go by the system's.
    ///   - random: a number from 0 up to 1, for the pauses between retries.
    public init(
        transport: (any Transport)? = nil, services: ServiceFactory = .shared,
        generator: RequestGenerator = RequestGenerator(), redaction: Redaction = .standard,
        caches: CacheTiers = CacheTiers(), reachability: any Reachability = SystemReachability.shared,
        clock: any APIClock = SystemClock(), random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.caches = caches
        self.reachability = reachability
        self.clock = clock
        self.random = random
        self.services = services
        self.generator = generator
        self.redaction = redaction
        follower = RedirectFollower(transport: transport ?? StandardTransport.make(), redaction: redaction)
        TokenSession.userDataHolders.add(self)
    }

    // MARK: Cancelling

    /// The calls in flight, oldest first.
    public var requestIDs: [RequestID] { calls.withLock { $0.keys.sorted() } }

    /// Cancels one call, whoever made it. Nothing happens where it is over.
    public func cancelRequest(_ requestID: RequestID) {
        calls.withLock { $0[requestID] }?.cancel()
    }

    /// Cancels some calls, whoever made them.
    public func cancelRequests(_ requestIDs: some Sequence<RequestID>) {
        for requestID in requestIDs { cancelRequest(requestID) }
    }

    /// Cancels the calls of all managers with a tag.
    public func cancelRequests(tagged tag: RequestTag) {
        for pending in calls.withLock({ $0.values.filter { $0.call.tag == tag } }) { pending.cancel() }
    }

    /// Cancels every call.
    public func cancelAllRequests() {
        for pending in calls.withLock({ Array($0.values) }) { pending.cancel() }
    }

    // MARK: Degradation

    /// Has an endpoint, or all of a service, answered with ``APIError/Kind/degraded(until:)`` until then.
    public func degrade(_ service: ServiceIdentifier, methodName: String? = nil, until date: Date) {
        breakers.degrade(service, methodName, until: date, now: clock.now, at: clock.uptime)
    }

    // MARK: Observing

    /// What ``addObserver(_:)`` gives back.
    public struct ObserverID: Hashable, Sendable { fileprivate let value = UUID() }

    /// Tells somebody what happens to the calls that start from now on.
    @discardableResult
    public func addObserver(_ observer: any APICallObserver) -> ObserverID {
        let id = ObserverID()
        observers.withLock { $0.append((id, observer)) }
        return id
    }

    /// Tells them no more, but for calls that have started.
    public func removeObserver(_ id: ObserverID) {
        // Released after the lock: its `deinit` may ask the proxy.
        _ = observers.withLock { observers in
            observers.firstIndex { $0.id == id }.map { observers.remove(at: $0) }
        }
    }

    // MARK: For the pipeline

    func service(of call: APICall) throws(APIError) -> any Service {
        do {
            if let service = try services.lookUp(call.serviceIdentifier) { return service }
        } catch {
            throw self.error(.serviceCycle(error.identifiers), of: call)
        }
        throw error(.serviceNotRegistered, of: call)
    }

    func events() -> CallEvents { CallEvents(observers.withLock { $0.map(\.observer) }) }

    func track(_ pending: PendingCall) {
        calls.withLock { $0[pending.call.requestID] = pending }
    }

    func untrack(_ requestID: RequestID) {
        _ = calls.withLock { $0.removeValue(forKey: requestID) }
    }

    /// What is kept of the responses of all services that have this session, those of earlier runs among them.
    func removeUserData(of session: TokenSession) async {
        for identifier in services.identifiers where services.service(for: identifier)?.session == session {
            await caches.remove(.service(identifier))
        }
    }

    /// In the words of the call's service, where there is one.
    private func userText(of call: APICall) -> APIError.UserText? {
        guard let service = services.made(call.serviceIdentifier) else { return nil }
        return { service.userMessage(for: $0, languages: $1) }
    }

    /// - Parameter hint: what to do about it, in place of what is said of every error of its kind.
    func error(
        _ kind: APIError.Kind, of call: APICall, response: APIResponse? = nil, underlying: APIError? = nil,
        hint: String? = nil
    ) -> APIError {
        // That of another call, such as the login's, is none of this one's.
        let own = underlying?.requestID == call.requestID ? underlying?.response : nil
        return APIError(
            kind, call: call, response: response ?? own, underlying: underlying, hint: hint,
            redaction: redaction, tellUser: userText(of: call))
    }
}
