import DiscreteNetworkingCaching
public import DiscreteNetworkingCore
import DiscreteNetworkingSupport
public import Foundation

/// Sends calls later, if they cannot be sent now: without a network, while the backend is down, after the app was ended.
///
/// ```swift
/// let outbox = try Outbox(
///     folder: folder,
///     managers: [
///         OutboxManager("like", LikeManager.self) { _ in LikeManager() },
///         OutboxManager("message", SendMessageManager.self) { _ in
///             SendMessageManager()
///         },
///     ])
/// try await outbox.send(
///     SendMessageManager.self, with: ["room": 7, "text": "你好"])
/// ```
///
/// When ``send(_:with:files:)`` returns, the call is on the disk. It is sent in the order of its ``OutboxEntry/lane``,
/// by the ordinary pipeline: with the tokens, the signature and the cookies of the time when it is sent. It is removed
/// after its manager's delegate was called. All its requests have one `IdempotencyKey`, in all starts of the app: a
/// backend that supports it performs the call once, others at least once.
///
/// An entry belongs to the user and the environment in which it was made, and waits for them. Keep the outbox as long
/// as the app runs. If several outboxes share a folder, such as an app's outbox and its extension's, one of them sends,
/// and all of them take calls. When the sending outbox has ended, another one sends.
@MainActor
public final class Outbox {
    /// The proxy that sends.
    public let proxy: ApiProxy
    /// When an entry is sent again, and when the outbox gives up.
    public let policy: OutboxPolicy

    let store: any OutboxStore
    let managers: [String: OutboxManager]
    var queue = OutboxQueue()
    /// The files that are in the queue.
    var files: [String: UUID] = [:]
    /// The file names of entries that were sent, but could not be removed.
    var unremoved: Set<String> = []
    /// What entries show until they have ended.
    var shown: [UUID: OptimisticUpdate] = [:]
    /// The number of entries that were sent since none was left.
    var sent = 0
    var inFlight = 0
    /// How often a network has come.
    var networks = 0
    /// Held by the outbox that sends.
    var lock: CredentialLock?
    var isLoaded = false
    /// The last of the operations that are made one after the other.
    private var last: Task<Void, Never>?
    var timer: Task<Void, Never>?
    let logins = NotificationObservers()
    var reachability: Task<Void, Never>?
    private var watcher: Task<Void, Never>?
    var idlers: [CheckedContinuation<Void, Never>] = []
    private let changes = ObservedChanges()
    let listeners = Broadcaster<OutboxEvent>(bufferingNewest: 1000)

    /// Creates an outbox, which begins to send what an earlier start of the app has left.
    /// - Parameters:
    ///   - folder: The folder, which only this app uses. It is made if it does not exist, with the mode 0700.
    ///   - proxy: The proxy that sends. Default: `ApiProxy.shared`.
    ///   - managers: The managers that the outbox can send calls for. Keep managers of older versions of the app as
    ///     long as their entries may exist.
    ///   - policy: When an entry is sent again, and when the outbox gives up.
    ///   - isExcludedFromBackup: Whether the folder is left out of backups, on Apple platforms. A restored entry may be sent a
    ///     second time, when the backend has forgotten its key. Default: `true`.
    /// - Throws: ``OutboxError/ambiguousManager(_:)``.
    public convenience init(
        folder: URL, proxy: ApiProxy? = nil, managers: [OutboxManager],
        policy: OutboxPolicy = OutboxPolicy(), isExcludedFromBackup: Bool = true
    ) throws(OutboxError) {
        try self.init(
            OutboxFolder(folder, isExcludedFromBackup: isExcludedFromBackup), proxy, managers, policy)
    }

    /// Creates an outbox that keeps its entries in memory, for tests.
    package convenience init(
        inMemory proxy: ApiProxy, managers: [OutboxManager], policy: OutboxPolicy
    ) throws(OutboxError) {
        try self.init(OutboxMemory(), proxy, managers, policy)
    }

    init(
        _ store: any OutboxStore, _ proxy: ApiProxy?, _ managers: [OutboxManager], _ policy: OutboxPolicy
    ) throws(OutboxError) {
        var named: [String: OutboxManager] = [:]
        for manager in managers {
            guard named.updateValue(manager, forKey: manager.name) == nil,
                managers.filter({ $0.type == manager.type }).count == 1
            else { throw .ambiguousManager(manager.name) }
        }
        self.managers = named
        self.policy = policy
        self.proxy = proxy ?? .shared
        self.store = store
        self.proxy.queues.add(self)
        observe()
        Task { [weak self] in try? await self?.load() }
        watcher = watch()
    }

    deinit {
        timer?.cancel()
        reachability?.cancel()
        watcher?.cancel()
    }

    // MARK: Entries

    /// All entries, in the order in which they were made. Observable, as the output of a manager is.
    public var entries: [OutboxEntry] {
        changes.access()
        return queue.items.values.sorted { $0.record.number < $1.record.number }.map(entry)
    }

    /// How far the outbox is with its entries. Observable. For the progress of an upload, see its manager's
    /// `BaseAPIManager.progressDelegate`.
    public var progress: OutboxProgress {
        changes.access()
        return OutboxProgress(sent: sent, left: queue.liveCount)
    }

    /// A new stream of what happens from now on.
    public var events: AsyncStream<OutboxEvent> { listeners.stream() }

    /// Returns the name of the managers of a class; `nil` if the outbox has none.
    package func name(of type: ManagerType) -> String? {
        managers.values.first { $0.type == type }?.name
    }

    func entry(_ item: OutboxQueue.Item) -> OutboxEntry {
        let record = item.record
        let state: OutboxEntry.State =
            switch item.phase {
            case .waiting: .waiting(record.next.map { .retry(at: $0) } ?? .turn)
            case .blocked(let wait): .waiting(wait)
            case .sending: .sending
            case .dead: .dead(record.failure ?? OutboxFailure(.rejected, "", at: record.created))
            }
        return OutboxEntry(
            id: record.id, manager: record.manager, params: item.params ?? [:], files: urls(of: record),
            lane: record.lane,
            key: record.key, user: record.identity.user, environment: record.identity.environment,
            created: record.created, attempts: record.attempts, state: state)
    }

    /// Changes the queue, and tells those who observe it.
    func change<Result>(_ body: (inout OutboxQueue) -> Result) -> Result {
        changes.withMutation { body(&queue) }
    }

    /// Performs an operation after all earlier ones: entries are on the disk in the order in which they were made.
    func inOrder<Value: Sendable>(
        _ work: @escaping @MainActor () async throws(OutboxError) -> Value
    ) async throws(OutboxError) -> Value {
        let previous = last
        let task = Task { () async -> Result<Value, OutboxError> in
            await previous?.value
            do throws(OutboxError) { return .success(try await work()) } catch { return .failure(error) }
        }
        last = Task { _ = await task.value }
        return try await task.value.get()
    }
}

/// How far an ``Outbox`` is with its entries. Dead ones do not count.
public struct OutboxProgress: Sendable, Hashable {
    /// The entries that were sent since none was left, in this start of the app.
    public let sent: Int
    /// The entries that are still to be sent.
    public let left: Int

    /// The part that was sent, in 0...1; 1 if there is nothing to send.
    public var fraction: Double { left == 0 ? 1 : Double(sent) / Double(sent + left) }
}

/// Something that happens in an ``Outbox``.
public enum OutboxEvent: Sendable, Hashable {
    /// The entry is on the disk.
    case queued(OutboxEntry)
    /// The entry is being sent.
    case sending(OutboxEntry)
    /// The entry was sent, and is removed.
    case sent(OutboxEntry)
    /// The entry waits after a failure, which the text describes for developers.
    case delayed(OutboxEntry, reason: String)
    /// The entry is not sent any more.
    case died(OutboxEntry)
    /// The app has removed the entry.
    case discarded(OutboxEntry)
    /// The disk failed; entries are sent, and stay in memory as they are.
    case storageFailed(CredentialStoreError)
}
