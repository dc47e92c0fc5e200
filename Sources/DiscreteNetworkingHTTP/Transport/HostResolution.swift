public import Foundation

/// Asks a ``HostResolver`` for the addresses of hosts, and caches them.
///
/// ```swift
/// let names = HostResolution(
///     FixedAddresses(), hosts: ["api.example.com", "img.example.com"])
/// let transport = PlatformTransport.make(resolution: names)
/// ```
///
/// Only the address comes from the resolver. The TLS server name, the certificate check, pins, `Host`, cookies, redirects,
/// connection limits and the check for cleartext HTTP go by the name in the URL. Transports can share an object, and share its
/// cache then.
///
/// - The resolver is asked once for all calls that wait for a host. Cached addresses that have expired are used for
///   ``staleLimit`` seconds while new ones are asked for.
/// - The system resolves a host if the resolver throws, returns no valid address, or needs more than ``timeout``
///   seconds. A result that comes later, within 30 seconds, is cached. A resolver that has failed is not asked for that
///   host for 10 seconds.
/// - If an address cannot be connected to, the next one is tried. It is then used last for 60 seconds, and the resolver is
///   asked again. If no other address is left, the system resolves the host.
///
/// With a proxy, the proxy resolves the host. On Apple platforms, what `URLSession` allows is little; see
/// ``URLSessionTransport``.
public final class HostResolution: Sendable {
    /// How long a call waits for the resolver, in seconds.
    public let timeout: TimeInterval
    /// How long addresses that have expired may be used while new ones are asked for, in seconds.
    public let staleLimit: TimeInterval
    private let resolver: any HostResolver
    private let hosts: Set<String>?
    private let onFailure: @Sendable (Failure) -> Void
    private let now: @Sendable () -> TimeInterval
    private let state = Locked(State())

    private struct State: Sendable {
        var answers = LRUList<String, HostAnswer>()
        var lookups: [String: Lookup] = [:]
        var lastNumber: UInt64 = 0
    }

    /// A question to the resolver that has no result yet.
    private struct Lookup: Sendable {
        let number: UInt64
        /// Whether no call waits for it any more.
        var isLate = false
        /// Whether its result is not cached, because the addresses were removed meanwhile.
        var isOutdated = false
        /// The calls that wait for the addresses.
        var waiting: [Promise<[String]>] = []
    }

    /// The maximum number of hosts with cached addresses.
    static let capacity = 1024
    /// After so many seconds, the task of the resolver is canceled.
    private static let longestLookup: TimeInterval = 30

    /// Creates a resolution.
    /// - Parameters:
    ///   - resolver: Returns the addresses.
    ///   - hosts: The names that it is asked for. Default: `nil`; all names, also hosts of redirects, except names
    ///     without a dot and names in `local`, which belong to the local network. It is never asked for `localhost` and
    ///     for IP addresses.
    ///   - timeout: How long a call waits for it, in seconds. Default: 2.
    ///   - staleLimit: How long addresses that have expired may be used while new ones are asked for, in seconds. Default: 600.
    ///   - onFailure: Called when it fails, on any thread. Default: writes a line to the log.
    public convenience init(
        _ resolver: any HostResolver, hosts: Set<String>? = nil, timeout: TimeInterval = 2,
        staleLimit: TimeInterval = 600,
        onFailure: (@Sendable (Failure) -> Void)? = nil
    ) {
        self.init(
            resolver, hosts: hosts, timeout: timeout, staleLimit: staleLimit,
            onFailure: onFailure ?? { SystemLog.write("DiscreteNetworking: \($0)") },
            now: { Uptime.seconds })
    }

    /// - Parameter now: Returns seconds of a monotonic clock.
    package init(
        _ resolver: any HostResolver, hosts: Set<String>?, timeout: TimeInterval, staleLimit: TimeInterval,
        onFailure: @escaping @Sendable (Failure) -> Void, now: @escaping @Sendable () -> TimeInterval
    ) {
        self.resolver = resolver
        self.hosts = hosts.map { Set($0.map(HostName.normal)) }
        self.timeout = timeout
        self.staleLimit = staleLimit
        self.onFailure = onFailure
        self.now = now
        for host in self.hosts ?? [] where !HostName.isName(host) {
            onFailure(Failure(host: host, reason: .invalidHost))
        }
    }

    /// Removes all cached addresses, for instance when the device has joined another network.
    public func removeAll() {
        state.withLock { state in
            state.answers = LRUList()
            for host in state.lookups.keys { state.lookups[host]?.isOutdated = true }
        }
    }

    // MARK: Asking

    /// Whether code of the resolver runs. The system resolves the hosts of the resolver's own requests.
    @TaskLocal private static var isResolving = false

    private func covers(_ host: String) -> Bool {
        guard !Self.isResolving, HostName.isName(host) else { return false }
        return hosts?.contains(host) ?? !HostName.isLocal(host)
    }

    private enum Step {
        case known([String])
        case wait(Promise<[String]>)
    }

    /// Returns the addresses of a host, the one to try first being the first; empty if the system has to resolve it, `nil` if the
    /// resolver is not asked for the host. A canceled task waits no longer.
    /// - Parameter limit: How long to wait at most, in seconds.
    package func addresses(for host: String, within limit: TimeInterval) async -> [String]? {
        let host = HostName.normal(host)
        guard covers(host) else { return nil }
        let (step, number) = begin(host)
        if let number { ask(host, number) }
        switch step {
        case .known(let addresses): return addresses
        case .wait(let promise):
            let deadline =
                limit < timeout ? Deadlines.shared.schedule(after: limit) { promise.fulfil([]) } : nil
            defer { if let deadline { Deadlines.shared.cancel(deadline) } }
            return await withTaskCancellationHandler {
                await promise.value
            } onCancel: {
                promise.fulfil([])
            }
        }
    }

    /// - Returns: What a call does now, and the number of the lookup that it has to start; `nil` if none.
    private func begin(_ host: String) -> (Step, number: UInt64?) {
        let now = now()
        return state.withLock { state in
            let answer = state.answers.use(host) ?? HostAnswer()
            let usable = answer.usable(at: now)
            if answer.isFresh(at: now) { return (.known(usable), nil) }
            var number: UInt64?
            if state.lookups[host] == nil, now >= answer.retryTime {
                state.lastNumber += 1
                number = state.lastNumber
                state.lookups[host] = Lookup(number: state.lastNumber)
            }
            guard usable.isEmpty, state.lookups[host]?.isLate == false else {
                return (.known(usable), number)
            }
            let promise = Promise<[String]>()
            state.lookups[host]?.waiting.append(promise)
            return (.wait(promise), number)
        }
    }

    /// Asks the resolver in a task of its own: nothing of the call that is first applies to the others.
    private func ask(_ host: String, _ number: UInt64) {
        let task = Task.detached(priority: .userInitiated) { [self] in
            let result: Result<ResolvedAddresses, any Error>
            do {
                result = .success(
                    try await Self.$isResolving.withValue(true) { try await resolver.addresses(for: host) })
            } catch {
                result = .failure(error)
            }
            finish(host, result)
        }
        _ = Deadlines.shared.schedule(after: timeout) { [weak self] in self?.noteLate(host, number, task) }
    }

    /// Ends the waiting for a resolver that is slow.
    private func noteLate(_ host: String, _ number: UInt64, _ task: Task<Void, Never>) {
        let waiting = state.withLock { state -> [Promise<[String]>]? in
            guard let lookup = state.lookups[host], lookup.number == number else { return nil }
            state.lookups[host]?.isLate = true
            state.lookups[host]?.waiting = []
            return lookup.waiting
        }
        guard let waiting else { return }
        onFailure(Failure(host: host, reason: .timedOut(timeout)))
        for promise in waiting { promise.fulfil([]) }
        _ = Deadlines.shared.schedule(after: Self.longestLookup) { task.cancel() }
    }

    private func finish(_ host: String, _ result: Result<ResolvedAddresses, any Error>) {
        let now = now()
        var failures: [Failure.Reason] = []
        var addresses: [String] = []
        switch result {
        case .failure(let error): failures.append(.failed("\(type(of: error))"))
        case .success(let resolved):
            for text in resolved.addresses.prefix(HostAnswer.capacity) {
                if let address = IPAddress.server(text) {
                    if !addresses.contains(address) { addresses.append(address) }
                } else {
                    failures.append(.invalidAddress(String(text.prefix(64))))
                }
            }
            if addresses.isEmpty { failures.append(.noAddress) }
        }
        let (waiting, usable, isLate) = state.withLock { state in
            var answer = state.answers.use(host) ?? HostAnswer()
            if case .success(let resolved) = result, !addresses.isEmpty {
                answer.store(
                    addresses, timeToLive: resolved.timeToLive, staleLimit: staleLimit, at: now)
            } else {
                answer.fail(at: now)
            }
            let lookup = state.lookups.removeValue(forKey: host)
            if lookup?.isOutdated != true { state.answers.insert(answer, for: host, atMost: Self.capacity) }
            return (lookup?.waiting ?? [], answer.usable(at: now), lookup?.isLate == true)
        }
        // The canceled task of a late lookup has been reported.
        if case .failure = result, isLate { failures = [] }
        for reason in failures { onFailure(Failure(host: host, reason: reason)) }
        for promise in waiting { promise.fulfil(usable) }
    }

    // MARK: Connections

    /// Records how a transport fared with the addresses of a host.
    package func note(_ connection: HostConnection, of host: String) {
        let (now, bad, good) = (now(), connection.bad, connection.good)
        guard !bad.isEmpty || good != nil else { return }
        state.withLock { state in
            guard var answer = state.answers.use(host) else { return }
            answer.avoid(bad, at: now)
            if let good { answer.forgive(good) }
            state.answers.insert(answer, cost: 1, for: host)
        }
    }
}

extension HostResolution: Hashable {
    /// Whether both are the same object.
    public static func == (first: HostResolution, second: HostResolution) -> Bool { first === second }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension HostResolution: SecretBearing {
    /// The type of the resolver and the hosts; never the resolver's properties.
    public var description: String {
        "\(type(of: resolver)) for \(hosts.map { $0.sorted().joined(separator: ", ") } ?? "all hosts")"
    }
}
