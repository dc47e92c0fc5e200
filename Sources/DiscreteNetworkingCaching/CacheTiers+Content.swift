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
    public var memory: any ResponseCache { responses.memory }
    /// The disk cache.
    public var disk: any ResponseCache { responses.disk }

    /// Removes responses in a scope, from memory and disk. Screens that show one of them learn of it; see
    /// ``ManagerCache/outputs(with:)``.
    @concurrent
    public func remove(_ scope: CacheScope) async { await responses.remove(scope) }

    var responses: ResponseStore { machinery.responses }
}

extension ApiProxy {
    /// The caches for responses of managers with a ``CachePolicy``.
    public var caches: CacheTiers { state { CacheTiers(StandardStores(services)) } }

    var responses: ResponseStore { caches.responses }
}

extension ResponseStore: CacheMachinery {
    package var store: any AnyObject & Sendable { self }
}

extension CacheMachinery {
    /// Nothing but the initializer of ``CacheTiers`` and ``ApiProxy/caches`` makes the machinery.
    var responses: ResponseStore { store as! ResponseStore }

    package func lastConfirmation(at place: ResponsePlace?) -> Int {
        responses.changes.lastConfirmation((place?.value as? CachePlace)?.key)
    }

    package func remove(of service: ServiceIdentifier) async {
        responses.changes.removeLayers(.service(service))
        await responses.remove(.service(service))
    }

    package func userMayHaveChanged() { responses.changes.rereadAll() }
}

/// The responses of a proxy that was created without caches: on disk, or in memory as long as its services are kept there.
private final class StandardStores: CacheMachinery {
    private let services: ServiceFactory
    private let stores = Locked<(onDisk: ResponseStore?, inMemory: ResponseStore?)>((nil, nil))

    init(_ services: ServiceFactory) { self.services = services }

    var store: any AnyObject & Sendable {
        let isInMemory = services.memory != nil
        return stores.withLock { stores in
            if let known = isInMemory ? stores.inMemory : stores.onDisk { return known }
            let disk: any ResponseCache =
                isInMemory ? MemoryCache() : DiskCache(folder: nil, byteLimit: 256 << 20) { Date() }
            let new = ResponseStore(memory: MemoryCache(), disk: disk)
            if isInMemory { stores.inMemory = new } else { stores.onDisk = new }
            return new
        }
    }
}
