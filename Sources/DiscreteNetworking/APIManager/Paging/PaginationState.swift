/// Which pages of a list were loaded, and how it goes on at either end. A value: a page that fails leaves
/// nothing behind.
struct PaginationState<Page: APIPage>: Sendable {
    enum Direction: Sendable {
        case start, forward, backward
        /// A page that was loaded already, in place of itself.
        case inPlace
    }

    let paging: Paging
    /// How many pages in a row may bring nothing new.
    let emptyPageLimit: Int
    /// The pages that were loaded, without a gap.
    private(set) var numbers: ClosedRange<Int>?
    /// The one that came last.
    private(set) var current: Int?
    private(set) var next: PageRequest?
    private(set) var previous: PageRequest?
    private(set) var total: Int?
    private var keys: Set<ItemKey> = []
    private var used: Set<PageRequest.Cursor> = []
    private var emptyPages = 0

    init(_ paging: Paging, emptyPageLimit: Int) {
        self.paging = paging
        self.emptyPageLimit = emptyPageLimit
    }

    /// Takes a page in.
    /// - Returns: its items that the list did not have.
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
        }
        if direction != .forward, !isInside || pageRequest.number == numbers?.lowerBound {
            previous = paging.pageRequest(before: pageRequest, page)
        }
        numbers =
            numbers.map { min($0.lowerBound, pageRequest.number)...max($0.upperBound, pageRequest.number) }
            ?? pageRequest.number...pageRequest.number
        current = pageRequest.number
        total = page.total ?? total
        return news
    }

    /// Items that are about to come again, or no more.
    mutating func forget(_ items: some Sequence<Page.Item>) {
        for key in items.compactMap(Page.key(of:)) { keys.remove(ItemKey(key)) }
    }

    /// Why a page cannot be a part of the list: following what it says would never end. The keys are looked at
    /// and not copied, so that a page costs the same however many there were.
    func rejectionReason(for page: Page, at pageRequest: PageRequest, _ direction: Direction) -> String? {
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
                "page \(pageRequest.number) names a cursor that was used already; the list would never end."
        }
        let isEmptyPage = page.items.allSatisfy { item in
            Page.key(of: item).map { keys.contains(ItemKey($0)) } ?? false
        }
        if isEmptyPage, emptyPages >= emptyPageLimit {
            return
                "\(emptyPages + 1) pages in a row brought nothing new, and the last one, page \(pageRequest.number), says that more follow. See emptyPageLimit."
        }
        return nil
    }
}
