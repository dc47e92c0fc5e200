public import DiscreteNetworkingCaching
public import DiscreteNetworkingCore
public import Foundation

/// Makes the managers of one endpoint for an ``Outbox``.
///
/// ```swift
/// OutboxManager(
///     "message", SendMessageManager.self,
///     lane: { "room \($0["room"]?.canonicalText ?? "")" },
///     make: { _ in SendMessageManager() })
/// OutboxManager("photo", PhotoUploadManager.self) { files in
///     let manager = PhotoUploadManager()
///     manager.photo = files["photo"]
///     return manager
/// }
/// ```
public struct OutboxManager: Sendable {
    /// The name in the files of the outbox. It stays when the class is renamed.
    public let name: String
    let type: ManagerType
    let version: Int
    let lane: @Sendable (Params) -> String
    let migrate: @Sendable (Params, Int) throws -> Params
    let seal: OutboxSeal?
    let session: @MainActor @Sendable (ApiProxy) -> TokenSession?
    /// The name of the service's current environment.
    let environment: @MainActor @Sendable (ApiProxy) -> String?
    let moment: @MainActor @Sendable (ApiProxy, [String: URL]) -> CallMoment
    let key: @MainActor @Sendable (Params, [String: URL]) -> IdempotencyKey
    /// Prepares the changes of an entry; `nil` if it has none, or not for the current user.
    let update:
        (@MainActor @Sendable (EntryRecord, Params, [String: URL], ApiProxy) async -> OptimisticUpdate?)?
    /// Makes a manager, and a call with it.
    let send: @MainActor @Sendable (EntryRecord, Params, [String: URL], ApiProxy) async -> SendOutcome

    /// What became of an entry that was to be sent.
    enum SendOutcome: Sendable {
        /// - Parameter adopt: Changes the params of later entries of the lane.
        case succeeded(adopt: (@Sendable (inout Params) -> Void)?)
        /// - Parameter mayHaveActed: Whether the server may have done what the entry asks for.
        case failed(APIError, mayHaveActed: Bool)
        case waits(OutboxWait)
    }

    /// Describes the managers of one endpoint.
    /// - Parameters:
    ///   - name: The name in the files. Never change it.
    ///   - type: The managers' class.
    ///   - version: The version of the params. Increase it when they change, and say in `migrate` how.
    ///   - lane: Returns the lane of a call. Default: the name, so that all calls of the endpoint are sent one after the other.
    ///     Managers may share lanes.
    ///   - seal: Encrypts the params on disk, not the files. Default: none.
    ///   - migrate: Returns the params in the current version. Called with older params and their version. If it throws, the
    ///     entry is dead. Default: no change.
    ///   - adopting: Changes the params of a later entry of the lane by the output of this one, such as a number that the
    ///     server gave. Called for each of them after a success, and once more if the app ends meanwhile.
    ///   - optimistically: Says how stored outputs of other managers look until an entry has ended, by its params; see
    ///     `OptimisticChanges`. Called when the entry is made, in each later start of the app, and when its user logs in. If a
    ///     manager stores nothing, none of the changes is shown.
    ///   - make: Makes a manager for one call, with its files: copies in the folder of the outbox, by the names of
    ///     ``Outbox/send(_:with:files:)``. Set its delegate here: it is called with the typed output, in this start of the app or a
    ///     later one.
    @MainActor
    public init<Output, Manager: APIManager<Output>>(
        _ name: String, _ type: Manager.Type, version: Int = 1, lane: (@Sendable (Params) -> String)? = nil,
        seal: OutboxSeal? = nil,
        migrate: @escaping @Sendable (Params, Int) throws -> Params = { params, _ in params },
        adopting: (@Sendable (Output, inout Params) -> Void)? = nil,
        optimistically: (@MainActor @Sendable (Params, inout OptimisticChanges) -> Void)? = nil,
        make: @escaping @MainActor @Sendable ([String: URL]) -> Manager
    ) {
        self.name = name
        self.version = version
        self.seal = seal
        self.migrate = migrate
        self.type = ManagerType(type)
        self.lane = lane ?? { _ in name }
        func made(_ proxy: ApiProxy, _ files: [String: URL]) -> Manager {
            let manager = make(files)
            manager.proxy = proxy
            return manager
        }
        session = { $0.services.configuration(for: make([:]).serviceIdentifier)?.session }
        environment = { $0.services.service(for: make([:]).serviceIdentifier)?.environmentName }
        moment = { CallMoment(made($0, $1)) }
        key = { params, files in make(files).idempotencyKey(with: params) ?? IdempotencyKey() }
        if let optimistically {
            update = { record, params, files, proxy in
                await made(proxy, files).optimisticUpdate(for: record.identity) {
                    optimistically(params, &$0)
                }
            }
        } else {
            update = nil
        }
        send = { record, params, files, proxy in
            switch await made(proxy, files).load(with: params, for: record.identity, key: record.key) {
            case .succeeded(let output):
                guard let adopting else { return .succeeded(adopt: nil) }
                return .succeeded { adopting(output, &$0) }
            case .failed(let error, let mayHaveActed): return .failed(error, mayHaveActed: mayHaveActed)
            case .otherIdentity(let identity):
                return .waits(identity.user == record.identity.user ? .environment : .user)
            case .withoutIdentity: return .waits(.user)
            }
        }
    }
}
