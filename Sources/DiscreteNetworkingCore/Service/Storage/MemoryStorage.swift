/// What takes the place of files, Keychain items and user defaults for the services of one factory; see
/// ``ServiceFactory/keepInMemory()``.
///
/// A store, jar, session, cache or recorder that is created while this is the current storage belongs to it. So does
/// all code that accesses a store of the framework meanwhile.
package final class MemoryStorage: ServiceStorage {
    /// The storage of the services that run in the current task; `nil` if they use the stores that they declare.
    package static var current: MemoryStorage? { CallContext.current.storage as? MemoryStorage }

    private let stores = Locked<[String: MemoryCredentialStore]>([:])
    private let choices = Locked<[String: String]>([:])

    package init() {}

    /// Returns the store that takes the place of those with a name.
    func store(named name: String) -> MemoryCredentialStore {
        stores.withLock { stores in
            let store = stores[name] ?? MemoryCredentialStore()
            stores[name] = store
            return store
        }
    }

    /// Returns the store that takes the place of another one: the same for two that store in the same place.
    package func replacement(for store: any CredentialStore) -> any CredentialStore {
        switch store {
        case is MemoryCredentialStore: store
        case let store as any NamedCredentialStore: self.store(named: store.storageName)
        default: self.store(named: Self.name(of: store))
        }
    }

    private static func name(of store: any CredentialStore) -> String {
        let name = String(reflecting: type(of: store))
        guard type(of: store) is AnyObject.Type else { return name }
        return "\(name) \(ObjectIdentifier(store as AnyObject))"
    }

    /// What the services remember in user defaults.
    subscript(choice key: String) -> String? {
        get { choices.withLock { $0[key] } }
        set { choices.withLock { $0[key] = newValue } }
    }

    /// Runs code of services with this storage; without one, as it is.
    package static func within<Result, Failure: Error>(
        _ storage: MemoryStorage?, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let storage, storage !== current else { return try work() }
        return try CallContext.$current.withValue(.with { $0.storage = storage }) {
            () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
        }.get()
    }
}

/// A store in a place that has a name, such as a folder.
protocol NamedCredentialStore: CredentialStore {
    /// The same for two stores with the same content.
    var storageName: String { get }
}

/// An object of a service that stores, or remembers what was stored.
package protocol KeptInMemory: AnyObject, Sendable {
    /// Forgets what was read from the place where the object stores, and stores there no longer. Has no effect if the object
    /// belongs to a storage already.
    func keepInMemory(_ storage: MemoryStorage)
}
