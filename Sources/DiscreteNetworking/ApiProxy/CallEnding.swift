/// What a call does to the stored responses of others when it has ended.
struct CallEnding: Sendable {
    /// - Parameters:
    ///   - isConfirmed: Whether the call has succeeded.
    ///   - mayHaveActed: Whether the server may have done what the call asked for.
    typealias Action = @Sendable (_ isConfirmed: Bool, _ mayHaveActed: Bool) async -> Void

    let run: Action
}
