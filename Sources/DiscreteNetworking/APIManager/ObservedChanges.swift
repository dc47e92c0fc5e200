import Observation

/// An `ObservationRegistrar`, where available.
package struct ObservedChanges: Sendable {
    private let registrar: (any Sendable)?

    package init() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            registrar = ObservationRegistrar()
        } else {
            registrar = nil
        }
    }

    package func access() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *),
            let registrar = registrar as? ObservationRegistrar
        {
            registrar.access(Subject.shared, keyPath: \.state)
        }
    }

    @inline(never)
    package func withMutation<Result>(_ body: () -> Result) -> Result {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *),
            let registrar = registrar as? ObservationRegistrar
        {
            return registrar.withMutation(of: Subject.shared, keyPath: \.state, body)
        }
        return body()
    }

    /// The root of the registrar's key path. All that is observed is one property.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private final class Subject: Observable, Sendable {
        static let shared = Subject()
        var state: Void { () }
    }
}
