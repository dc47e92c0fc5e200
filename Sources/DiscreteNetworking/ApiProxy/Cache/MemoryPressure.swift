import Foundation

/// Does something whenever the system wants memory back, for as long as this lives.
///
/// On macOS by a dispatch source, and where there is UIKit, but on watchOS, by the app's notification.
final class MemoryPressure: Sendable {
    #if canImport(UIKit) && !os(watchOS)
        // Only ever given back to the notification center, which may be called from any thread.
        private nonisolated(unsafe) let observer: Any

        init(_ react: @escaping @Sendable () -> Void) {
            // The notification by its text, which UIKit documents, because its constant belongs to the main actor.
            let name = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")
            observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                react()
            }
        }

        deinit { NotificationCenter.default.removeObserver(observer) }
    #elseif os(macOS)
        // Only ever cancelled, which may be done from any thread.
        private nonisolated(unsafe) let source: Any

        init(_ react: @escaping @Sendable () -> Void) {
            let source = DispatchSource.makeMemoryPressureSource(
                eventMask: [.warning, .critical], queue: .global(qos: .utility))
            source.setEventHandler(handler: react)
            source.activate()
            self.source = source
        }

        deinit { (source as? any DispatchSourceProtocol)?.cancel() }
    #else
        init(_ react: @escaping @Sendable () -> Void) {}
    #endif
}
