/// Watches a manager until it goes away.
package protocol ManagerWatcher: AnyObject, Sendable {
    /// A call of the manager has ended.
    func change()
    /// The manager has gone.
    func end()
}

/// The watchers of a manager.
package final class ManagerWatchers: Sendable {
    private let watchers = Locked<[ObjectIdentifier: any ManagerWatcher]>([:])

    deinit { for watcher in watchers.current.values { watcher.end() } }

    package var count: Int { watchers.withLock { $0.count } }

    package func add(_ watcher: any ManagerWatcher) {
        watchers.withLock { $0[ObjectIdentifier(watcher)] = watcher }
    }

    package func remove(_ watcher: any ManagerWatcher) {
        watchers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(watcher)) }
    }

    func change() { for watcher in watchers.current.values { watcher.change() } }
}
