public import DiscreteNetworkingCore
import Foundation

extension CacheTiers {
    /// Creates the two caches.
    public convenience init(
        memory: any ResponseCache = MemoryCache(), disk: any ResponseCache = DiskCache()
    ) {
        self.init(ResponseStore(memory: memory, disk: disk))
    }

    /// The memory cache.
    public var memory: any ResponseCache { store.memory }
    /// The disk cache.
    public var disk: any ResponseCache { store.disk }

    /// Removes responses in a scope, from memory and disk. Screens that show one of them learn of it; see
    /// ``ManagerCache/outputs(with:)``.
    @concurrent
    public func remove(_ scope: CacheScope) async { await store.remove(scope) }

    /// Nothing but the initializer above, and ``ApiProxy/caches``, makes caches.
    var store: ResponseStore { (machinery as! any ResponseStoring).store }
}

extension ApiProxy {
    /// The caches for responses of managers with a ``CachePolicy``.
    public var caches: CacheTiers { state { CacheTiers(StandardStores(services)) } }

    var store: ResponseStore { caches.store }
}

/// Has the responses of a proxy.
protocol ResponseStoring: CacheMachinery {
    var store: ResponseStore { get }
}

extension ResponseStoring {
    package func lastConfirmation(at place: ResponsePlace?) -> Int {
        store.changes.lastConfirmation((place?.value as? CachePlace)?.key)
    }

    package func remove(of service: ServiceIdentifier) async {
        store.changes.removeLayers(.service(service))
        await store.remove(.service(service))
    }

    package func userMayHaveChanged() { store.changes.rereadAll() }
}

extension ResponseStore: ResponseStoring {
    var store: ResponseStore { self }
}

/// The responses of a proxy that was created without caches: on disk, or in memory as long as its services are kept there.
private final class StandardStores: ResponseStoring {
    private let services: ServiceFactory
    private let stores = Locked<(onDisk: ResponseStore?, inMemory: ResponseStore?)>((nil, nil))

    init(_ services: ServiceFactory) { self.services = services }

    var store: ResponseStore {
        let isInMemory = services.memory != nil
        return stores.withLock { stores in
            if let known = isInMemory ? stores.inMemory : stores.onDisk { return known }
            let new = ResponseStore(
                memory: MemoryCache(),
                disk: isInMemory ? MemoryCache() : DiskCache(folder: nil, byteLimit: 256 << 20) { Date() })
            if isInMemory { stores.inMemory = new } else { stores.onDisk = new }
            return new
        }
    }
}
