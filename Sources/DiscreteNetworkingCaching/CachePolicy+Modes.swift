public import DiscreteNetworkingCore
public import Foundation

extension CachePolicy {
    /// The default freshness lifetime, in seconds: three minutes.
    public static let standardLife: TimeInterval = 180

    /// Creates a policy; see the properties for each value.
    public init(
        _ mode: Mode = .cacheFirst, memory: TimeInterval? = standardLife, disk: TimeInterval? = nil,
        staleIfError: TimeInterval = 0, version: String = ""
    ) {
        self.init(
            mode: mode, memory: memory, disk: disk, staleIfError: staleIfError, version: version,
            machinery: Machinery(CacheMaker()))
    }

    /// Fresh cached responses from memory first, for ``standardLife``.
    public static let memory = CachePolicy()
    /// Fresh cached responses from disk first, for ``standardLife``.
    public static let disk = CachePolicy(memory: nil, disk: standardLife)
    /// Fresh cached responses from memory or disk first, for ``standardLife``.
    public static let memoryAndDisk = CachePolicy(disk: standardLife)
}

/// The steps that a policy adds to a call.
private struct CacheMaker: CacheMaking {
    func outerStep(of pending: PendingCall) -> any CallStep {
        CacheStep(pending: pending, store: pending.proxy.responses)
    }

    func step(for policy: any Policy, of pending: PendingCall) -> (any CallStep)? {
        ConditionStep(pending: pending, store: pending.proxy.responses)
    }

    func substitute(
        for failure: APIError, of attempt: Attempt, _ pending: PendingCall
    ) -> (any CallStep)? {
        guard attempt.allowsStaleResponse(after: failure.kind) else { return nil }
        return CacheStep.Substitute(step: CacheStep(pending: pending, store: pending.proxy.responses))
    }
}
