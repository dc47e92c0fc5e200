import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// Reads what is stored when it has changed.
///
/// It is asked, and tells nothing by itself: nothing is buffered that may be another user's by the time it is read.
@MainActor
final class StoredOutputSource<Output: Decodable & Sendable> {
    private weak var manager: TypedAPIManager<Output>?
    private let params: Params
    private let proxy: ApiProxy
    private let changes: CacheChanges
    private let observer = CacheObserver()
    private weak var siblings: ManagerWatchers?
    private var last: Shown?
    private var hasBegun = false
    /// Whether an element may be equal to the one before: a call of the manager may have changed its output meanwhile.
    private let repeats: Bool
    private var lastOutput: Output?
    /// The call that is not sent, of the last element.
    private(set) var call: APICall?

    /// What the reader has seen last.
    private struct Shown: Equatable {
        let key: CacheKey?
        let body: CachedResponse?
        var layers: Int?
    }

    init(_ manager: TypedAPIManager<Output>, params: Params, repeats: Bool = false) {
        self.manager = manager
        self.repeats = repeats
        self.params = params
        proxy = manager.proxy
        changes = proxy.responses.changes
        siblings = manager.watchers
        changes.add(observer)
        siblings?.add(observer)
    }

    deinit {
        changes.remove(observer)
        siblings?.remove(observer)
    }

    /// Returns the next element; `nil` after the last one.
    func next() async throws(APIError) -> Output?? {
        while !Task.isCancelled {
            let news = observer.take()
            if let ticket = news.reload { reload(ticket) }
            if news.hasChanged, let element = try await changed() { return element }
            guard await observer.wait() else { return nil }
        }
        return nil
    }

    /// Returns what is stored; `nil` if that is not new. Retains the manager meanwhile.
    private func changed() async throws(APIError) -> Output?? {
        guard let manager else { return nil }
        let found: StoredOutput?
        do {
            // The interceptors and the validator are asked once.
            let pending =
                hasBegun
                ? manager.unsent(params, over: proxy) : try manager.unsent(params)
            hasBegun = true
            found = try await manager.stored(pending, maxAge: .infinity, observer: observer)
        } catch {
            changes.observe(nil, by: observer)
            // What the user has is not known before the store is read.
            if case .sessionUnavailable = error.kind { return nil }
            guard error.kind == .loginRequired else { throw error }
            return show(nil, Shown(key: nil, body: nil))
        }
        // The user or the environment has changed, and the observer was told.
        guard let found else { return show(nil, Shown(key: nil, body: nil)) }
        call = found.attempt.call
        let shown = Shown(
            key: found.attempt.cachePlace?.key, body: found.stored?.undated, layers: found.layers)
        return show(found.response?.output as? Output, shown)
    }

    private func show(_ output: Output?, _ shown: Shown) -> Output?? {
        if repeats { return .some(output) }
        // Nothing under another key is nothing as well.
        guard last != shown, last == nil || last?.body != nil || shown.body != nil else { return nil }
        last = shown
        defer { lastOutput = output }
        // What was shown before the server has responded is confirmed.
        if let output, let equatable = lastOutput as? any Equatable, equatable.isEqual(to: output) {
            return nil
        }
        return .some(output)
    }

    private func reload(_ ticket: ReloadTicket) {
        guard let manager, manager.mayReload(params), ticket.claim() else { return }
        manager.reload(params, over: proxy)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: any Sendable) -> Bool { other as? Self == self }
}

extension CachedResponse {
    /// The same without a date, to compare contents.
    fileprivate var undated: CachedResponse {
        var copy = self
        copy.storedAt = .distantPast
        copy.headers = [:]
        return copy
    }
}
