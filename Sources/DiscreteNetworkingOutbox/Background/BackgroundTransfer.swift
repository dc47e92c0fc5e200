public import DiscreteNetworkingCore
public import Foundation

/// A call that ``BackgroundTransfers`` makes.
public struct BackgroundTransfer: Sendable, Hashable, Identifiable {
    /// Its identity, which stays the same in all starts of the app.
    public let id: UUID
    /// The name of its manager; see ``BackgroundTransferManager``. Empty if its record cannot be read.
    public let manager: String
    /// The params. Empty while they are sealed and have not been opened.
    public let params: Params
    /// `SessionTokens.user` of the user who made it; `nil` for a manager without a session.
    public let user: String?
    /// The environment in which it was made; `nil` for a service without environments.
    public let environment: String?
    /// When it was made.
    public let created: Date
    /// What happens with it.
    public let state: State

    /// What happens with a transfer.
    public enum State: Sendable, Hashable {
        /// Its request is made: it waits for tokens, or for a network to refresh them.
        case preparing
        /// The system has its request, also while the app does not run.
        case transferring
        /// The system has reported how it ended, and its manager is being notified.
        case delivering
        /// Its manager cannot be notified now. The system may have the request, or its response may be there.
        case waiting(OutboxWait)
        /// Its record is damaged, or its params cannot be read. It is kept until ``BackgroundTransfers/cancel(_:)``.
        case unreadable(OutboxFailure)
    }
}

extension BackgroundTransfer: SecretBearing {
    /// The manager and the state. Not the params: sealed ones are secret.
    public var description: String { "BackgroundTransfer(\(manager), \(state))" }
}

/// Something that happens in ``BackgroundTransfers``.
public enum BackgroundTransferEvent: Sendable, Hashable {
    /// The transfer is on the disk.
    case started(BackgroundTransfer)
    /// The system has the request. Once for each request: one that was rejected with expired tokens is made again.
    case handedOver(BackgroundTransfer)
    /// The system does not have the request any more, and has not reported an outcome. The transfer then fails, or begins again
    /// if its manager's `RetryPolicy` says so.
    case lost(BackgroundTransfer)
    /// The transfer waits; the text says why, for developers.
    case delayed(BackgroundTransfer, reason: String)
    /// The transfer has succeeded, its manager was notified, and it is removed.
    case finished(BackgroundTransfer)
    /// The transfer has failed, its manager was notified, and it is removed.
    case failed(BackgroundTransfer, OutboxFailure)
    /// The app has canceled the transfer.
    case cancelled(BackgroundTransfer)
    /// The disk failed. Transfers go on, and may be delivered again in the next start of the app.
    case storageFailed(CredentialStoreError)
}

/// Why ``BackgroundTransfers`` did not take a call, or cannot be created. Nothing is sent.
public enum BackgroundTransferError: Error, Sendable, Hashable {
    /// The identifier, or the folder, is in use already: by another object of this process, or by another process.
    case alreadyInUse(identifier: String)
    /// The platform has no background transfers: Linux.
    case unsupportedPlatform
    /// The calls of this manager cannot be background transfers, for a reason that says what to do.
    case unsupportedManager(String, reason: String)
    /// No ``BackgroundTransferManager`` makes managers of this type.
    case unknownManager(ManagerType)
    /// Two managers have one name, or one type.
    case ambiguousManager(String)
    /// The manager's service is not registered with the proxy.
    case serviceNotRegistered(ServiceIdentifier)
    /// The manager's calls belong to a user, and nobody is logged in, or that user has left meanwhile.
    case loggedOut
    /// The tokens of the session have no `SessionTokens.user`, so that the outcome could be given to somebody else.
    case userUnknown
    /// The credential store of the session cannot be read yet, so that its user is not known; see `SessionEvent.storeRead`.
    case sessionUnavailable(CredentialStoreError)
    /// A param with a secret name would be on disk as plain text.
    case secretParam(String)
    /// The params are nested more than this many levels deep.
    case nestedTooDeeply(limit: Int)
    /// The params cannot be sealed; the app's closure provides the message.
    case seal(String)
    /// The disk cannot be read or written.
    case storage(CredentialStoreError)
}

extension BackgroundTransferError: LocalizedError {
    /// What happened and what to do about it, for developers, without secrets.
    public var errorDescription: String? {
        switch self {
        case .alreadyInUse(let identifier):
            "The background transfers \(identifier.debugDescription), or their folder, are in use already; create one BackgroundTransfers an identifier at the launch and keep it, and give an extension its own."
        case .unsupportedPlatform:
            "Background transfers need a system that transfers data while the app does not run; on Linux, use an Outbox."
        case .unsupportedManager(let name, let reason):
            "The calls of \(name.debugDescription) cannot be background transfers. \(reason)"
        case .unknownManager(let type):
            "There is no manager of the type \(type); add a BackgroundTransferManager for it to BackgroundTransfers.init."
        case .ambiguousManager(let name):
            "Two managers have the name or the type of \(name.debugDescription); give each its own."
        case .serviceNotRegistered(let identifier):
            "No service is registered under \"\(identifier)\"; register it before a transfer is started."
        case .loggedOut:
            "The call belongs to a user, and nobody is logged in, or another user since; start it after the login, or override usesSession with false."
        case .userUnknown:
            "The session's tokens do not name their user, so the outcome could be given to another user; set SessionTokens.user at the login."
        case .sessionUnavailable(let error):
            "The session cannot be read, so that the user of the call is not known; start it when SessionEvent.storeRead is announced: \(error)"
        case .secretParam(let name):
            "The param \(name.debugDescription) is secret by its name and would be on disk as plain text; give the BackgroundTransferManager a seal, or leave the param out."
        case .nestedTooDeeply(let limit):
            "The params are nested more than \(limit) levels deep; flatten them."
        case .seal(let message): "The params cannot be sealed: \(message)"
        case .storage(let error): "The folder of the transfers cannot be used: \(error)"
        }
    }
}
