public import DiscreteNetworkingCore
public import Foundation

/// A call that an ``Outbox`` sends, or could not send.
public struct OutboxEntry: Sendable, Hashable, Identifiable {
    /// Its identity, which stays the same in all starts of the app.
    public let id: UUID
    /// The name of its manager; see ``OutboxManager``.
    public let manager: String
    /// The params. Empty while they are sealed and have not been opened.
    public let params: Params
    /// The copies of its files, by the names that the app gave to them. They exist as long as the entry.
    public let files: [String: URL]
    /// Entries of one lane are sent one after the other, in the order in which they were made.
    public let lane: String
    /// The key of all its requests.
    public let key: IdempotencyKey
    /// `SessionTokens.user` of the user who made it; `nil` for a manager without a session.
    public let user: String?
    /// The environment in which it was made; `nil` for a service without environments.
    public let environment: String?
    /// When it was made.
    public let created: Date
    /// How often it was sent and failed.
    public let attempts: Int
    /// What happens with it.
    public let state: State

    /// What happens with an entry.
    public enum State: Sendable, Hashable {
        /// It will be sent.
        case waiting(OutboxWait)
        /// Its request is in flight.
        case sending
        /// It is not sent any more until the app says so; see ``Outbox/retry(_:with:)`` and ``Outbox/discard(_:)``.
        case dead(OutboxFailure)
    }
}

extension OutboxEntry: SecretBearing {
    /// The manager, the lane and the state. Not the params: sealed ones are secret.
    public var description: String { "OutboxEntry(\(manager), lane \(lane.debugDescription), \(state))" }
}

/// What an entry waits for.
public enum OutboxWait: Sendable, Hashable {
    /// For its turn: for earlier entries of its lane, for others in flight, or for this process to be the one that sends.
    case turn
    /// For the next attempt after a failure that may pass.
    case retry(at: Date)
    /// For its user to be logged in.
    case user
    /// For the environment in which it was made.
    case environment
    /// For an ``OutboxManager`` of its name, which this version of the app does not have.
    case manager
    /// For a version of the app that can read it. Its file is left alone.
    case newerVersion
}

extension OutboxWait {
    /// A sentence for developers.
    var text: String {
        switch self {
        case .turn: "The entry waits for its turn."
        case .retry(let date): "The entry waits until \(date)."
        case .user: "The entry waits for its user to be logged in."
        case .environment: "The entry waits for the environment in which it was made."
        case .manager: "The outbox has no manager of this name; add an OutboxManager to Outbox.init."
        case .newerVersion: "The entry was written by a newer version of the app."
        }
    }
}

/// Why an entry is not sent any more.
public struct OutboxFailure: Sendable, Hashable, Codable {
    /// The category.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// The call failed so that sending it again would fail as well.
        case rejected
        /// It failed too often; see ``OutboxPolicy/attempts``.
        case attempts
        /// It is too old; see ``OutboxPolicy/age``.
        case age
        /// The params cannot be read: they are not migrated, or not opened.
        case params
        /// A copy of one of its files is missing.
        case file
        /// The file is damaged.
        case damaged
    }

    /// The category.
    public let reason: Reason
    /// What happened and what to do about it, for developers, with secrets redacted.
    public let message: String
    /// The text for the user; see `APIError.userMessage`.
    public let userMessage: String?
    /// The status of the response; `nil` if there was none.
    public let status: Int?
    /// The business code of the response; `nil` if there was none.
    public let businessCode: JSONValue?
    /// When it failed.
    public let date: Date
}

extension OutboxFailure {
    init(_ reason: Reason, _ message: String, at date: Date) {
        self.init(
            reason: reason, message: message, userMessage: nil, status: nil, businessCode: nil, date: date)
    }

    init(_ reason: Reason, _ error: APIError, at date: Date) {
        self.init(
            reason: reason, message: error.localizedDescription, userMessage: error.userMessage,
            status: error.response?.status, businessCode: error.businessCode, date: date)
    }
}
