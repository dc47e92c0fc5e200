/// A manager with a typed list. Subclass it as ``PagedAPIManager``.
///
/// The inherited `loadData` and `load` load the first page. The delegate is called for each page, however
/// it was requested. A failed page leaves the list unchanged and can be requested again. The load policy
/// does not apply: a request for a page in flight joins it, and starting a new list cancels the calls of
/// the old one.
@MainActor
open class TypedPagedAPIManager<Page: APIPage>: TypedAPIManager<Page> {
    /// Receives the outcome of loading a page.
    public typealias Completion = @MainActor @Sendable (Result<Page, APIError>) -> Void
    /// Receives `nil` if there is no such page.
    public typealias OptionalCompletion = @MainActor @Sendable (Result<Page?, APIError>) -> Void

    var list: PageList<Page>?
    var calls: [RequestID: PageCall<Page>] = [:]
    /// The params of the list requested last.
    var triedParams: ListParams?
    /// The page that failed last.
    private var failedPage: PageCall<Page>?

    public final override var loadPolicy: LoadPolicy { .concurrent }

    /// The maximum number of consecutive pages without new items while the backend reports more. One more
    /// fails with ``APIError/Kind/invalidResponse(reason:)``, as does a repeated cursor. Default: 5.
    open var emptyPageLimit: Int { 5 }

    // MARK: List

    /// The distinct items of all loaded pages, in order; see ``APIPage/key(of:)``.
    public var items: [Page.Item] { observed?.items ?? [] }
    /// The number of the page loaded last; ``TypedAPIManager/output`` is the page itself.
    public var currentPage: Int? { observed?.pagination.current }
    /// The range of page numbers in ``items``.
    public var loadedPages: ClosedRange<Int>? { observed?.pagination.numbers }
    /// The number of the list's last page; `nil` if neither a total is known nor the end was reached.
    public var lastPage: Int? { observed?.pagination.lastPage }
    /// The number of items per page; `nil` if the backend decides.
    public var pageSize: Int? { ownPaging.size }
    /// The total number of items; `nil` if the backend does not send it.
    public var totalCount: Int? { observed?.pagination.total }
    /// Whether there is a next page; `true` before the first page.
    public var hasNextPage: Bool { observed.map { $0.pagination.next != nil } ?? true }
    /// Whether there is a page before the loaded ones.
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

    /// Clears the list as well, and cancels a next or previous page in flight.
    open override func cleanData() {
        list = nil
        triedParams = nil
        failedPage = nil
        cancelPages { $0 == .next || $0 == .previous || $0 == .again }
        super.cleanData()
    }

    /// Forgets the items of a user who has left. The next page of their list then ends with
    /// ``APIError/Kind/loginRequired``.
    package override func forgetUserData() {
        var forgotten = list
        super.forgetUserData()
        forgotten?.forget()
        list = forgotten
    }

    // MARK: Delegate and closure

    // Each has a counterpart that waits, in TypedPagedAPIManager+Async.swift.

    /// Starts a list. It replaces the current list when its first page has loaded; calls for the current
    /// list are canceled.
    /// - Parameter params: The params of the list, for all its pages; `nil` to call the param source once.
    @discardableResult
    public func loadFirstPage(with params: Params? = nil, completion: Completion? = nil) -> RequestID {
        start(with: params, completion: Self.erased(completion)).0.call.requestID
    }

    /// Reloads the list from its first page.
    ///
    /// The params are the same explicit params, or the params that the param source now returns. ``items`` is unchanged
    /// until the reload succeeds. The cache is not read for the new list.
    @discardableResult
    public func refresh(completion: Completion? = nil) -> RequestID {
        start(with: currentParams?.given, ignoringCache: true, completion: Self.erased(completion))
            .0.call.requestID
    }

    /// Loads the next page, or the first. Repeated calls join the request in flight; while a list is being
    /// started, they wait for its first page.
    /// - Returns: The ID of the call; `nil` if there is no such page, and nothing happens.
    @discardableResult
    public func loadNextPage(completion: OptionalCompletion? = nil) -> RequestID? {
        loadOptional(.next, completion)
    }

    /// Loads the page before the loaded ones; otherwise the same as ``loadNextPage(completion:)``.
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

    /// Loads a page by number. The next and the previous page are added to ``items``; any other page starts
    /// a new list.
    ///
    /// Fails with ``APIError/Kind/invalidParams(reason:)`` for a page before the first, and for a page with an unknown
    /// cursor.
    @discardableResult
    public func loadPage(_ number: Int, completion: Completion? = nil) -> RequestID {
        begin(page: number, refusing: nil, Self.erased(completion)).0.call.requestID
    }

    // MARK: Steps of the pipeline

    /// A call that names no page loads the first page of a list.
    override func start(
        with explicit: Params?, headers: HTTPFields = [:], ignoringCache: Bool = false,
        refusing: APIError.Kind? = nil, ending: PendingCall.Ending? = nil,
        completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        begin(
            .start, ownPaging.start, listParams(explicit, ignoringCache: ignoringCache), headers: headers,
            refusing: refusing, ending: ending, completion)
    }

    /// A request that names no page is for the first page.
    package override func prepared(_ params: Params) -> Params {
        super.prepared(ownPaging.params(for: ownPaging.start).merging(params))
    }

    /// The list begins again.
    package override func reload(_ params: Params, over proxy: ApiProxy) { refresh(completion: nil) }

    /// Starts the call of a given page.
    func startPage(
        with params: Params, headers: HTTPFields, ignoringCache: Bool, refusing: APIError.Kind?,
        ending: PendingCall.Ending?, completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        super.start(
            with: params, headers: headers, ignoringCache: ignoringCache, refusing: refusing,
            ending: ending, completion: completion)
    }

    /// The list restarts with the server's response; later pages are always from the network.
    override func revalidate(_ answered: PendingCall) {
        super.revalidate(answered)
        guard let call = calls[answered.call.requestID], call.role == .start, let next = answered.followUp
        else { return }
        calls[next.call.requestID] = PageCall(
            role: .start, pageRequest: call.pageRequest, params: call.params, pagination: nil,
            users: call.users, pending: next)
    }

    /// The same page of the same list; a page of a loop is nobody's but the loop's.
    override func `repeat`(_ call: APICall) -> PendingCall {
        guard let page = failedPage, page.pending.call.requestID == call.requestID, page.role != .loop else {
            return super.repeat(call)
        }
        return begin(page.role, page.pageRequest, page.params, nil).0
    }

    /// A page may repeat an earlier one.
    override var validates: Bool { true }

    package override func rejectionReason(for response: APIResponse) -> String? {
        if let rejectionReason = super.rejectionReason(for: response) { return rejectionReason }
        guard let call = calls[response.requestID], let page = response.output as? Page else { return nil }
        return pagination(of: call).rejectionReason(for: page, at: call.pageRequest, call.direction)
    }

    override func conclude(
        _ pending: PendingCall, _ outcome: CallOutcome, _ completions: PendingCall.Completions
    ) {
        defer { calls[pending.call.requestID] = nil }
        if let call = calls[pending.call.requestID],
            case .succeeded(let response) = outcome, let page = response.output as? Page
        {
            add(page, of: call)
        } else if let call = calls[pending.call.requestID], outcome.isNoted {
            failedPage = call
        }
        super.conclude(pending, outcome, completions)
    }
}
