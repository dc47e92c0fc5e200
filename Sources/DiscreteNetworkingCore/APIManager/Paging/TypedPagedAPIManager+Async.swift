// The calls of a paged manager that wait for the page. Their names are their own: a call of `loadNextPage()` in an async
// function would otherwise be either of two.
extension TypedPagedAPIManager {
    /// Starts a list and returns its first page, as ``loadFirstPage(with:completion:)``.
    @discardableResult
    public func firstPage(with params: Params? = nil) async throws(APIError) -> Page {
        try await load(with: params)
    }

    /// Reloads the list from its first page and returns it, as ``refresh(completion:)``.
    ///
    /// ```swift
    /// List(list.items) { Text($0.name) }
    ///     .refreshable { _ = try? await list.reload() }
    /// ```
    @discardableResult
    public func reload() async throws(APIError) -> Page {
        try await load(with: currentParams?.given, ignoringCache: true)
    }

    /// Loads and returns the next page, or the first, as ``loadNextPage(completion:)``.
    ///
    /// ```swift
    /// let list = ProductListManager()
    /// while try await list.nextPage() != nil {}
    /// ```
    /// - Returns: `nil` if there is no such page.
    @discardableResult
    public func nextPage() async throws(APIError) -> Page? { try await optional(.next) }

    /// Loads and returns the page before the loaded ones, as ``loadPreviousPage(completion:)``.
    /// - Returns: `nil` if there is no such page.
    @discardableResult
    public func previousPage() async throws(APIError) -> Page? { try await optional(.previous) }

    /// Loads the page that came last again and returns it, as ``refreshCurrentPage(completion:)``.
    @discardableResult
    public func reloadCurrentPage() async throws(APIError) -> Page? { try await optional(.again) }

    /// Loads a page by number and returns it, as ``loadPage(_:completion:)``.
    @discardableResult
    public func page(_ number: Int) async throws(APIError) -> Page {
        try await answer { begin(page: number, refusing: $0, $1) }
    }
}
