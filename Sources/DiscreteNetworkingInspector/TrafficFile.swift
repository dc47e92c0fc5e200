public import DiscreteNetworkingCore
import DiscreteNetworkingTraffic
public import Foundation

/// Writes the calls of a proxy to a file while they happen, so that they can be looked at when the app has crashed.
///
/// ```swift
/// #if DEBUG
///     let caches = FileManager.default.urls(
///         for: .cachesDirectory, in: .userDomainMask)[0]
///     ApiProxy.shared.addObserver(
///         try TrafficFile(in: caches.appendingPathComponent("Traffic")))
/// #endif
/// ```
///
/// `swift run inspect FILE` shows the file in a browser, and so does **Open** on the page of an ``Inspector``;
/// `generate-managers` makes managers of it. Each start of the app has a file of its own. A call is written when it starts,
/// when a request is sent and when it ends, on a queue: a process that is killed loses at most its last milliseconds.
///
/// Each line is an HTTP Archive of one call, without secrets; see ``/DiscreteNetworking/TrafficRecorder``. A later line of a
/// call takes the place of the earlier ones. The folder is accessible to its owner only.
public final class TrafficFile: APICallObserver {
    private struct State {
        var name: TrafficFileName
        var file: FileHandle
        var size = 0
        /// The calls that have to be written.
        var changed: Set<RequestID> = []
        /// Whether the file can no longer be written.
        var hasFailed = false
    }

    /// The file that is written now.
    public var url: URL { folderURL.appendingPathComponent(state.withLock(\.name.text)) }
    private let recorder: TrafficRecorder
    private let folder: PrivateFolder
    private let folderURL: URL
    private let limit: Int
    private let print: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "DiscreteNetworking.TrafficFile")
    private let state: Locked<State>

    /// Creates a file in a folder, which is created if needed. Add it with ``/DiscreteNetworking/ApiProxy/addObserver(_:)``.
    /// - Parameters:
    ///   - folder: A folder that contains nothing else.
    ///   - limit: The size in bytes of all files in the folder, about. The oldest go first. Default: 64 MiB.
    ///   - redaction: What is secret. If the proxy has its own redaction, pass it.
    ///   - print: Receives a line if the file can no longer be written, such as on a full disk.
    /// - Throws: A `CredentialStoreError` if the folder cannot be created, or other users have access to it.
    public init(
        in folder: URL, limit: Int = 64 << 20, redaction: Redaction = .standard,
        print: @escaping @Sendable (String) -> Void = Inspector.printToStandardError
    ) throws(CredentialStoreError) {
        self.folder = try PrivateFolder.made(at: folder)
        folderURL = folder
        self.limit = limit
        self.print = print
        recorder = TrafficRecorder(
            limits: .init(body: min(256 << 10, max(limit / 16, 1))), redaction: redaction, isForReplay: false)
        let name = TrafficFileName(Date())
        state = Locked(State(name: name, file: try self.folder.create(name.text)))
        try removeOldest()
    }

    public func observe(_ event: APICallEvent) {
        recorder.observe(event)
        switch event.kind {
        case .started, .sent, .finished: break
        default: return
        }
        let id = event.call.requestID
        let isFirst = state.withLock { state in
            guard !state.hasFailed else { return false }
            let isFirst = state.changed.isEmpty
            state.changed.insert(id)
            return isFirst
        }
        if isFirst { queue.async { self.writeChanged() } }
    }

    /// Returns when all that has been observed so far is in the file.
    package func synchronize() { queue.sync {} }

    private func writeChanged() {
        let changed = state.withLock { state in
            defer { state.changed = [] }
            return state.hasFailed ? [] : state.changed
        }
        do throws(CredentialStoreError) {
            for id in changed.sorted(by: { $0.rawValue < $1.rawValue }) { try write(id) }
        } catch {
            state.withLock { $0.hasFailed = true }
            print("warning: \(url.path) is not written any further. \(error.message)")
        }
    }

    private func write(_ id: RequestID) throws(CredentialStoreError) {
        let archive = recorder.archive(of: [id.rawValue])
        // It may be gone already.
        guard archive[path: "log.pages.0"] != nil else { return }
        let line = archive.canonicalData + [UInt8(ascii: "\n")]
        let (file, size) = state.withLock { ($0.file, $0.size) }
        if size > 0, size + line.count > limit / 4 { return try begin(with: line) }
        try append(line, to: file)
    }

    private func append(_ line: Data, to file: FileHandle) throws(CredentialStoreError) {
        do { try file.write(contentsOf: line) } catch {
            throw CredentialStoreError(.unavailable, message: "\(error.localizedDescription)")
        }
        state.withLock { $0.size += line.count }
    }

    /// Begins the next file: what is old can be removed by whole files only.
    private func begin(with line: Data) throws(CredentialStoreError) {
        var name = state.withLock(\.name)
        name.number += 1
        let file = try folder.create(name.text)
        state.withLock { ($0.name, $0.file, $0.size) = (name, file, 0) }
        try append(line, to: file)
        try removeOldest()
    }

    /// Removes the oldest files until there is room for another one.
    private func removeOldest() throws(CredentialStoreError) {
        let current = url.lastPathComponent
        var names = try folder.names().filter(TrafficFileName.isName).sorted()
        var size = names.reduce(0) { $0 + self.size(of: $1) }
        var oldest: [String] = []
        while size > limit - limit / 4, let name = names.first, name != current {
            names.removeFirst()
            size -= self.size(of: name)
            oldest.append(name)
        }
        if !oldest.isEmpty { try folder.remove(oldest) }
    }

    private func size(of name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: folderURL.appendingPathComponent(name).path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
