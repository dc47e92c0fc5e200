/// What takes the place of files, Keychain items and user defaults for the services of one factory; see
/// ``ServiceFactory/keepInMemory()``.
///
/// A store, jar, session, cache or recorder that is created while this is the current storage belongs to it. So does
/// all code that accesses a store of the framework meanwhile.
package final class MemoryStorage: Sendable {
    /// The storage of the services that run in the current task; `nil` if they use the stores that they declare.
    @TaskLocal package static var current: MemoryStorage?

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
    func replacement(for store: any CredentialStore) -> any CredentialStore {
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
    static func within<Result, Failure: Error>(
        _ storage: MemoryStorage?, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let storage, storage !== current else { return try work() }
        return try $current.withValue(storage) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
        }.get()
    }

    /// Runs code of services with this storage; without one, as it is.
    static func within<Result>(_ storage: MemoryStorage?, _ work: () async -> Result) async -> Result {
        guard let storage, storage !== current else { return await work() }
        return await $current.withValue(storage, operation: work)
    }

    /// Runs what is no code of a service, such as the delegate of a call.
    @inline(never)
    static func leaving<Result>(_ work: () -> Result) -> Result {
        current == nil ? work() : $current.withValue(nil, operation: work)
    }
}

/// A store in a place that has a name, such as a folder.
protocol NamedCredentialStore: CredentialStore {
    /// The same for two stores with the same content.
    var storageName: String { get }
}

/// An object of a service that stores, or remembers what was stored.
protocol KeptInMemory: AnyObject, Sendable {
    /// Forgets what was read from the place where the object stores, and stores there no longer. Has no effect if the object
    /// belongs to a storage already.
    func keepInMemory(_ storage: MemoryStorage)
}

extension APICall {
    /// Runs code that is not part of a call, such as the delegate of a call: outside of its hooks, its environment and the
    /// storage of its service.
    @inline(never)
    static func leaving<Result>(_ work: () -> Result) -> Result {
        guard UserWork.current == nil else { return UserWork.$current.withValue(nil) { leaving(work) } }
        guard deadlineScope == nil else { return $deadlineScope.withValue(nil) { leaving(work) } }
        guard running == nil else { return $running.withValue(nil) { leaving(work) } }
        guard EnvironmentScope.current == nil else {
            return EnvironmentScope.$current.withValue(nil) { leaving(work) }
        }
        return MemoryStorage.current == nil ? work() : MemoryStorage.$current.withValue(nil, operation: work)
    }
}
