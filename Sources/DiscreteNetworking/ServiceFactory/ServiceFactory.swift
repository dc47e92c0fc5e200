import Foundation

/// The registry of an app's services.
///
/// ```swift
/// ServiceFactory.shared.register([.storefront: StorefrontService.self])
/// let storefront = ServiceFactory.shared.service(for: .storefront) as? StorefrontService
/// ```
///
/// A service is created on first use and retained: every lookup of an identifier returns the same instance,
/// on any thread. A service may look up others in its `init`, but not in a cycle.
public final class ServiceFactory: Sendable {
    /// The factory of ``ApiProxy/shared``.
    public static let shared = ServiceFactory()

    private let slots = Locked<[ServiceIdentifier: ServiceSlot]>([:])
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
    /// ServiceFactory.shared.register([.club: { ClubService(store: keychain) }])
    /// ServiceFactory.shared.register([.china: { RegionService("cn") }, .europe: { RegionService("eu") }])
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

    /// Returns the configuration of a service that is in force: for an ``EnvironmentService``, that of the current
    /// environment.
    ///
    /// ```swift
    /// ServiceFactory.shared.configuration(for: .storefront)?.session?.adopt(tokens)
    /// ```
    ///
    /// A service that computes its ``Service/configuration`` makes another session each time it is asked. This is the one
    /// that its calls use.
    /// - Returns: `nil` as in ``service(for:)``.
    public func configuration(for identifier: ServiceIdentifier) -> ServiceConfiguration? {
        (try? lookUp(identifier))?.configuration.value
    }

    func lookUp(_ identifier: ServiceIdentifier) throws(ServiceCycle) -> ServiceInstance? {
        try slots.withLock { $0[identifier] }?.service { instance in
            #if DEBUG
                for line in instance.nearMisses { log("DiscreteNetworking: \(line)") }
            #endif
        }
    }

    /// The service under an identifier, if it has been made already.
    func made(_ identifier: ServiceIdentifier) -> ServiceInstance? { slots.withLock { $0[identifier] }?.made }

    /// The registered identifiers, sorted alphabetically.
    public var identifiers: [ServiceIdentifier] {
        slots.withLock { $0.keys.sorted { $0.rawValue < $1.rawValue } }
    }
}
