/// Who is told how a group or a chain fared, whichever way it was loaded. The managers tell their own
/// delegates besides.
@MainActor
public protocol APIGroupDelegate: AnyObject {
    /// ``TypedAPIGroup/output`` is there.
    func groupDidSucceed(_ group: BaseAPIGroup)
    /// ``BaseAPIGroup/error`` is there. Also told of a cancellation.
    func groupDidFail(_ group: BaseAPIGroup)
    /// One more member or step has ended. Default: does nothing.
    func group(_ group: BaseAPIGroup, didProgress progress: APIGroupProgress)
}

extension APIGroupDelegate {
    public func group(_ group: BaseAPIGroup, didProgress progress: APIGroupProgress) {}
}

/// How far a group or a chain has come.
public struct APIGroupProgress: Sendable, Hashable {
    /// How many members or steps have ended, well or not.
    public let finished: Int
    /// How many there are. A group within a group is one.
    public let total: Int
}

/// By identity: a group equals itself only.
extension BaseAPIGroup: Hashable {
    nonisolated public static func == (left: BaseAPIGroup, right: BaseAPIGroup) -> Bool { left === right }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
