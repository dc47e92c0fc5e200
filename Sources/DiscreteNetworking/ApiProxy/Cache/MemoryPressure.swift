// `@preconcurrency`: dispatch sources are thread-safe, but not declared `Sendable` everywhere.
@preconcurrency import Dispatch
import Foundation

/// Calls a closure on memory pressure, as long as this object exists.
///
/// Uses a dispatch source on macOS, and the app's notification where UIKit is available, except on watchOS.
final class MemoryPressure: Sendable {
    #if canImport(UIKit) && !os(watchOS)
        private let task: Task<Void, Never>

        init(_ react: @escaping @Sendable () -> Void) {
            task = Task {
                // The documented name of the notification, because UIKit's constant is isolated to the main
                // actor.
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
