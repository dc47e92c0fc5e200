// The calls of a paged manager that wait for the page.
extension TypedPagedAPIManager {
    /// Starts a list and returns its first page, as ``loadFirstPage(with:completion:)``.
    @discardableResult
    public func loadFirstPage(with params: Params? = nil) async throws(APIError) -> Page {
        try await load(with: params)
    }

    /// Reloads the list from its first page and returns it, as ``refresh(completion:)``.
    @discardableResult
    public func refresh() async throws(APIError) -> Page {
        try await load(with: currentParams?.given, ignoringCache: true)
    }

    /// Loads the next page, or the first, as ``loadNextPage(completion:)``.
    /// - Returns: `nil` if there is no such page.
    @discardableResult
    public func loadNextPage() async throws(APIError) -> Page? { try await optional(.next) }

    /// Loads the page before the loaded ones, as ``loadPreviousPage(completion:)``.
    /// - Returns: `nil` if there is no such page.
    @discardableResult
    public func loadPreviousPage() async throws(APIError) -> Page? { try await optional(.previous) }

    /// Loads the page that came last again, as ``refreshCurrentPage(completion:)``.
    @discardableResult
    public func refreshCurrentPage() async throws(APIError) -> Page? { try await optional(.again) }

    /// Loads a page by number, as ``loadPage(_:completion:)``.
    @discardableResult
    public func loadPage(_ number: Int) async throws(APIError) -> Page {
        try await answer { begin(page: number, refusing: $0, $1) }
    }
}
