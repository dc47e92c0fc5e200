/// A call of a paged manager.
struct PageCall<Page: APIPage>: Sendable {
    enum Role: Hashable {
        /// The first page of the manager's list, regardless of its number.
        case start
        case next
        case previous
        /// The page that came last, again.
        case again
        /// A page of an asynchronous sequence, independent of the manager's list.
        case loop
    }

    let role: Role
    let pageRequest: PageRequest
    let params: ListParams
    /// The pagination state of a sequence; `nil` for the manager's list.
    let pagination: PaginationState<Page>?
    /// The users for whom the list was started.
    let users: UserWork
    let pending: PendingCall

    var direction: PaginationState<Page>.Direction {
        switch role {
        case .start: .start
        case .next: .forward
        case .previous: .backward
        case .again: .inPlace
        case .loop: pagination?.numbers == nil ? .start : .forward
        }
    }
}

/// The params of a list, without paging params.
struct ListParams: Hashable, Sendable {
    /// The explicit params; `nil` if the param source was called.
    let given: Params?
    let used: Params
    let ignoringCache: Bool
}

/// The list that a paged manager has loaded.
struct PageList<Page: APIPage>: Sendable {
    private(set) var pagination: PaginationState<Page>
    private(set) var items: [Page.Item] = []
    /// Where the loaded pages are, and how many of the items are of each, in their order.
    private var parts: [(request: PageRequest, count: Int)] = []
    let params: ListParams
    let users: UserWork
    /// Whether its user has left. Its items are then no longer shown.
    private(set) var isForgotten = false

    init(_ pagination: PaginationState<Page>, params: ListParams, users: UserWork) {
        self.pagination = pagination
        self.params = params
        self.users = users
    }

    mutating func add(_ page: Page, at pageRequest: PageRequest, _ direction: PaginationState<Page>.Direction)
    {
        if direction == .inPlace { return replace(page, at: pageRequest) }
        let news = pagination.take(page, at: pageRequest, direction)
        items.insert(contentsOf: news, at: direction == .backward ? 0 : items.count)
        parts.insert((pageRequest, news.count), at: direction == .backward ? 0 : parts.count)
    }

    /// Where the page is that came last.
    var current: PageRequest? { parts.first { $0.request.number == pagination.current }?.request }

    private mutating func replace(_ page: Page, at pageRequest: PageRequest) {
        guard let index = parts.firstIndex(where: { $0.request == pageRequest }) else { return }
        let start = parts[..<index].reduce(0) { $0 + $1.count }
        let range = start..<(start + parts[index].count)
        pagination.forget(items[range])
        let news = pagination.take(page, at: pageRequest, .inPlace)
        items.replaceSubrange(range, with: news)
        parts[index].count = news.count
    }

    mutating func forget() {
        (items, parts) = ([], [])
        isForgotten = true
    }
}
