/// Receives the outcome of a group or chain, however it was loaded. The managers call their own delegates
/// as well.
@MainActor
public protocol APIGroupDelegate: AnyObject {
    /// Called after a success. ``TypedAPIGroup/output`` is set.
    func groupDidSucceed(_ group: BaseAPIGroup)
    /// Called after a failure or a cancellation. ``BaseAPIGroup/error`` is set.
    func groupDidFail(_ group: BaseAPIGroup)
    /// Called after another member or step has ended. Default: does nothing.
    func group(_ group: BaseAPIGroup, didProgress progress: APIGroupProgress)
}

extension APIGroupDelegate {
    public func group(_ group: BaseAPIGroup, didProgress progress: APIGroupProgress) {}
}

/// The progress of a group or chain.
public struct APIGroupProgress: Sendable, Hashable {
    /// The number of members or steps that have ended, including failures.
    public let finished: Int
    /// The total number of members or steps. A nested group counts as one.
    public let total: Int
}

/// Compares groups by identity.
extension BaseAPIGroup: Hashable {
    nonisolated public static func == (left: BaseAPIGroup, right: BaseAPIGroup) -> Bool { left === right }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
