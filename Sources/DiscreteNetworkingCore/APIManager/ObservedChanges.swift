import Observation

/// Notifies SwiftUI of changes, where `Observation` is available.
package struct ObservedChanges: Sendable {
    private let subject: (any ObservedSubject)?

    package init() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            subject = Subject()
        } else {
            subject = nil
        }
    }

    package func access() { subject?.access() }

    package func withMutation<Result>(_ body: () -> Result) -> Result {
        subject?.willSet()
        defer { subject?.didSet() }
        return body()
    }

    /// The root of the key path. All that is observed is one property. It is a stored one: its key path is an offset, and runs no
    /// code of its own.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private final class Subject: Observable, ObservedSubject {
        let state = true
        private let registrar = ObservationRegistrar()

        func access() { registrar.access(self, keyPath: \.state) }
        func willSet() { registrar.willSet(self, keyPath: \.state) }
        func didSet() { registrar.didSet(self, keyPath: \.state) }
    }
}

/// What is observed, without a name of `Observation`.
private protocol ObservedSubject: Sendable {
    func access()
    func willSet()
    func didSet()
}
