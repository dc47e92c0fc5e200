public import DiscreteNetworkingCore
public import Foundation

/// Why an ``Outbox`` did not take a call, or cannot be opened. The call is not sent.
public enum OutboxError: Error, Sendable, Hashable {
    /// No ``OutboxManager`` of the outbox makes managers of this type.
    case unknownManager(ManagerType)
    /// Two managers of the outbox have one name, or one type.
    case ambiguousManager(String)
    /// The manager's service is not registered with the proxy.
    case serviceNotRegistered(ServiceIdentifier)
    /// The manager's calls belong to a user, and nobody is logged in, or that user has left meanwhile.
    case loggedOut
    /// The tokens of the session have no `SessionTokens.user`, so that the entry could be sent for somebody else.
    case userUnknown
    /// The credential store of the session cannot be read yet, so that its user is not known; see `SessionEvent.storeRead`.
    case sessionUnavailable(CredentialStoreError)
    /// A param with a secret name would be on disk as plain text.
    case secretParam(String)
    /// The params are nested more than this many levels deep.
    case nestedTooDeeply(limit: Int)
    /// The params cannot be sealed; the app's closure provides the message.
    case seal(String)
    /// A file of the entry cannot be copied: the name that the app gave to it, and why.
    case file(String, CredentialStoreError)
    /// The disk cannot be read or written.
    case storage(CredentialStoreError)
    /// The entry is in flight, or there is none with this ID.
    case notChangeable(UUID)
    /// Another process sends the entries of this folder, and may be sending this one.
    case sentByAnotherProcess
}

extension OutboxError: LocalizedError {
    /// What happened and what to do about it, for developers, without secrets.
    public var errorDescription: String? {
        switch self {
        case .unknownManager(let type):
            "The outbox has no manager of the type \(type); add an OutboxManager for it to Outbox.init."
        case .ambiguousManager(let name):
            "Two managers of the outbox have the name or the type of \(name.debugDescription); give each its own."
        case .serviceNotRegistered(let identifier):
            "No service is registered under \"\(identifier)\"; register it before the outbox is used."
        case .loggedOut:
            "The call belongs to a user, and nobody is logged in, or another user since; queue it after the login, or override usesSession with false."
        case .userUnknown:
            "The session's tokens do not name their user, so the call could be sent for another user; set SessionTokens.user at the login."
        case .sessionUnavailable(let error):
            "The session cannot be read, so that the user of the call is not known; queue it when SessionEvent.storeRead is announced: \(error)"
        case .secretParam(let name):
            "The param \(name.debugDescription) is secret by its name and would be on disk as plain text; give the OutboxManager a seal, or leave the param out."
        case .nestedTooDeeply(let limit):
            "The params are nested more than \(limit) levels deep; flatten them."
        case .seal(let message): "The params cannot be sealed: \(message)"
        case .file(let name, let error):
            "The file \(name.debugDescription) cannot be copied into the outbox: \(error)"
        case .storage(let error): "The outbox cannot use its folder: \(error)"
        case .notChangeable(let id):
            "The entry \(id) is in flight or does not exist; it cannot be changed."
        case .sentByAnotherProcess:
            "Another process sends the entries of this folder; change them there, or after it has ended."
        }
    }
}
