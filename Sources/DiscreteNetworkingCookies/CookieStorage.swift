import DiscreteNetworkingCore
import Foundation

/// The cookies in memory, within limits (RFC 6265bis sections 5.7 and 5.8.3).
///
/// Order and last use are counted, not dated, because clocks are set.
struct CookieStorage: Sendable {
    private struct Entry: Sendable {
        let cookie: Cookie
        let created: Int64
        var used: Int64
    }

    /// The maximum number of cookies.
    static let countLimit = 300
    /// The maximum number of cookies of a domain (RFC 6265bis section 6.1).
    static let domainLimit = 50
    /// The maximum number of bytes of all cookies, so that they fit into a credential store.
    static let byteLimit = 300 * 1024
    /// The maximum number of bytes of a `Cookie` header: servers accept 8 KB with its name.
    static let headerLimit = 8000

    private var domains: [String: [Cookie.ID: Entry]] = [:]
    private var count = 0
    private var bytes = 0
    private var clock: Int64 = 0
    /// The cookies that were set or removed since this was last emptied.
    var changed: Set<Cookie.ID> = []

    /// Oldest first.
    var all: [Cookie] {
        domains.values.flatMap(\.values).sorted { $0.created < $1.created }.map(\.cookie)
    }

    subscript(id: Cookie.ID) -> Cookie? { domains[id.domain]?[id]?.cookie }

    // MARK: Changes

    /// Sets a cookie; an expired one removes the cookie that it replaces.
    /// - Parameter isSecure: Whether the cookie came over a secure connection.
    /// - Returns: Whether the cookie is valid and may replace another one.
    @discardableResult
    mutating func set(_ cookie: Cookie, isSecure: Bool = true, at now: Date) -> Bool {
        guard cookie.isValid, isSecure || cookie.isSecure || !hidesSecureCookie(cookie) else { return false }
        let old = domains[cookie.id.domain]?[cookie.id]
        if old != nil { remove(cookie.id) }
        guard !cookie.isExpired(at: now) else { return true }
        clock += 1
        domains[cookie.id.domain, default: [:]][cookie.id] = Entry(
            cookie: cookie, created: old?.created ?? clock, used: clock)
        count += 1
        bytes += cookie.size
        note(cookie.id)
        evict(from: cookie.id.domain, at: now)
        assert(count <= Self.countLimit && bytes <= Self.byteLimit)
        return true
    }

    mutating func remove(_ id: Cookie.ID) {
        guard let entry = domains[id.domain]?.removeValue(forKey: id) else { return }
        if domains[id.domain]?.isEmpty == true { domains[id.domain] = nil }
        count -= 1
        bytes -= entry.cookie.size
        note(id)
    }

    /// Adds cookies that were stored earlier, before all others.
    mutating func prepend(_ earlier: [Cookie], at now: Date) {
        let (later, noted) = (all, changed)
        self = CookieStorage()
        for cookie in earlier + later { set(cookie, at: now) }
        changed = noted
    }

    private mutating func note(_ id: Cookie.ID) {
        changed.insert(id)
        // Of a store that fails all the time, removals are forgotten.
        if changed.count > 4 * Self.countLimit { changed = changed.filter { self[$0] != nil } }
    }

    /// Whether a cookie of a cleartext connection would replace a secure one (RFC 6265bis section 5.7, "leave secure
    /// cookies alone").
    private func hidesSecureCookie(_ cookie: Cookie) -> Bool {
        domains.contains { domain, entries in
            guard
                CookieScope.isHost(domain, below: cookie.id.domain)
                    || CookieScope.isHost(cookie.id.domain, below: domain)
            else { return false }
            return entries.values.contains {
                $0.cookie.isSecure && $0.cookie.name == cookie.name
                    && CookieScope.isPath(cookie.id.path, below: $0.cookie.id.path)
            }
        }
    }

    /// Evicts expired cookies first, then cookies of a domain with too many, then cookies of the domain with the most
    /// bytes. Thus no host evicts the cookies of another one. Within a domain, secure and recently used cookies stay.
    private mutating func evict(from domain: String, at now: Date) {
        if let own = domains[domain], own.count > Self.domainLimit {
            evict(from: own, at: now)
        }
        guard count > Self.countLimit || bytes > Self.byteLimit else { return }
        for entry in domains.values.flatMap(\.values) where entry.cookie.isExpired(at: now) {
            remove(entry.cookie.id)
        }
        while count > Self.countLimit || bytes > Self.byteLimit {
            let sizes = domains.mapValues { $0.values.reduce(0) { $0 + $1.cookie.size } }
            guard let largest = sizes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
                let entries = domains[largest.key]
            else { return }
            evict(from: entries, at: now)
        }
    }

    private mutating func evict(from entries: [Cookie.ID: Entry], at now: Date) {
        func rank(_ entry: Entry) -> (Int, Int64) {
            (entry.cookie.isExpired(at: now) ? 0 : entry.cookie.isSecure ? 2 : 1, entry.used)
        }
        if let first = entries.values.min(by: { rank($0) < rank($1) }) { remove(first.cookie.id) }
    }

    // MARK: Requests

    /// Returns the value of the `Cookie` header for a URL; `nil` if no cookie matches.
    ///
    /// Longer paths come first, then cookies of the host itself, then older ones. If they are too long, the cookies of the
    /// host itself are sent, and others as far as there is room.
    mutating func header(for url: URL, at now: Date) -> String? {
        guard count > 0, let host = url.host.map(HostName.normal) else { return nil }
        let candidates = CookieScope.domains(of: host).compactMap { domains[$0] }.flatMap(\.values)
        guard !candidates.isEmpty else { return nil }
        let (path, isSecure) = (CookieScope.path(of: url), CookieScope.isSecure(url))
        let matching = candidates.filter { entry in
            let cookie = entry.cookie
            return (!cookie.id.isHostOnly || cookie.id.domain == host) && !cookie.isExpired(at: now)
                && (isSecure || !cookie.isSecure) && CookieScope.isPath(path, below: cookie.id.path)
        }
        let sent = Self.withinLimit(matching).sorted { Self.order($0) < Self.order($1) }
        guard !sent.isEmpty else { return nil }
        clock += 1
        for entry in sent { domains[entry.cookie.id.domain]?[entry.cookie.id]?.used = clock }
        return sent.map { "\($0.cookie.name)=\($0.cookie.value)" }.joined(separator: "; ")
    }

    private static func withinLimit(_ entries: [Entry]) -> [Entry] {
        guard entries.reduce(0, { $0 + $1.cookie.headerSize + 2 }) > headerLimit + 2 else { return entries }
        var room = headerLimit + 2
        return
            entries.sorted { (distance($0.cookie), order($0)) < (distance($1.cookie), order($1)) }
            .filter { entry in
                let size = entry.cookie.headerSize + 2
                guard size <= room else { return false }
                room -= size
                return true
            }
    }

    private static func order(_ entry: Entry) -> SendOrder {
        SendOrder(
            path: -entry.cookie.id.path.utf8.count, distance: distance(entry.cookie), created: entry.created)
    }

    /// How far above the host of a request the domain of a cookie is; smaller is nearer.
    private static func distance(_ cookie: Cookie) -> Int {
        cookie.id.isHostOnly ? .min : -cookie.id.domain.utf8.count
    }

    private struct SendOrder: Comparable {
        let path, distance: Int
        let created: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.path, left.distance, left.created) < (right.path, right.distance, right.created)
        }
    }
}
