import DiscreteNetworking
import Foundation

/// Writes down what a session tells the app: here for the transcript, in an app for a badge or a banner.
@MainActor
final class SessionDiary {
    private var entries: [String] = []
    private var observers: [any NSObjectProtocol] = []

    private static let names: [(Notification.Name, String)] = [
        (.tokenSessionExpired, "expired"), (.tokenSessionRefreshed, "refreshed"),
        (.tokenSessionLoginRequired, "login required"), (.tokenSessionLoggedIn, "logged in"),
    ]

    init(_ session: TokenSession?) {
        observers = Self.names.map { name, text in
            NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                [weak self] _ in
                // A session posts on the main thread, and before the calls that waited end.
                MainActor.assumeIsolated { self?.entries.append(text) }
            }
        }
    }

    func close() {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
    }

    /// What has happened since this was asked last.
    func line() -> String {
        defer { entries = [] }
        return "session: " + (entries.isEmpty ? "nothing" : entries.joined(separator: ", "))
    }
}
