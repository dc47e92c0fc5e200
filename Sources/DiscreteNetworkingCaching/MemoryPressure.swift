// `@preconcurrency`: dispatch sources are thread-safe, but not declared `Sendable` everywhere.
@preconcurrency import Dispatch

/// Calls a closure on memory pressure, as long as this object exists.
///
/// Uses a dispatch source on Apple platforms, which works in app extensions and on Apple Watch as well, where there is no
/// `UIApplication` to post a notification.
final class MemoryPressure: Sendable {
    #if canImport(Darwin)
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
