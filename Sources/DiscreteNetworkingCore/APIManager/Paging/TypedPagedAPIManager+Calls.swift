// Starts the calls of a paged manager and adds their pages to the list.
extension TypedPagedAPIManager {
    var ownPaging: Paging { (self as? any PagedAPIManagerChild)?.paging ?? .number() }

    var newPagination: PaginationState<Page> { PaginationState(ownPaging, emptyPageLimit: emptyPageLimit) }

    /// The list, registered as read with Observation; it changes together with the manager's state.
    var observed: PageList<Page>? {
        _ = state.value
        return shown
    }

    private var shown: PageList<Page>? { list.flatMap { $0.isForgotten ? nil : $0 } }

    func listParams(_ given: Params?, ignoringCache: Bool = false) -> ListParams {
        ListParams(
            given: given, used: given ?? paramSource?.params(for: self) ?? [:], ignoringCache: ignoringCache)
    }

    /// The params of the list being started, or loaded, or that failed to load.
    var currentParams: ListParams? {
        running { $0.role == .start }?.params ?? shown?.params ?? triedParams
    }

    // MARK: Starting

    func loadOptional(_ role: PageCall<Page>.Role, _ completion: OptionalCompletion?) -> RequestID? {
        guard let pageRequest = pageRequest(of: role) else {
            if let completion { Task { completion(.success(nil)) } }
            return nil
        }
        var told: Completion?
        if let completion { told = { result in completion(result.map { $0 }) } }
        return begin(role, pageRequest, refusing: nil, Self.erased(told)).0.call.requestID
    }

    func optional(_ role: PageCall<Page>.Role) async throws(APIError) -> Page? {
        guard let pageRequest = pageRequest(of: role) else { return nil }
        return try await answer { begin(role, pageRequest, refusing: $0, $1) }
    }

    /// Loads a page of the list, or starts a list with it.
    func begin(page number: Int, refusing: APIError.Kind?, _ completion: PendingCall.Completion?) -> (
        PendingCall, PendingCall.Listener?
    ) {
        if running(where: { $0.role == .start }) == nil {
            for role in [PageCall<Page>.Role.next, .previous] {
                guard let pageRequest = pageRequest(of: role), list != nil, pageRequest.number == number
                else { continue }
                return begin(role, pageRequest, refusing: refusing, completion)
            }
        }
        let params = currentParams ?? listParams(nil)
        if let pageRequest = ownPaging.pageRequest(forPage: number) {
            return begin(.start, pageRequest, params, refusing: refusing, completion)
        }
        let reason =
            number < ownPaging.firstPage
            ? "the first page is \(ownPaging.firstPage); there is no page \(number)."
            : "the cursor of page \(number) is unknown; load the pages before it first."
        return begin(
            .start, ownPaging.start, params, refusing: refusing ?? .invalidParams(reason: reason), completion)
    }

    /// Returns the request of the next or previous page. Without a list, and while one is being started,
    /// that is its first page.
    private func pageRequest(of role: PageCall<Page>.Role) -> PageRequest? {
        if let starting = running(where: { $0.role == .start }) { return starting.pageRequest }
        guard let list else { return role == .previous ? nil : ownPaging.start }
        switch role {
        case .again: return list.current
        case .previous: return list.pagination.previous
        case .start, .next, .loop: return list.pagination.next
        }
    }

    private func begin(
        _ role: PageCall<Page>.Role, _ pageRequest: PageRequest, refusing: APIError.Kind?,
        _ completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        if let starting = running(where: { $0.role == .start }) {
            return begin(.start, pageRequest, starting.params, refusing: refusing, completion)
        }
        guard let list else {
            return begin(
                .start, pageRequest,
                listParams(triedParams?.given, ignoringCache: triedParams?.ignoringCache ?? false),
                refusing: refusing, completion)
        }
        return begin(role, pageRequest, list.params, refusing: refusing, completion)
    }

    /// Joins a call in flight for the same page of the same list, or starts one.
    func begin(
        _ role: PageCall<Page>.Role, _ pageRequest: PageRequest, _ params: ListParams,
        headers: HTTPFields = [:],
        pagination: PaginationState<Page>? = nil, users given: UserWork? = nil,
        refusing: APIError.Kind? = nil, ending: PendingCall.Ending? = nil,
        _ completion: PendingCall.Completion?
    ) -> (PendingCall, PendingCall.Listener?) {
        if refusing == nil, role != .loop {
            if let call = running(where: {
                $0.role == role && $0.pageRequest == pageRequest && $0.params == params
            }),
                isShareable(call.pending), let listener = call.pending.addListener(completion)
            {
                return (call.pending, listener)
            }
            if role == .start {
                cancelPages { $0 != .loop }
                triedParams = params
            }
        }
        let listUsers = role == .start || role == .loop ? given : list?.users
        let users = listUsers ?? UserWork()
        let (pending, listener) = CallContext.$current.withValue(.with { $0.work = users }) {
            startPage(
                with: params.used.merging(ownPaging.params(for: pageRequest)), headers: headers,
                ignoringCache: params.ignoringCache || role == .again, refusing: refusing,
                ending: ending, completion: completion)
        }
        calls[pending.call.requestID] = PageCall(
            role: role, pageRequest: pageRequest, params: params, pagination: pagination, users: users,
            pending: pending)
        return (pending, listener)
    }

    func cancelPages(_ isMeant: (PageCall<Page>.Role) -> Bool) {
        for call in calls.values where isMeant(call.role) { cancelRequest(call.pending.call.requestID) }
    }

    private func running(where isMeant: (PageCall<Page>) -> Bool) -> PageCall<Page>? {
        calls.values.first { isMeant($0) && !$0.pending.hasEnded }
    }

    static func erased(_ completion: Completion?) -> PendingCall.Completion? {
        guard let completion else { return nil }
        return .closure { result in completion(typed(result)) }
    }

    // MARK: Outcome

    /// Returns the pagination state that a page continues.
    func pagination(of call: PageCall<Page>) -> PaginationState<Page> {
        switch call.role {
        case .start: newPagination
        case .next, .previous, .again: list?.pagination ?? newPagination
        case .loop: call.pagination ?? newPagination
        }
    }

    func add(_ page: Page, of call: PageCall<Page>) {
        switch call.role {
        case .loop: break
        case .start:
            var list = PageList(newPagination, params: call.params, users: call.users)
            list.add(page, at: call.pageRequest, .start)
            self.list = list
        case .next, .previous, .again:
            // Of another list by now.
            guard list?.users === call.users else { break }
            list?.add(page, at: call.pageRequest, call.direction)
        }
    }
}
