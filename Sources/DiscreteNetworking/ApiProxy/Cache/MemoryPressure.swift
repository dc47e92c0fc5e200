// A source may be used from any thread, which its declaration does not say everywhere.
@preconcurrency import Dispatch
import Foundation

/// Does something whenever the system wants memory back, for as long as this lives.
///
/// On macOS by a dispatch source, and where there is UIKit, but on watchOS, by the app's notification.
final class MemoryPressure: Sendable {
    #if canImport(UIKit) && !os(watchOS)
        private let task: Task<Void, Never>

        init(_ react: @escaping @Sendable () -> Void) {
            task = Task {
                // The notification by its text, which UIKit documents: its constant belongs to the main actor.
                let name = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")
                for await _ in NotificationCenter.default.notifications(named: name).map({ _ in () }) {
                    react()
                }
            }
        }

        deinit { task.cancel() }
    #elseif os(macOS)
        private let source: any DispatchSourceMemoryPressure

        init(_ react: @escaping @Sendable () -> Void) {
            source = DispatchSource.makeMemoryPressureSource(
                eventMask: [.warning, .critical], queue: .global(qos: .utility))
            source.setEventHandler(handler: react)
            source.activate()
        }

        deinit { source.cancel() }
    #else
        init(_ react: @escaping @Sendable () -> Void) {}
    #endif
}
