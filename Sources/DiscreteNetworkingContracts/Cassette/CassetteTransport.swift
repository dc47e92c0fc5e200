public import DiscreteNetworkingCore
public import Foundation

/// A transport that records exchanges with a real server in a file, and replays them offline.
///
/// ```swift
/// // .record(over: CurlTransport()) once before.
/// let cassette = CassetteTransport(at: file, mode: .replay)
/// // No token of the developer.
/// services.keepInMemory()
/// manager.proxy = ApiProxy(transport: cassette, services: services)
/// ```
///
/// The file is JSON for review, based on HAR 1.2. Secrets are redacted before it is written, and requests
/// are compared with redacted secrets, so different tokens match. Binary data is stored unchanged, without
/// redaction. JSON is replayed with sorted keys and without whitespace. Failed exchanges are not recorded. A recording that
/// a service brings is not written in a test; see ``/DiscreteNetworking/ServiceFactory/keepInMemory()``.
///
/// Of a cookie that a response sets, the name and the attributes are recorded. A ``/DiscreteNetworking/CookieJar`` takes it
/// with a redacted value and sends it, so that a conversation with cookies replays.
public final class CassetteTransport: Transport {
    /// What happens to a request.
    public enum Mode: Sendable {
        /// Sends every request over a transport and rewrites the file. A file that another transport is recording, of any
        /// process, is refused: nothing is sent, and each request fails with an error that says so.
        case record(over: any Transport)
        /// Replays in any order. Repeated requests receive their responses one after the other, then the
        /// last one again.
        case replay
        /// Requires all requests in their recorded order.
        case replayExactly
    }

    private struct State {
        var entries: [CassetteEntry?] = []
        var used: Set<Int> = []
        var next = 0
        var count = 0
        var mismatches: [String] = []
        /// Held from the first recorded request on.
        var lock: CassetteLock?
        /// Why the file cannot be recorded.
        var refusal: String?
        /// The recordings so far of streams that have not ended.
        var open: [Int: @Sendable () -> CassetteEntry] = [:]
    }

    private let file: URL
    private let mode: Mode
    private let matching: CassetteMatching
    private let redaction: Redaction
    private let damage: String?
    private let state: Locked<State>
    /// Whether a service that stores nothing created the transport.
    private let isInMemory = MemoryStorage.current != nil

    /// Creates a transport.
    /// - Parameters:
    ///   - file: The cassette; a recording replaces it after the first response.
    ///   - mode: Whether to record or to replay.
    ///   - matching: How requests are compared.
    ///   - redaction: The redaction of secrets.
    public init(
        at file: URL, mode: Mode, matching: CassetteMatching = .standard, redaction: Redaction = .standard
    ) {
        self.file = file
        self.mode = mode
        self.matching = matching
        self.redaction = redaction
        if case .record = mode {
            damage = nil
            state = Locked(State())
        } else {
            do throws(ContractError) {
                state = Locked(State(entries: try Self.read(file)))
                damage = nil
            } catch {
                state = Locked(State())
                damage = error.message
            }
        }
    }

    private static func read(_ file: URL) throws(ContractError) -> [CassetteEntry] {
        let name = file.lastPathComponent
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw ContractError("There is no cassette \(name); record one with .record(over:).")
        }
        guard let data = try? Data(contentsOf: file) else {
            throw ContractError("The cassette \(name) cannot be read.")
        }
        do {
            return try CassetteFile.entries(parsing: data)
        } catch {
            throw ContractError("The cassette \(name) is damaged: \(error.message) Record it again.")
        }
    }

    // MARK: Verification

    /// Why the last unmatched request had no recorded response; `nil` if there was none.
    public var lastMismatch: String? { state.withLock { $0.mismatches.last } ?? damage }

    /// All problems: a damaged file, unmatched requests and, for ``Mode/replayExactly``, unused recordings.
    /// Empty if there are none.
    ///
    /// While recording, this writes streams that are still open as received so far.
    public var problems: [String] {
        if case .record = mode { writeOpenStreams() }
        let (mismatches, unused) = state.withLock { state -> ([String], [String]) in
            guard case .replayExactly = mode else { return (state.mismatches, []) }
            let unused = state.entries.indices.filter { !state.used.contains($0) }
            return (
                state.mismatches,
                unused.compactMap { index in
                    state.entries[index].map {
                        "\(file.lastPathComponent): request \(index + 1), \(Self.name($0.request)), was recorded and not sent."
                    }
                }
            )
        }
        return [damage].compactMap(\.self) + mismatches + unused
    }

    // MARK: Transport

    public func send(_ request: APIRequest) async throws -> TransportResponse {
        if case .record(let transport) = mode { return try await record(request, over: transport) }
        if let damage { throw TransportError(.unsupported, message: damage) }
        let now = RecordedRequest(request, body: try await request.body.bytes(), redaction)
        let entry = state.withLock { state -> CassetteEntry? in
            if case .replayExactly = mode { return takeNext(now, &state) }
            return takeAny(now, &state)
        }
        guard let entry else {
            throw TransportError(
                .unsupported,
                message: lastMismatch ?? "The cassette has no response to this request. Record it again.")
        }
        return try entry.response(to: request)
    }

    public func needsNetwork(for url: URL) -> Bool {
        if case .record(let transport) = mode { transport.needsNetwork(for: url) } else { false }
    }

    /// Returns `true`: what a service sent over its own transport would not be recorded.
    public func replacesServiceTransport(for url: URL) -> Bool { true }

    private func takeAny(_ now: RecordedRequest, _ state: inout State) -> CassetteEntry? {
        state.count += 1
        let entries = state.entries.compactMap(\.self)
        let matches = entries.indices.filter { matching.isSame(entries[$0].request, now) }
        if let index = matches.first(where: { !state.used.contains($0) }) ?? matches.last {
            state.used.insert(index)
            return entries[index]
        }
        let compared = entries.indices.map { ($0, matching.differences(entries[$0].request, now)) }
        let nearest = compared.min { CassetteMatching.isNearer($0.1, than: $1.1) }
        var text = "\(file.lastPathComponent) has no response to request \(state.count), \(Self.name(now))."
        if let (index, differences) = nearest {
            text += " Nearest is request \(index + 1), \(Self.name(entries[index].request)):"
            text += Self.list(differences) + Self.hint(entries, entries[index].request, now)
        } else {
            text += " It is empty."
        }
        state.mismatches.append(text)
        return nil
    }

    private func takeNext(_ now: RecordedRequest, _ state: inout State) -> CassetteEntry? {
        guard state.next < state.entries.count, let entry = state.entries[state.next] else {
            state.mismatches.append(
                "\(file.lastPathComponent) has \(state.entries.count) requests, and there was one more: \(Self.name(now))."
            )
            return nil
        }
        guard matching.isSame(entry.request, now) else {
            let differences = matching.differences(entry.request, now)
            state.mismatches.append(
                "\(file.lastPathComponent): request \(state.next + 1) is not as recorded, \(Self.name(entry.request)):"
                    + Self.list(differences)
                    + Self.hint(state.entries.compactMap(\.self), entry.request, now))
            return nil
        }
        state.used.insert(state.next)
        state.next += 1
        return entry
    }

    private static func name(_ request: RecordedRequest) -> String { "\(request.method) \(request.url)" }

    /// What to do about a request without cookies, if the cassette cannot set them.
    private static func hint(
        _ entries: [CassetteEntry], _ recorded: RecordedRequest, _ now: RecordedRequest
    ) -> String {
        guard recorded.headers["Cookie"] != nil, now.headers["Cookie"] == nil,
            entries.contains(where: { RecordedCookies.isNameless($0.headers) })
        else { return "" }
        return
            "\n  The cassette has no names of cookies, because an earlier version recorded it. Record it again."
    }

    private static func list(_ differences: [CassetteMatching.Difference]) -> String {
        differences.map { "\n  " + $0.text }.joined()
    }

    // MARK: Recording

    private func record(_ request: APIRequest, over transport: any Transport) async throws
        -> TransportResponse
    {
        try lockFile()
        let recorded = RecordedRequest(request, body: try await request.body.bytes(), redaction)
        // In the order of sending, not of responding.
        let index = state.withLock { state in
            state.entries.append(nil)
            return state.entries.count - 1
        }
        var response = try await transport.send(request)
        let head = response
        // What was sent as a secret is one where the server repeats it under another name.
        let redaction = redaction.hiding(CallSecrets([:], request))
        switch response.body {
        case .data(let data): try keep(CassetteEntry(recorded, head, body: data, redaction), at: index)
        case .file(let url):
            let data = try await RequestBody.file(url).bytes()
            try keep(CassetteEntry(recorded, head, body: data, redaction), at: index)
        case .stream(let stream):
            let entry = { @Sendable (data: Data, isWhole: Bool) in
                var entry = CassetteEntry(recorded, head, body: data, redaction)
                entry.isTruncated = !isWhole
                return entry
            }
            // Recorded immediately: a body that the status rules out may never be read.
            try keep(entry(Data(), request.method == .head || [204, 304].contains(head.status)), at: index)
            let tap = StreamTap { data, isWhole in try self.keep(entry(data, isWhole), at: index) }
            state.withLock { $0.open[index] = { entry(tap.data, false) } }
            response.body = .stream(tap.stream(of: stream))
        }
        return response
    }

    /// Acquires the lock of the file, once. A recording that was refused stays refused, because it lacks a request.
    private func lockFile() throws {
        try state.withLock { state in
            guard !isInMemory, state.lock == nil else { return }
            do {
                if let refusal = state.refusal { throw ContractError(refusal) }
                try makeFolder()
                state.lock = try CassetteLock(of: file)
            } catch {
                let text = (error as? ContractError)?.message ?? unwritableText
                if state.refusal == nil { state.mismatches.append(text) }
                state.refusal = text
                throw TransportError(.unsupported, message: text)
            }
        }
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    private var unwritableText: String { "The cassette \(file.lastPathComponent) cannot be written." }

    private func keep(_ entry: CassetteEntry, at index: Int) throws {
        try state.withLock { state in
            state.entries[index] = entry
            state.open[index] = nil
            try write(&state)
        }
    }

    private func writeOpenStreams() {
        state.withLock { state in
            guard !state.open.isEmpty else { return }
            for (index, entry) in state.open { state.entries[index] = entry() }
            // An error is reported as a problem.
            try? write(&state)
        }
    }

    /// Writes the file under the lock, so that an older version never overwrites a newer one.
    private func write(_ state: inout State) throws {
        guard !isInMemory else { return }
        do {
            try makeFolder()
            let text = CassetteFile.text(state.entries.compactMap(\.self))
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            state.mismatches.append(unwritableText)
            throw TransportError(.unsupported, message: unwritableText)
        }
    }
}
