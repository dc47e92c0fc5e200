/// One call of a paged manager.
struct PageCall<Page: APIPage>: Sendable {
    enum Role: Hashable {
        /// The first page of the manager's list, whatever its number.
        case start
        case next
        case previous
        /// A page of somebody's loop; the manager's list has nothing to do with it.
        case loop
    }

    let role: Role
    let pageRequest: PageRequest
    let params: ListParams
    /// What the page goes on from, where that is not the manager's list.
    let pagination: PaginationState<Page>?
    /// For whom the list is, from its first page on.
    let users: UserWork
    let pending: PendingCall

    var direction: PaginationState<Page>.Direction {
        switch role {
        case .start: .start
        case .next: .forward
        case .previous: .backward
        case .loop: pagination?.numbers == nil ? .start : .forward
        }
    }
}

/// The params of a list, without those of its pages.
struct ListParams: Hashable, Sendable {
    /// Those the caller gave; `nil` where the param source was asked.
    let given: Params?
    let used: Params
    let ignoringCache: Bool
}

/// What a paged manager has loaded.
struct PageList<Page: APIPage>: Sendable {
    private(set) var pagination: PaginationState<Page>
    private(set) var items: [Page.Item] = []
    let params: ListParams
    let users: UserWork

    init(_ pagination: PaginationState<Page>, params: ListParams, users: UserWork) {
        self.pagination = pagination
        self.params = params
        self.users = users
    }

    mutating func add(_ page: Page, at pageRequest: PageRequest, _ direction: PaginationState<Page>.Direction)
    {
        let news = pagination.take(page, at: pageRequest, direction)
        items.insert(contentsOf: news, at: direction == .backward ? 0 : items.count)
    }
}
