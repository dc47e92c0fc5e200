import Foundation

/// Whether the app is in the foreground; always, on systems that do not report it.
final class AppVisibility: Sendable {
    /// The visibility of this app, or of the app that hosts this extension.
    static let shared = AppVisibility(observing: .default)

    private let isInBackground = Locked(false)
    private let changes = Broadcaster<Bool>(bufferingNewest: 1)

    /// Creates a source that a test controls.
    init() {}

    private init(observing center: NotificationCenter) {
        #if canImport(UIKit) && !os(watchOS)
            // By their names, which need neither UIKit nor its main actor. The observers stay as long as the process.
            for (name, isInBackground) in [
                ("UIApplicationDidEnterBackgroundNotification", true),
                ("UIApplicationWillEnterForegroundNotification", false),
                ("NSExtensionHostDidEnterBackgroundNotification", true),
                ("NSExtensionHostWillEnterForegroundNotification", false),
            ] {
                _ = center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) {
                    [weak self] _ in
                    self?.enterBackground(isInBackground)
                }
            }
        #endif
    }

    /// The number of tasks that wait.
    var waiting: Int { changes.count }

    func enterBackground(_ isInBackground: Bool) {
        self.isInBackground.current = isInBackground
        changes.send(isInBackground)
    }

    /// Returns when the app is in the foreground, or the task is canceled.
    func waitForForeground() async {
        guard isInBackground.current else { return }
        // A change after the stream was made is in it.
        let stream = changes.stream()
        guard isInBackground.current else { return }
        for await isInBackground in stream where !isInBackground { return }
    }
}
