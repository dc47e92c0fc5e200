public import DiscreteNetworkingCore
public import DiscreteNetworkingHTTP
public import DiscreteNetworkingJSON
import DiscreteNetworkingSupport
public import Foundation

/// Keeps the last calls of a proxy, to be looked at: as an HTTP Archive (HAR 1.2), which the developer tools of browsers
/// open.
///
/// ```swift
/// let recorder = TrafficRecorder()
/// ApiProxy.shared.addObserver(recorder)
/// // … calls …
/// try recorder.write(to: URL(fileURLWithPath: "calls.har"))
/// ```
///
/// Each call is a page of the archive, also one that was refused before it started, and each request that was sent for it is an entry of that page: every attempt,
/// every redirect. A refresh or a login is a call of its own. What HAR has no field for has a name with an underscore,
/// such as `_manager`, `_steps` and `_attempt`. A call that waited for a refresh or a login and the calls of that name each
/// other: `_waitedFor`, `_awaitedBy`.
///
/// Secrets are redacted when the archive is made; see ``Redaction``. Until then they are in memory, so do not add a
/// recorder in a release build.
public final class TrafficRecorder: APICallObserver {
    /// How much is kept. The oldest calls go first.
    public struct Limits: Sendable, Hashable {
        /// The number of calls.
        public var calls: Int
        /// The approximate size of all calls in bytes, with everything that is kept of them: bodies, params, URLs, header
        /// fields and texts. The latest call is kept in any case, and of its requests at least the last.
        public var bytes: Int
        /// The size in bytes from which on bodies are cut.
        public var body: Int

        /// Creates limits. Default: 1,000 calls of 64 MiB in all, with bodies of up to 1 MiB.
        public init(calls: Int = 1000, bytes: Int = 64 << 20, body: Int = 1 << 20) {
            self.calls = calls
            self.bytes = bytes
            self.body = body
        }
    }

    private struct State {
        var calls: [RequestID: RecordedCall] = [:]
        /// The calls in the order in which they started; those before ``first`` are gone.
        var order: [RequestID] = []
        var first = 0
        var bytes = 0
        /// The number of changes so far.
        var revision = 0
    }

    /// How much is kept.
    public let limits: Limits
    let redaction: Redaction
    /// Whether calls are kept so that they can be sent again.
    private let isForReplay: Bool
    private let state = Locked(State())
    /// Whether a service in memory created the recorder.
    private let isInMemory = MemoryStorage.current != nil

    /// Creates a recorder. Add it with ``ApiProxy/addObserver(_:)``.
    public convenience init(limits: Limits = Limits(), redaction: Redaction = .standard) {
        self.init(limits: limits, redaction: redaction, isForReplay: false)
    }

    /// - Parameter isForReplay: Whether calls are kept so that they can be sent again.
    package init(limits: Limits, redaction: Redaction, isForReplay: Bool) {
        self.limits = limits
        self.redaction = redaction
        self.isForReplay = isForReplay
    }

    public func observe(_ event: APICallEvent) {
        let id = event.call.requestID
        state.withLock { state in
            if event.isFirst {
                state.calls[id] = RecordedCall(event, isForReplay: isForReplay)
                // A call that ends unstarted is told of after calls that were made later.
                var index = state.order.count
                while index > state.first, state.order[index - 1] > id { index -= 1 }
                state.order.insert(id, at: index)
            }
            // A call that is gone stays away.
            guard let before = state.calls[id]?.bytes else { return }
            state.revision += 1
            state.calls[id]?.revision = state.revision
            state.calls[id]?.add(event, bodyLimit: limits.body, byteLimit: limits.bytes)
            state.bytes += (state.calls[id]?.bytes ?? 0) - (event.isFirst ? 0 : before)
            drop(&state)
        }
    }

    private func drop(_ state: inout State) {
        while state.calls.count > max(1, limits.calls) || state.bytes > limits.bytes && state.calls.count > 1
        {
            state.bytes -= state.calls.removeValue(forKey: state.order[state.first])?.bytes ?? 0
            state.first += 1
        }
        guard state.first > 1024, state.first * 2 > state.order.count else { return }
        state.order.removeFirst(state.first)
        state.first = 0
    }

    /// Forgets all calls. Those in flight are not recorded any further.
    public func removeAll() {
        state.withLock { state in
            let revision = state.revision + 1
            state = State()
            state.revision = revision
        }
    }

    /// Returns the recorded calls as an HTTP Archive, in the order in which they started.
    public func archive() -> JSONValue { archive { _ in true } }

    /// Writes the recorded calls to a file, as an HTTP Archive. Writes nothing for a service that is kept in memory; see
    /// ``ServiceFactory/keepInMemory()``.
    /// - Throws: an error of Foundation if the file cannot be written.
    public func write(to file: URL) throws {
        guard !isInMemory, MemoryStorage.current == nil else { return }
        try archive().canonicalData.write(to: file, options: .atomic)
    }
}

extension TrafficRecorder {
    /// Returns the calls with some numbers as an HTTP Archive.
    package func archive(of numbers: Set<UInt64>) -> JSONValue { archive { numbers.contains($0.rawValue) } }

    private func archive(where isChosen: (RequestID) -> Bool) -> JSONValue {
        let all = state.withLock { state in state.order[state.first...].compactMap { state.calls[$0] } }
        // Calls that are not chosen may be linked to.
        let chosen = all.filter { isChosen($0.requestID) }
        return HTTPArchive.text(of: chosen, RenewalLinks(all), redaction)
    }

    /// The call with a number; `nil` if it is gone.
    func call(_ number: UInt64) -> RecordedCall? {
        state.withLock { $0.calls[RequestID(rawValue: number)] }
    }

    /// The number of changes so far: whoever has seen it has seen all.
    package var revision: Int { state.withLock { $0.revision } }

    /// Returns the calls that changed after a revision, in the order of their last changes.
    /// - Parameter count: The largest number of calls to return.
    package func changes(since revision: Int, atMost count: Int) -> [RecordedCall] {
        let changed = state.withLock { state in state.calls.values.filter { $0.revision > revision } }
        return Array(changed.sorted { $0.revision < $1.revision }.prefix(count))
    }

    /// The approximate size of all calls, in bytes.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// The number of the oldest call that is still there; `nil` if there is none.
    package var oldest: RequestID? {
        state.withLock { state in state.first < state.order.count ? state.order[state.first] : nil }
    }

    /// The summary of a call, for a list.
    package func summary(of call: RecordedCall) -> JSONValue { call.summary(redaction) }
}

extension APICallEvent {
    /// Whether no event of the call was before it.
    fileprivate var isFirst: Bool { if case .started = kind { true } else { end?.hasStarted == false } }
}
