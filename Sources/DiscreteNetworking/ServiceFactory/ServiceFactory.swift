import Foundation

/// Which services exist: the registration dictionary of an app, and the services made from it.
///
/// ```swift
/// ServiceFactory.shared.register([.storefront: StorefrontService.self])
/// let storefront = ServiceFactory.shared.service(for: .storefront) as? StorefrontService
/// ```
///
/// A service is made on first use and kept: everybody who asks for an identifier gets the same
/// instance, whatever thread asks. It may ask for others in its `init`, but not in a circle.
public final class ServiceFactory: Sendable {
    /// The factory of ``ApiProxy/shared``.
    public static let shared = ServiceFactory()

    private let slots = Locked<[ServiceIdentifier: ServiceSlot]>([:])
    private let log: @Sendable (String) -> Void

    /// A factory of its own, for tests and for apps with several stacks.
    public convenience init() {
        self.init { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    }

    /// - Parameter log: told what is most likely a mistake.
    init(log: @escaping @Sendable (String) -> Void) { self.log = log }

    /// Adds services to the dictionary.
    ///
    /// An identifier registered again with the same class keeps the service it has. With another class it gets a new
    /// one: what the old one knew is gone, its ``Service/session`` included, and the new one's user has to log in
    /// unless both have the same session or store. Where a session is lost in this way, a line on standard error says
    /// so. Calls on their way end as they began.
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
        // What is replaced is released after the lock: a service's `deinit` may ask the factory.
        let replaced = slots.withLock { slots in
            newSlots.compactMap { slot -> (ServiceIdentifier, ServiceSlot)? in
                if let type = slot.type, slots[slot.identifier]?.type == type { return nil }
                return slots.updateValue(slot, forKey: slot.identifier).map { (slot.identifier, $0) }
            }
        }
        for (identifier, slot) in replaced {
            guard let service = slot.made, service.session != nil else { continue }
            log(
                "DiscreteNetworking: \"\(identifier)\" was registered again, in place of a \(type(of: service)); that service is dropped, and its session with it. Register each service once, at start-up."
            )
        }
    }

    /// The service registered under an identifier.
    /// - Returns: `nil` where none is, and for services that ask for each other in their `init`: neither can be made
    ///   before the other. Their calls end with ``APIError/Kind/serviceCycle(_:)``.
    public func service(for identifier: ServiceIdentifier) -> (any Service)? {
        try? lookUp(identifier)
    }

    func lookUp(_ identifier: ServiceIdentifier) throws(ServiceCycle) -> (any Service)? {
        try slots.withLock { $0[identifier] }?.service()
    }

    /// The service under an identifier, if it has been made already.
    func made(_ identifier: ServiceIdentifier) -> (any Service)? { slots.withLock { $0[identifier] }?.made }

    /// Every registered identifier, in alphabetical order.
    public var identifiers: [ServiceIdentifier] {
        slots.withLock { $0.keys.sorted { $0.rawValue < $1.rawValue } }
    }
}
