public import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingSupport
public import Foundation

/// Uploads and downloads that go on while the app does not run, on Apple platforms.
///
/// ```swift
/// let transfers = try BackgroundTransfers(
///     identifier: "com.example.photos", folder: folder,
///     managers: [
///         BackgroundTransferManager("photo", PhotoUploadManager.self) {
///             PhotoUploadManager()
///         }
///     ])
/// try await transfers.start(PhotoUploadManager.self, with: ["album": 7])
/// ```
///
/// A transfer is a call of a manager. Its request is made by the ordinary pipeline, with fresh tokens, and is handed to the system.
/// When the system has ended it, in this start of the app or a later one, the manager is made again by its name, the response goes
/// through the ordinary pipeline, and the manager's delegate is called. Then the transfer is removed. If the app is ended between the
/// two, the delegate is called again in its next start.
///
/// A transfer belongs to the user and the environment in which it was made: its outcome waits for them. Create the object while
/// the app launches, one an identifier, and keep it as long as the app runs.
@MainActor
public final class BackgroundTransfers {
    /// The identifier of the system's session.
    public let identifier: String
    /// The proxy that makes the requests and reads the responses.
    public let proxy: ApiProxy

    let folder: BackgroundFolder
    let session: any BackgroundSession
    let receiver: BackgroundReceiver
    let managers: [String: BackgroundTransferManager]
    /// The transfers, by ID.
    private(set) var items: [UUID: Item] = [:]
    /// The started transfers of which the system has no task, and maybe an outcome that it has not reported yet.
    var suspects: Set<UUID> = []
    /// The call to the app when the events that woke it are delivered.
    var handlers: [() -> Void] = []
    /// Whether the system has reported all events since the last handler was called.
    var areEventsReported = false
    var loading: Task<Result<Void, BackgroundTransferError>, Never>?
    var isLoaded = false
    var isClosed = false
    var timer: Task<Void, Never>?
    var reader: Task<Void, Never>?
    var reachability: Task<Void, Never>?
    let logins = NotificationObservers()
    let listeners = Broadcaster<BackgroundTransferEvent>(bufferingNewest: 1000)
    private let changes = ObservedChanges()
    private let claim: BackgroundClaim

    /// A transfer of this start of the app.
    struct Item: Sendable {
        var record: TransferRecord
        /// `nil` if they cannot be read.
        var params: Params?
        var wait: OutboxWait?
        var problem: OutboxFailure?
        /// How its task has ended; `nil` as long as it has not.
        var result: TaskResult?
        var call: Task<Void, Never>?
        var carrier: BackgroundCarrier?
        /// The call that waits for the result.
        var waiter: CheckedContinuation<TaskResult?, Never>?
        /// Whether the app has canceled it.
        var isCancelled = false
    }

    /// Creates the transfers of an identifier, and continues the transfers of earlier starts of the app.
    /// - Parameters:
    ///   - identifier: The identifier of the system's session, such as `com.example.photos`. Each process has its own.
    ///   - folder: The folder, which only these transfers use, in the container of this process. It is made if it does not exist,
    ///     with the mode 0700.
    ///   - sharedContainer: The app group. The system keeps downloaded files in its container. Needed in an extension.
    ///   - proxy: The proxy that makes the requests. Default: `ApiProxy.shared`.
    ///   - managers: The managers that can make transfers. Keep managers of older versions of the app as long as their
    ///     transfers may exist.
    ///   - isDiscretionary: Whether the system waits for a good time, such as with power and Wi-Fi. Default: `false`.
    ///   - timeout: The maximum duration of a transfer, in seconds, in place of the timeouts of services and managers. Default:
    ///     7 days.
    /// - Throws: ``BackgroundTransferError``; on Linux always ``BackgroundTransferError/unsupportedPlatform``.
    public convenience init(
        identifier: String, folder: URL, sharedContainer: String? = nil, proxy: ApiProxy? = nil,
        managers: [BackgroundTransferManager], isDiscretionary: Bool = false,
        timeout: TimeInterval = 7 * 86_400
    ) throws(BackgroundTransferError) {
        #if canImport(Darwin)
            try self.init(identifier: identifier, folder: folder, proxy: proxy, managers: managers) {
                BackgroundURLSession(
                    identifier: identifier, sharedContainer: sharedContainer,
                    isDiscretionary: isDiscretionary,
                    timeout: timeout)
            }
        #else
            throw .unsupportedPlatform
        #endif
    }

    /// - Parameter session: Returns what transfers the data. Called once this is the only user of the identifier.
    package init(
        identifier: String, folder: URL, proxy: ApiProxy?, managers: [BackgroundTransferManager],
        session: () -> any BackgroundSession
    ) throws(BackgroundTransferError) {
        var named: [String: BackgroundTransferManager] = [:]
        for manager in managers {
            if let obstacle = manager.obstacle { throw .unsupportedManager(manager.name, reason: obstacle) }
            guard named.updateValue(manager, forKey: manager.name) == nil,
                managers.filter({ $0.type == manager.type }).count == 1
            else { throw .ambiguousManager(manager.name) }
        }
        self.identifier = identifier
        self.managers = named
        self.proxy = proxy ?? .shared
        self.folder = BackgroundFolder(folder, isExcludedFromBackup: true)
        claim = try BackgroundClaim(identifier, self.folder)
        receiver = BackgroundReceiver(self.folder)
        self.session = session()
        self.proxy.queues.add(self)
        observe()
        // Before the launch ends: the system reports only to those who are there.
        self.session.connect(to: receiver)
        Task { [weak self] in try? await self?.load() }
    }

    // MARK: Transfers

    /// All transfers, in the order in which they were made. Observable, as the output of a manager is.
    public var transfers: [BackgroundTransfer] {
        changes.access()
        return items.values.map(transfer).sorted {
            ($0.created, $0.id.uuidString) < ($1.created, $1.id.uuidString)
        }
    }

    /// A new stream of what happens from now on.
    public var events: AsyncStream<BackgroundTransferEvent> { listeners.stream() }

    /// Starts a transfer. When this returns, it is on the disk, and the next start of the app goes on with it. It belongs to the
    /// user and the environment of the moment at which this is called.
    /// - Parameters:
    ///   - type: The manager's class, of which there is a ``BackgroundTransferManager``.
    ///   - params: The arguments; `BaseAPIManager.reform(_:)` changes them when the request is made.
    /// - Returns: The transfer.
    /// - Throws: ``BackgroundTransferError``. Nothing is sent then.
    @discardableResult
    public func start<Manager: BaseAPIManager>(
        _ type: Manager.Type, with params: Params = [:]
    ) async throws(BackgroundTransferError) -> BackgroundTransfer {
        let type = ManagerType(type)
        guard let manager = managers.values.first(where: { $0.type == type }) else {
            throw .unknownManager(type)
        }
        // The user of now, and not the one who is there when the folder was read.
        let moment = manager.moment(proxy)
        try await load()
        let service = manager.service()
        if proxy.services.configuration(for: service)?.transport != nil {
            throw .unsupportedManager(
                manager.name,
                reason:
                    "The service \"\(service)\" has a transport of its own, and the system's session does not have its TLS policy; register the service for transfers under another identifier."
            )
        }
        if (proxy.transport as? URLSessionTransport)?.hasTLSPolicy == true {
            throw .unsupportedManager(
                manager.name,
                reason:
                    "The proxy's transport has a TLSPolicy or a DebuggingProxy, which the system's session does not have; give BackgroundTransfers a proxy without one."
            )
        }
        let record = TransferRecord(
            id: UUID(), manager: manager.name, version: manager.version,
            identity: try await moment.identity(or: BackgroundTransferError.self), key: manager.key(params),
            created: proxy.clock.now,
            params: try content(of: params, manager))
        do throws(CredentialStoreError) {
            try await folder.write(record)
        } catch {
            // It may be in the folder, if only the folder could not be synchronized.
            try? await folder.remove(record.id, task: nil)
            throw .storage(error)
        }
        let item = Item(record: record, params: params)
        change(record.id) { $0 = item }
        let transfer = transfer(item)
        listeners.send(.started(transfer))
        run(record.id)
        return transfer
    }

    /// Cancels a transfer. If its manager waits for the system, its delegate receives `APIError.Kind.cancelled`. What a
    /// download has so far is kept for seven days, for the next transfer of the same user with the same params.
    public func cancel(_ id: UUID) async throws(BackgroundTransferError) {
        try await load()
        guard let item = items[id] else { return }
        change(id) { $0?.isCancelled = true }
        item.carrier?.noteCancelled()
        item.call?.cancel()
        await item.call?.value
        // The call may have ended otherwise meanwhile.
        guard let item = items[id] else { return }
        await remove(item)
        listeners.send(.cancelled(transfer(item)))
        callHandlers()
    }

    /// Cancels the transfers of a user, such as after a logout that is for good.
    public func cancelAll(of user: String) async throws(BackgroundTransferError) {
        try await load()
        for item in items.values where item.record.identity.user == user { try await cancel(item.record.id) }
    }

    /// Takes the events that the system has launched the app for.
    ///
    /// ```swift
    /// func application(
    ///     _ application: UIApplication,
    ///     handleEventsForBackgroundURLSession identifier: String,
    ///     completionHandler: @escaping () -> Void
    /// ) {
    ///     transfers.handleEvents(
    ///         identifier: identifier, completion: completionHandler)
    /// }
    /// ```
    /// - Parameters:
    ///   - identifier: The identifier of the system's session.
    ///   - completion: The system's closure. Called once, on the main actor, after all delegates were called.
    /// - Returns: Whether the identifier belongs to these transfers; otherwise nothing happens.
    @discardableResult
    public func handleEvents(identifier: String, completion: @escaping () -> Void) -> Bool {
        guard identifier == self.identifier else { return false }
        handlers.append(completion)
        callHandlers()
        return true
    }

    // MARK: Items

    /// Changes a transfer, and tells those who observe it.
    func change(_ id: UUID, _ body: (inout Item?) -> Void) {
        changes.withMutation { body(&items[id]) }
    }

    func transfer(_ item: Item) -> BackgroundTransfer {
        let record = item.record
        let state: BackgroundTransfer.State =
            if let problem = item.problem {
                .unreadable(problem)
            } else if let wait = item.wait {
                .waiting(wait)
            } else if item.result != nil {
                .delivering
            } else {
                record.request == nil ? .preparing : .transferring
            }
        return BackgroundTransfer(
            id: record.id, manager: record.manager, params: item.params ?? [:], user: record.identity.user,
            environment: record.identity.environment, created: record.created, state: state)
    }

    private func content(
        of params: Params, _ manager: BackgroundTransferManager
    ) throws(BackgroundTransferError) -> StoredParams {
        do throws(StoredParams.Problem) {
            return try StoredParams(params, manager.seal, proxy.redaction)
        } catch {
            switch error {
            case .secretParam(let name): throw .secretParam(name)
            case .nestedTooDeeply(let limit): throw .nestedTooDeeply(limit: limit)
            case .seal(let message): throw .seal(message)
            }
        }
    }

    /// Stops as the end of the process does: the tasks go on, and nobody is notified.
    package func close() {
        isClosed = true
        timer?.cancel()
        reader?.cancel()
        reachability?.cancel()
        session.close()
        for (id, item) in items {
            item.call?.cancel()
            item.waiter?.resume(returning: nil)
            change(id) { $0?.waiter = nil }
        }
        claim.release()
    }
}
