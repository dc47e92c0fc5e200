/// Which services exist: the registration dictionary of an app, and the services made from it.
///
/// ```swift
/// ServiceFactory.shared.register([.storefront: StorefrontService.self])
/// let storefront = ServiceFactory.shared.service(for: .storefront) as? StorefrontService
/// ```
///
/// A service is made on first use and kept: everybody who asks for an identifier gets the same
/// instance, whatever thread asks.
public final class ServiceFactory: Sendable {
    /// The factory of ``ApiProxy/shared``.
    public static let shared = ServiceFactory()

    private let slots = Locked<[ServiceIdentifier: ServiceSlot]>([:])

    /// A factory of its own, for tests and for apps with several stacks.
    public init() {}

    /// Adds services to the dictionary.
    ///
    /// An identifier registered again with another class gets a new service; with the same class it
    /// keeps the one it has.
    public func register(_ classes: [ServiceIdentifier: any Service.Type]) {
        // What is replaced is released after the lock: a service's `deinit` may ask the factory.
        _ = slots.withLock { slots in
            classes.compactMap { identifier, type in
                slots[identifier]?.type == type
                    ? nil : slots.updateValue(ServiceSlot(type), forKey: identifier)
            }
        }
    }

    /// The service registered under an identifier; `nil` where none is.
    public func service(for identifier: ServiceIdentifier) -> (any Service)? {
        slots.withLock { $0[identifier] }?.service
    }

    /// Every registered identifier, in alphabetical order.
    public var identifiers: [ServiceIdentifier] {
        slots.withLock { $0.keys.sorted { $0.rawValue < $1.rawValue } }
    }
}

/// One registered class and, once somebody asked, its one instance.
///
/// It has a lock of its own, so that a service may look up another one in its `init`.
private final class ServiceSlot: Sendable {
    let type: any Service.Type
    private let instance = Locked<(any Service)?>(nil)

    init(_ type: any Service.Type) { self.type = type }

    var service: any Service {
        instance.withLock { instance in
            if let instance { return instance }
            let made = type.init()
            instance = made
            return made
        }
    }
}
