/// Which pages of a list were loaded, and which follow at either end. A value type: a failed page leaves it
/// unchanged.
struct PaginationState<Page: APIPage>: Sendable {
    enum Direction: Sendable {
        case start, forward, backward
        /// A page that was loaded already, in place of itself.
        case inPlace
    }

    let paging: Paging
    /// The maximum number of consecutive pages without new items.
    let emptyPageLimit: Int
    /// The numbers of the loaded pages, contiguous.
    private(set) var numbers: ClosedRange<Int>?
    /// The number of the page loaded last.
    private(set) var current: Int?
    private(set) var next: PageRequest?
    private(set) var previous: PageRequest?
    private(set) var total: Int?
    private var keys: Set<ItemKey> = []
    private var used: Set<PageRequest.Cursor> = []
    private var emptyPages = 0
    /// The number of items of the fullest page that another one follows: servers may have pages of another size than is asked for.
    private var fullest: Int?

    init(_ paging: Paging, emptyPageLimit: Int) {
        self.paging = paging
        self.emptyPageLimit = emptyPageLimit
    }

    /// Adds a page.
    /// - Returns: The items that the list did not contain.
    mutating func take(_ page: Page, at pageRequest: PageRequest, _ direction: Direction) -> [Page.Item] {
        let news = page.items.filter { item in
            Page.key(of: item).map { keys.insert(ItemKey($0)).inserted } ?? true
        }
        if direction != .inPlace { emptyPages = news.isEmpty ? emptyPages + 1 : 0 }
        if let cursor = pageRequest.cursor { used.insert(cursor) }
        // A page inside the list says nothing about its ends.
        let isInside = direction == .inPlace
        if direction != .backward, !isInside || pageRequest.number == numbers?.upperBound {
            next = paging.pageRequest(after: pageRequest, page)
            if next != nil, !page.items.isEmpty { fullest = max(fullest ?? 0, page.items.count) }
        }
        if direction != .forward, !isInside || pageRequest.number == numbers?.lowerBound {
            previous = paging.pageRequest(before: pageRequest, page, size: fullest)
        }
        numbers =
            numbers.map { min($0.lowerBound, pageRequest.number)...max($0.upperBound, pageRequest.number) }
            ?? pageRequest.number...pageRequest.number
        current = pageRequest.number
        total = PageFacts(page).total ?? total
        return news
    }

    /// The number of the last page; `nil` if neither a total is known nor the end was reached.
    var lastPage: Int? {
        next == nil ? numbers?.upperBound : total.flatMap { paging.lastPage(total: $0, size: fullest) }
    }

    /// Items that are about to come again, or no more.
    mutating func forget(_ items: some Sequence<Page.Item>) {
        for key in items.compactMap(Page.key(of:)) { keys.remove(ItemKey(key)) }
    }

    /// Returns why a page is rejected: following it would never end. Does not copy the keys, so the cost
    /// does not grow with the list.
    func rejectionReason(for page: Page, at pageRequest: PageRequest, _ direction: Direction) -> String? {
        if let misfit = PageFacts(page).misfit { return misfit }
        if direction == .backward, paging.gap(after: page, at: pageRequest) > 0 {
            return
                "page \(pageRequest.number) has \(page.items.count) of the \(pageRequest.limit ?? paging.size ?? 0) items that were asked for, so that those after them would be missing; set the size of the paging to the most that the server returns."
        }
        let following =
            direction == .backward
            ? paging.pageRequest(before: pageRequest, page) : paging.pageRequest(after: pageRequest, page)
        guard let following else { return nil }
        // What follows a page inside the list was loaded, and its items are known.
        if direction == .inPlace {
            return following.cursor != nil && following.cursor == pageRequest.cursor
                ? "page \(pageRequest.number) names its own cursor; the list would never end." : nil
        }
        if let cursor = following.cursor, cursor == pageRequest.cursor || used.contains(cursor) {
            return
                "page \(pageRequest.number) repeats a cursor; the list would never end."
        }
        let isEmptyPage = page.items.allSatisfy { item in
            Page.key(of: item).map { keys.contains(ItemKey($0)) } ?? false
        }
        if isEmptyPage, emptyPages >= emptyPageLimit {
            return
                "\(emptyPages + 1) consecutive pages contain no new items, but page \(pageRequest.number) reports that more follow; see emptyPageLimit."
        }
        return nil
    }
}
