import DiscreteNetworking

/// Writes down what a session tells the app: here for the transcript, in an app for a badge or a banner.
@MainActor
final class SessionDiary {
    private var entries: [String] = []
    private var listening: Task<Void, Never>?

    init(_ session: TokenSession?) {
        guard let events = session?.events else { return }
        listening = Task { [weak self] in
            for await event in events { self?.note(event) }
        }
    }

    deinit { listening?.cancel() }

    private func note(_ event: SessionEvent) {
        switch event {
        case .expired: entries.append("expired")
        case .refreshed: entries.append("refreshed")
        case .refreshFailed: entries.append("refresh failed")
        case .loginRequired: entries.append("login required")
        case .loggedIn: entries.append("logged in")
        case .loggedOut: entries.append("logged out")
        case .storeFailed: entries.append("store failed")
        }
    }

    /// What has happened since this was asked last.
    func line() -> String {
        defer { entries = [] }
        return "session: " + (entries.isEmpty ? "nothing" : entries.joined(separator: ", "))
    }
}
