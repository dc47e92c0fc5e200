@preconcurrency import Dispatch
import Foundation

/// The registry of an app's services.
///
/// ```swift
/// ServiceFactory.shared.register([.storefront: StorefrontService.self])
/// let storefront =
///     ServiceFactory.shared.service(for: .storefront) as? StorefrontService
/// ```
///
/// A service is created on first use and retained: every lookup of an identifier returns the same instance,
/// on any thread. A service may look up others in its `init`, but not in a cycle.
public final class ServiceFactory: Sendable {
    /// The factory of ``ApiProxy/shared``.
    public static let shared = ServiceFactory()

    private let slots = Locked<[ServiceIdentifier: ServiceSlot]>([:])
    private let storage = Locked<MemoryStorage?>(nil)
    private let log: @Sendable (String) -> Void

    /// Creates an isolated factory, for tests and for apps with several stacks.
    public convenience init() {
        self.init { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    }

    /// - Parameter log: Receives warnings about likely mistakes.
    init(log: @escaping @Sendable (String) -> Void) { self.log = log }

    /// Registers services.
    ///
    /// Registering an identifier again with the same class keeps the existing service. With another class
    /// it creates a new service: the state of the old one is lost, including its ``ServiceConfiguration/session``, and
    /// the user has to log in again unless both use the same session or credential store. A warning on
    /// standard error reports a lost session. Calls in flight keep the old service.
    public func register(_ classes: [ServiceIdentifier: any Service.Type]) {
        add(classes.map { identifier, type in ServiceSlot(identifier, type) { type.init() } })
    }

    /// Adds services that need more than `init()`: each closure makes one, on first use.
    ///
    /// ```swift
    /// ServiceFactory.shared.register([
    ///     .china: { ClubService(region: "cn") },
    ///     .europe: { ClubService(region: "eu") },
    /// ])
    /// ```
    /// An identifier that is registered again gets a new service, as with another class.
    public func register(_ makers: [ServiceIdentifier: @Sendable () -> any Service]) {
        add(makers.map { identifier, make in ServiceSlot(identifier, nil, make: make) })
    }

    private func add(_ newSlots: [ServiceSlot]) {
        // Replaced services are released outside the lock: a `deinit` may use the factory.
        let replaced = slots.withLock { slots in
            newSlots.compactMap { slot -> (ServiceIdentifier, ServiceSlot)? in
                if let type = slot.type, slots[slot.identifier]?.type == type { return nil }
                return slots.updateValue(slot, forKey: slot.identifier).map { (slot.identifier, $0) }
            }
        }
        for (identifier, slot) in replaced {
            guard let instance = slot.made, instance.hasSession
            else { continue }
            log(
                "DiscreteNetworking: \"\(identifier)\" was registered again, in place of a \(type(of: instance.service)); that service is dropped, and its session with it. Register each service once, at start-up."
            )
        }
    }

    /// Returns the service registered for an identifier.
    /// - Returns: `nil` if none is registered, or if services look up each other in their `init` so that
    ///   none can be created. Calls of the latter end with ``APIError/Kind/serviceCycle(_:)``.
    public func service(for identifier: ServiceIdentifier) -> (any Service)? {
        (try? lookUp(identifier))?.service
    }

    /// Returns the current configuration of a service.
    ///
    /// For an ``EnvironmentService``, it is the configuration of the current environment.
    ///
    /// ```swift
    /// ServiceFactory.shared.configuration(for: .storefront)?.session?.adopt(tokens)
    /// ```
    ///
    /// A service that computes its ``Service/configuration`` makes another session on each access. This method returns
    /// the configuration that the calls of the service use.
    /// - Returns: `nil` as in ``service(for:)``.
    public func configuration(for identifier: ServiceIdentifier) -> ServiceConfiguration? {
        (try? lookUp(identifier))?.configuration.value
    }

    func lookUp(_ identifier: ServiceIdentifier) throws(ServiceCycle) -> ServiceInstance? {
        guard let slot = slots.withLock({ $0[identifier] }) else { return nil }
        if let made = slot.made { return made }
        return try slot.service(in: memory) { instance in
            if let memory { instance.keepInMemory(memory) }
            #if DEBUG
                for line in instance.nearMisses { log("DiscreteNetworking: \(line)") }
            #endif
        }
    }

    // MARK: Memory

    /// Lets the services of this factory store nothing from now on, and forget what they had stored: for tests and previews.
    ///
    /// ```swift
    /// let services = ServiceFactory()
    /// services.register([.storefront: StorefrontService.self])
    /// services.keepInMemory()
    /// let proxy = ApiProxy(transport: cassette, services: services)
    /// ```
    ///
    /// Sessions and jars start empty and keep tokens and cookies in memory; all else about them stays in force, and they are
    /// the same objects. In the code of the services, credential stores and a ``DiskCache`` are in memory, a
    /// ``TrafficRecorder`` writes no file, and `use(_:rememberedIn:)` of an ``EnvironmentService`` is remembered until the
    /// factory is released. An ``ApiProxy`` with this factory has its disk cache in memory, unless it is created with one.
    ///
    /// A session, jar or switch that is shared with services of other factories leaves its store for them, too, as long as the
    /// process runs. A ``MemoryCredentialStore`` of a service stays. What a service stores by other means, such as its own
    /// files or `UserDefaults`, is not affected.
    ///
    /// Call it before the services are used: what they read or wrote until then happened.
    public func keepInMemory() {
        let storage = storage.withLock { storage in
            let known = storage ?? MemoryStorage()
            storage = known
            return known
        }
        for instance in slots.withLock({ $0.values.compactMap(\.made) }) { instance.keepInMemory(storage) }
    }

    /// Where the services store; `nil` for where they say.
    package var memory: MemoryStorage? { storage.current }

    /// The service under an identifier, if it has been made already.
    func made(_ identifier: ServiceIdentifier) -> ServiceInstance? { slots.withLock { $0[identifier] }?.made }

    /// The registered identifiers, sorted alphabetically.
    public var identifiers: [ServiceIdentifier] {
        slots.withLock { $0.keys.sorted { $0.rawValue < $1.rawValue } }
    }
}

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
