/// A manager that knows its list. Subclass it as ``PagedAPIManager``.
///
/// Every way of calling that it inherits, `loadData` and `load`, loads the first page. The delegate is told
/// of each page, whichever way it was asked for. A page that fails changes nothing, and can be asked for
/// again. The load policy does not matter here: a page that is being loaded already is joined, and a list
/// that starts anew cancels what is on its way for the old one.
@MainActor
open class TypedPagedAPIManager<Page: APIPage>: TypedAPIManager<Page> {
    public typealias Completion = @MainActor @Sendable (Result<Page, APIError>) -> Void
    /// Gets `nil` where there is no such page.
    public typealias OptionalCompletion = @MainActor @Sendable (Result<Page?, APIError>) -> Void

    var list: PageList<Page>?
    var calls: [RequestID: PageCall<Page>] = [:]
    /// Of the list that was asked for last.
    var triedParams: ListParams?

    public final override var loadPolicy: LoadPolicy { .concurrent }

    /// How many pages in a row may bring nothing new while the backend says that more follow. One more is
    /// ``APIError/Kind/invalidResponse(reason:)``, as is a cursor that comes a second time. Default: 5.
    open var emptyPageLimit: Int { 5 }

    // MARK: What was loaded

    /// The items of all pages of the list that were loaded, in order, none twice; see ``APIPage/key(of:)``.
    public var items: [Page.Item] { observed?.items ?? [] }
    /// The number of the page that came last; see ``TypedAPIManager/output`` for the page itself.
    public var currentPage: Int? { observed?.pagination.current }
    /// The numbers of the pages that ``items`` are of.
    public var loadedPages: ClosedRange<Int>? { observed?.pagination.numbers }
    /// The number of the first page there is.
    public var firstPage: Int { ownPaging.firstPage }
    /// The number of the last page there is, where the backend gave a total or the end was reached.
    public var lastPage: Int? {
        guard let pagination = observed?.pagination, let numbers = pagination.numbers else { return nil }
        return pagination.next == nil
            ? numbers.upperBound : pagination.total.flatMap(pagination.paging.lastPage)
    }
    /// How many items a page has; `nil` where the backend decides.
    public var pageSize: Int? { ownPaging.size }
    /// How many items all pages have together, where the backend says.
    public var totalCount: Int? { observed?.pagination.total }
    /// Whether there is a page to load; `true` before the first.
    public var hasNextPage: Bool { observed.map { $0.pagination.next != nil } ?? true }
    /// Whether there is a page before the ones that were loaded.
    public var hasPreviousPage: Bool { observed?.pagination.previous != nil }

    /// Whether the page that came last is the first of the list. `false` before there is one.
    public var isFirstPage: Bool {
        observed.map {
            $0.pagination.current == $0.pagination.numbers?.lowerBound && $0.pagination.previous == nil
        } ?? false
    }
    /// Whether the page that came last is the last of the list. `false` before there is one.
    public var isLastPage: Bool {
        observed.map {
            $0.pagination.current == $0.pagination.numbers?.upperBound && $0.pagination.next == nil
        } ?? false
    }

    /// Forgets the list too; a next or previous page on its way is cancelled.
    open override func cleanData() {
        list = nil
        triedParams = nil
        cancelPages { $0 == .next || $0 == .previous || $0 == .again }
        super.cleanData()
    }

    /// The next page of the list is not that of another list: it ends with ``APIError/Kind/loginRequired``.
    override func forgetUserData() {
        var forgotten = list
        super.forgetUserData()
        forgotten?.forget()
        list = forgotten
    }

    // MARK: Delegate and closure

    /// Starts a list. It takes the place of the one there is when its first page has come; a page still on
    /// its way for that one is cancelled.
    /// - Parameter params: of this list, for all its pages; without them the param source is asked, once.
    @discardableResult
    public func loadFirstPage(with params: Params? = nil, completion: Completion? = nil) -> RequestID {
        start(with: params, completion: Self.erased(completion)).0.call.requestID
    }

    /// Loads the list again from its first page, with the same params: those it was given, or what the param
    /// source says now. ``items`` stay as they are until it succeeds. Neither it nor the pages that follow it
    /// are read from the cache.
    @discardableResult
    public func refresh(completion: Completion? = nil) -> RequestID {
        start(with: currentParams?.given, ignoringCache: true, completion: Self.erased(completion))
            .0.call.requestID
    }

    /// Loads the page after those that were loaded, or the first. The same page is loaded once, however often
    /// it is asked for meanwhile; a list that is just starting is waited for instead.
    /// - Returns: the number of the call; `nil` where there is no such page, and nothing happens.
    @discardableResult
    public func loadNextPage(completion: OptionalCompletion? = nil) -> RequestID? {
        loadOptional(.next, completion)
    }

    /// Loads the page before those that were loaded; otherwise as ``loadNextPage(completion:)``.
    @discardableResult
    public func loadPreviousPage(completion: OptionalCompletion? = nil) -> RequestID? {
        loadOptional(.previous, completion)
    }

    /// Loads the page that came last again, from the server, and puts its items in the place of those it had; the other
    /// pages stay. Before there is a list, this loads the first page.
    @discardableResult
    public func refreshCurrentPage(completion: OptionalCompletion? = nil) -> RequestID? {
        loadOptional(.again, completion)
    }

    /// Loads a given page. The next and the previous one are added to ``items``; with any other the list
    /// starts anew.
    ///
    /// With a page that cannot be, the call ends with ``APIError/Kind/invalidParams(reason:)``: one before the
    /// first, or one that only a cursor nobody has leads to.
    @discardableResult
    public func loadPage(_ number: Int, completion: Completion? = nil) -> RequestID {
        begin(page: number, refusing: nil, Self.erased(completion)).0.call.requestID
    }

    // MARK: await

    /// ``loadNextPage(completion:)``, waited for.
    /// - Returns: `nil` where there is no such page.
    public func nextPage() async throws(APIError) -> Page? { try await optional(.next) }

    /// ``loadPreviousPage(completion:)``, waited for.
    /// - Returns: `nil` where there is no such page.
    public func previousPage() async throws(APIError) -> Page? { try await optional(.previous) }

    /// ``refreshCurrentPage(completion:)``, waited for.
    public func currentPageRefreshed() async throws(APIError) -> Page? { try await optional(.again) }

    /// ``loadPage(_:completion:)``, waited for.
    public func page(_ number: Int) async throws(APIError) -> Page {
        try await answer { begin(page: number, refusing: $0, $1) }
    }

    /// ``refresh(completion:)``, waited for.
    public func refreshed() async throws(APIError) -> Page {
        try await load(with: currentParams?.given, ignoringCache: true)
    }

    // MARK: Steps of the pipeline

    /// A call that does not say which page is for the first one of a list.
    override func start(
        with explicit: Params?, headers: [String: String] = [:], ignoringCache: Bool = false,
        refusing: APIError.Kind? = nil, completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        begin(
            .start, ownPaging.start, listParams(explicit, ignoringCache: ignoringCache), headers: headers,
            refusing: refusing, completion)
    }

    /// A call for a page that was decided on.
    func startPage(
        with params: Params, headers: [String: String], ignoringCache: Bool, refusing: APIError.Kind?,
        completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        super.start(
            with: params, headers: headers, ignoringCache: ignoringCache, refusing: refusing,
            completion: completion)
    }

    /// The list starts anew with the server's answer; pages after the first are newer than that anyway.
    override func revalidate(_ answered: PendingCall) {
        super.revalidate(answered)
        guard let call = calls[answered.call.requestID], call.role == .start, let next = answered.followUp
        else { return }
        calls[next.call.requestID] = PageCall(
            role: .start, pageRequest: call.pageRequest, params: call.params, pagination: nil,
            users: call.users, pending: next)
    }

    override func rejectionReason(for response: APIResponse) -> String? {
        if let rejectionReason = super.rejectionReason(for: response) { return rejectionReason }
        guard let call = calls[response.requestID], let page = response.output as? Page else { return nil }
        return pagination(of: call).rejectionReason(for: page, at: call.pageRequest, call.direction)
    }

    override func conclude(
        _ pending: PendingCall, _ outcome: CallOutcome, _ completions: [PendingCall.Completion]
    ) {
        defer { calls[pending.call.requestID] = nil }
        if let call = calls[pending.call.requestID],
            case .succeeded(let response) = outcome, let page = response.output as? Page
        {
            add(page, of: call)
        }
        super.conclude(pending, outcome, completions)
    }
}
