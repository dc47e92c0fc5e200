/// An element of a group or chain: a manager, a manager with params, a group, a chain, or a custom type. An
/// optional element that is `nil` is skipped and its output is `nil`.
@MainActor
public protocol APILoadable<Output>: Sendable {
    /// The output of the element.
    associatedtype Output: Sendable

    /// Loads the element once. Must return soon after its task is canceled.
    func loadAsMember() async throws(APIError) -> Output
}

extension TypedAPIManager: APILoadable {
    /// Calls ``load(with:ignoringCache:)->Output`` with the params of the param source.
    public func loadAsMember() async throws(APIError) -> Output { try await load() }

    /// Returns this manager together with params, as an element of a group or chain.
    ///
    /// ```swift
    /// let (user, feed) = try await APIGroup(
    ///     userManager.with(["id": 7]), feedManager
    /// ).load()
    /// ```
    public func with(_ params: Params) -> some APILoadable<Output> {
        PreparedLoad(manager: self, params: params)
    }
}

/// A manager together with its params; see ``TypedAPIManager/with(_:)``.
struct PreparedLoad<Output: Decodable & Sendable>: APILoadable {
    let manager: TypedAPIManager<Output>
    let params: Params

    func loadAsMember() async throws(APIError) -> Output { try await manager.load(with: params) }
}

extension Optional: APILoadable where Wrapped: APILoadable {
    /// Returns `nil` immediately if there is nothing to load.
    public func loadAsMember() async throws(APIError) -> Wrapped.Output? {
        guard let self else { return nil }
        return try await self.loadAsMember()
    }
}
