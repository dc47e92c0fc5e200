import DiscreteNetworkingCore

/// An observer of one cached response, with the changes that it has not read yet.
///
/// Changes are counted, not queued: an observer that is slow reads the latest state once.
final class CacheObserver: ManagerWatcher {
    /// What happened since the observer has looked.
    struct News: Sendable {
        var hasChanged = false
        /// The reload that an invalidation asks for.
        var reload: ReloadTicket?
    }

    // It reads once at the start.
    private let news = Locked(News(hasChanged: true))
    private let wakeUps: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakeUps, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func change() { change(reload: nil) }

    /// Records a change and wakes the observer.
    func change(reload: ReloadTicket?) {
        news.withLock { news in
            news.hasChanged = true
            news.reload = reload ?? news.reload
        }
        continuation.yield()
    }

    /// Takes what happened.
    func take() -> News {
        news.withLock { news in
            defer { news = News() }
            return news
        }
    }

    /// Waits until something happens.
    /// - Returns: `false` after the end, and if the task is canceled.
    func wait() async -> Bool {
        for await _ in wakeUps { return true }
        return false
    }

    /// Ends the observation.
    package func end() { continuation.finish() }
}

/// Lets one of the observers of a cached response reload it.
final class ReloadTicket: Sendable {
    private let isClaimed = Locked(false)

    /// - Returns: Whether the caller is the first.
    func claim() -> Bool {
        isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return !isClaimed
        }
    }
}
