import Foundation

/// The hosts that lately did not accept a compressed body.
final class CompressionRefusals: ProxyState {
    /// How long a host is remembered, in seconds: a server may learn the coding with its next release.
    static let period: TimeInterval = 3600
    /// The maximum number of hosts.
    static let limit = 256

    private let clock: any APIClock
    /// When each host is forgotten, by the clock.
    private let ends = Locked<[String: TimeInterval]>([:])

    init(clock: any APIClock) { self.clock = clock }

    /// Remembers the host of a URL.
    func note(_ url: URL) {
        let (host, now) = (url.origin, clock.uptime)
        ends.withLock { ends in
            if ends.count >= Self.limit, ends[host] == nil {
                ends = ends.filter { $0.value > now }
                if ends.count >= Self.limit, let oldest = ends.min(by: { $0.value < $1.value }) {
                    ends[oldest.key] = nil
                }
            }
            ends[host] = now + Self.period
            assert(ends.count <= Self.limit)
        }
    }

    func contains(_ url: URL) -> Bool {
        let end = ends.withLock { $0.isEmpty ? nil : $0[url.origin] }
        return end.map { $0 > clock.uptime } ?? false
    }
}

extension ApiProxy {
    var compressionRefusals: CompressionRefusals { state { CompressionRefusals(clock: clock) } }
}
