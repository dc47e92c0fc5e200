import Foundation

/// What is known of the addresses of a host. Times are seconds of the clock of its ``HostResolution``.
struct HostAnswer: Sendable {
    /// Valid addresses in canonical text, the preferred one first.
    private(set) var addresses: [String] = []
    /// Until when the addresses are fresh, and until when they may be used while new ones are asked for.
    private var expiry = -TimeInterval.infinity
    private var staleEnd = -TimeInterval.infinity
    /// Addresses that could not be connected to, and until when they are avoided.
    private var avoided: [String: TimeInterval] = [:]
    /// Before this time, the resolver is not asked again.
    private(set) var retryTime = -TimeInterval.infinity

    /// The maximum number of addresses.
    static let capacity = 8
    /// The limits of a time to live.
    private static let lifetimes: ClosedRange<TimeInterval> = 10...86_400
    /// How long a resolver that has failed is not asked, in seconds.
    static let retryPause: TimeInterval = 10
    /// How long an address is avoided that could not be connected to, in seconds.
    static let avoidance: TimeInterval = 60

    func isFresh(at now: TimeInterval) -> Bool { now < expiry }

    /// Returns the addresses that may be used, the avoided ones last; empty if there are no addresses, if they are too
    /// old, or if all are avoided.
    func usable(at now: TimeInterval) -> [String] {
        guard now < staleEnd else { return [] }
        let good = addresses.filter { avoided[$0, default: now] <= now }
        return good.isEmpty ? [] : good + addresses.filter { !good.contains($0) }
    }

    mutating func store(
        _ addresses: [String], timeToLive: TimeInterval, staleLimit: TimeInterval, at now: TimeInterval
    ) {
        self.addresses = Array(addresses.prefix(Self.capacity))
        // NaN counts as the shortest.
        let lifetime =
            timeToLive > Self.lifetimes.lowerBound
            ? min(timeToLive, Self.lifetimes.upperBound) : Self.lifetimes.lowerBound
        expiry = now + lifetime
        staleEnd = expiry + max(0, staleLimit)
        retryTime = -.infinity
    }

    mutating func fail(at now: TimeInterval) { retryTime = now + Self.retryPause }

    // MARK: Connections

    /// Records which addresses could not be connected to: the addresses are asked for again, and those are avoided.
    mutating func avoid(_ bad: [String], at now: TimeInterval) {
        guard !bad.isEmpty else { return }
        avoided = avoided.filter { $0.value > now }
        for address in bad where avoided.count < 2 * Self.capacity || avoided[address] != nil {
            avoided[address] = now + Self.avoidance
        }
        if bad.contains(where: addresses.contains) { expiry = min(expiry, now) }
    }

    mutating func forgive(_ address: String) { avoided[address] = nil }
}

/// How a transport fared with the addresses that it was given.
package struct HostConnection: Sendable {
    /// The addresses, in the order in which they were tried.
    package var addresses: [String]
    /// The address of the connection; `nil` if there was none.
    package var reached: String?
    /// Whether the connection was made for this exchange.
    package var isNew: Bool
    /// The kind of the error; `nil` if there was none.
    package var error: TransportError.Kind?

    package init(addresses: [String], reached: String?, isNew: Bool, error: TransportError.Kind?) {
        self.addresses = addresses
        self.reached = reached
        self.isNew = isNew
        self.error = error
    }

    /// The addresses that could not be connected to, or where another server is.
    var bad: [String] {
        switch error {
        case .cannotConnect: return addresses
        case .timedOut where reached == nil: return Array(addresses.prefix(1))
        case .serverCertificateUntrusted, .publicKeyNotPinned, .secureConnectionFailed:
            return Array((reached ?? addresses.first).map { [$0] } ?? [])
        default:
            guard isNew, let reached, let index = addresses.firstIndex(of: reached) else { return [] }
            // Those of the other family are tried at the same time (RFC 8305), so that nothing is known of them.
            let isVersion6 = IPAddress.isVersion6(reached)
            return addresses[..<index].filter { IPAddress.isVersion6($0) == isVersion6 }
        }
    }

    /// The address that works.
    var good: String? {
        guard let reached, !bad.contains(reached) else { return nil }
        return reached
    }
}
