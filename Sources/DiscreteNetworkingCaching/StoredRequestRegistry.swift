import DiscreteNetworkingCore
import Foundation

/// Remembers requests and whether their responses were stored, to report why a later request finds no response. Only
/// proxies with observers use it.
final class StoredRequestRegistry: ProxyState {
    private struct Entry: Sendable {
        let fingerprint: RequestFingerprint
        let isStored: Bool
    }

    /// The maximum numbers of requests: of all resources, and of one.
    private static let (limit, resourceLimit) = (1024, 16)

    private let entries = Locked(LRUList<Int, [Entry]>())

    /// The number of requests that are remembered.
    var count: Int64 { entries.withLock { $0.cost } }

    /// Remembers a request.
    /// - Parameter isStored: Whether its response was stored; `false` if the server forbids it.
    func note(_ fingerprint: RequestFingerprint, isStored: Bool) {
        entries.withLock { entries in
            var own = entries.use(fingerprint.resource) ?? []
            own.removeAll { $0.fingerprint.isSame(as: fingerprint) }
            own.append(Entry(fingerprint: fingerprint, isStored: isStored))
            own = own.suffix(Self.resourceLimit)
            entries.insert(own, cost: own.count, for: fingerprint.resource)
            while entries.cost > Self.limit, entries.removeOldest() != nil {}
        }
    }

    /// Returns why a cache has no response to a request.
    func reason(for fingerprint: RequestFingerprint) -> MissReason {
        let own = entries.withLock { $0.use(fingerprint.resource) } ?? []
        if let same = own.first(where: { $0.fingerprint.isSame(as: fingerprint) }) {
            return same.isStored ? .removed : .storingForbidden
        }
        guard !own.isEmpty else { return .nothingStored }
        let stored = own.filter(\.isStored).map(\.fingerprint)
        return fingerprint.differences(fromNearestOf: stored).map(MissReason.differs) ?? .storingForbidden
    }
}

extension ApiProxy {
    var storedRequests: StoredRequestRegistry { state { StoredRequestRegistry() } }
}
