@preconcurrency import Dispatch
import Foundation

/// A dependency cycle: services that look up each other in their `init`.
struct ServiceCycle: Error, Sendable {
    /// The cycle, from the first service looked up back to itself.
    let identifiers: [ServiceIdentifier]
}

/// A registered class or closure, and its single instance once it has been looked up.
final class ServiceSlot: Sendable {
    /// `nil` if a closure creates the service.
    let type: (any Service.Type)?
    let identifier: ServiceIdentifier
    private let make: @Sendable () -> any Service
    private let result = Locked<Result<ServiceInstance, ServiceCycle>?>(nil)
    /// Left when the service has been created.
    private let isMade = DispatchGroup()

    init(
        _ identifier: ServiceIdentifier, _ type: (any Service.Type)?,
        make: @escaping @Sendable () -> any Service
    ) {
        self.identifier = identifier
        self.type = type
        self.make = make
    }

    /// The instance; `nil` if it has not been created.
    var made: ServiceInstance? { try? result.current?.get() }

    /// - Parameters:
    ///   - storage: Where a new service stores; `nil` for where it says.
    ///   - created: Called once, with the new service.
    func service(
        in storage: MemoryStorage?, created: (ServiceInstance) -> Void
    ) throws(ServiceCycle) -> ServiceInstance {
        while true {
            if let result = result.current { return try result.get() }
            let thread = ObjectIdentifier(Thread.current)
            switch Self.workers.withLock({ begin(thread, &$0) }) {
            case .make:
                // A service that another one looks up in its `init` stores where that one does.
                let storage = storage ?? MemoryStorage.current
                let instance = ServiceInstance(MemoryStorage.within(storage, make), in: storage)
                Self.workers.withLock { end(thread, &$0, instance) }
                isMade.leave()
                created(instance)
            case .wait:
                isMade.wait()
                Self.workers.withLock { $0[thread]?.awaited = nil }
            case .decided: break
            }
        }
    }

    // MARK: Cycle detection

    /// A thread that creates services.
    private struct Worker: Sendable {
        /// The nested services being created; each was looked up by the one before.
        var slots: [ServiceSlot] = []
        /// The service that another thread is creating and that the last of `slots` waits for.
        var awaited: ServiceSlot?
    }

    private typealias Workers = [ObjectIdentifier: Worker]
    /// Shared by all factories: a service may use another factory than its own.
    private static let workers = Locked<Workers>([:])

    private enum Step { case make, wait, decided }

    private func begin(_ thread: ObjectIdentifier, _ workers: inout Workers) -> Step {
        guard result.current == nil else { return .decided }
        guard workers.values.contains(where: { $0.slots.contains { $0 === self } }) else {
            workers[thread, default: Worker()].slots.append(self)
            isMade.enter()
            return .make
        }
        if let cycle = cycle(to: thread, workers) {
            let error = ServiceCycle(identifiers: cycle.map(\.identifier) + [identifier])
            for slot in cycle { slot.result.current = .failure(error) }
            return .decided
        }
        workers[thread]?.awaited = self
        return .wait
    }

    private func end(_ thread: ObjectIdentifier, _ workers: inout Workers, _ instance: ServiceInstance) {
        result.withLock { if $0 == nil { $0 = .success(instance) } }
        workers[thread]?.slots.removeLast()
        if workers[thread]?.slots.isEmpty == true { workers[thread] = nil }
    }

    /// Returns the dependency cycle if waiting for this service would block a thread that it depends on.
    private func cycle(to thread: ObjectIdentifier, _ workers: Workers) -> [ServiceSlot]? {
        var cycle: [ServiceSlot] = []
        var next: ServiceSlot? = self
        while let slot = next, !cycle.contains(where: { $0 === slot }) {
            guard
                let (maker, worker) = workers.first(where: { $0.value.slots.contains { $0 === slot } }),
                let index = worker.slots.firstIndex(where: { $0 === slot })
            else { return nil }
            cycle += worker.slots[index...]
            if maker == thread { return cycle }
            next = worker.awaited
        }
        return nil
    }
}
