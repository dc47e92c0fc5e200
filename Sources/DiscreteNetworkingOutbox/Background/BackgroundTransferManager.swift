public import DiscreteNetworkingCore
import Foundation

/// Makes the managers of one endpoint for ``BackgroundTransfers``.
///
/// ```swift
/// BackgroundTransferManager("photo", PhotoUploadManager.self) {
///     let manager = PhotoUploadManager()
///     manager.delegate = album
///     return manager
/// }
/// ```
public struct BackgroundTransferManager: Sendable {
    /// The name in the files of the transfers. It stays when the class is renamed.
    public let name: String
    let type: ManagerType
    let version: Int
    let migrate: @Sendable (Params, Int) throws -> Params
    let seal: OutboxSeal?
    /// Why its calls cannot be background transfers; `nil` if they can.
    let obstacle: String?
    let service: @MainActor @Sendable () -> ServiceIdentifier
    let moment: @MainActor @Sendable (ApiProxy) -> CallMoment
    let key: @MainActor @Sendable (Params) -> IdempotencyKey
    /// Makes a manager, and a call with it.
    let send: @MainActor @Sendable (TransferRecord, Params, ApiProxy, BackgroundCarrier) async -> Outcome

    /// What became of the call of a transfer.
    enum Outcome: Sendable {
        case ended(APIError?)
        case waits(OutboxWait)
    }

    /// Describes the managers of one endpoint.
    /// - Parameters:
    ///   - name: The name in the files. Never change it.
    ///   - type: The managers' class. Its output is no `ByteStream`.
    ///   - version: The version of the params. Increase it when they change, and say in `migrate` how.
    ///   - seal: Encrypts the params on disk. Default: none.
    ///   - migrate: Returns the params in the current version. Called with older params and their version. If it throws, the
    ///     transfer is kept, with the reason. Default: no change.
    ///   - make: Makes a manager for one call. Set its delegate here: it is called with the typed output, in this start of the
    ///     app or a later one.
    @MainActor
    public init<Output, Manager: APIManager<Output>>(
        _ name: String, _ type: Manager.Type, version: Int = 1, seal: OutboxSeal? = nil,
        migrate: @escaping @Sendable (Params, Int) throws -> Params = { params, _ in params },
        make: @escaping @MainActor @Sendable () -> Manager
    ) {
        self.name = name
        self.type = ManagerType(type)
        self.version = version
        self.seal = seal
        self.migrate = migrate
        obstacle =
            (Output.self as? any TransferredOutput.Type)?.isStream == true
            ? "Its output is a ByteStream, which nobody reads while the app does not run; download a file instead."
            : nil
        func made(_ proxy: ApiProxy) -> Manager {
            let manager = make()
            manager.proxy = proxy
            return manager
        }
        service = { make().serviceIdentifier }
        moment = { CallMoment(made($0)) }
        key = { make().idempotencyKey(with: $0) ?? IdempotencyKey() }
        send = { record, params, proxy, carrier in
            switch await made(proxy).load(with: params, for: record.identity, key: record.key, over: carrier)
            {
            case .succeeded: return .ended(nil)
            case .failed(let error, _): return .ended(error)
            case .otherIdentity(let identity):
                return .waits(identity.user == record.identity.user ? .environment : .user)
            case .withoutIdentity: return .waits(.user)
            }
        }
    }
}
