/// Which pages of a list were loaded, and how it goes on at either end. A value: a page that fails leaves
/// nothing behind.
struct PaginationState<Page: APIPage>: Sendable {
    enum Direction: Sendable { case start, forward, backward }

    let paging: Paging
    /// How many pages in a row may bring nothing new.
    let patience: Int
    /// The pages that were loaded, without a gap.
    private(set) var numbers: ClosedRange<Int>?
    /// The one that came last.
    private(set) var current: Int?
    private(set) var next: PageRequest?
    private(set) var previous: PageRequest?
    private(set) var total: Int?
    private var keys: Set<ItemKey> = []
    private var used: Set<PageRequest.Cursor> = []
    private var barren = 0

    init(_ paging: Paging, patience: Int) {
        self.paging = paging
        self.patience = patience
    }

    /// Takes a page in.
    /// - Returns: its items that the list did not have.
    mutating func take(_ page: Page, at spot: PageRequest, _ direction: Direction) -> [Page.Item] {
        let news = page.items.filter { item in
            Page.key(of: item).map { keys.insert(ItemKey($0)).inserted } ?? true
        }
        barren = news.isEmpty ? barren + 1 : 0
        if let cursor = spot.cursor { used.insert(cursor) }
        if direction != .backward { next = paging.spot(after: spot, page) }
        if direction != .forward { previous = paging.spot(before: spot, page) }
        numbers =
            numbers.map { min($0.lowerBound, spot.number)...max($0.upperBound, spot.number) }
            ?? spot.number...spot.number
        current = spot.number
        total = page.total ?? total
        return news
    }

    /// Why a page cannot be a part of the list: following what it says would never end. The keys are looked at
    /// and not copied, so that a page costs the same however many there were.
    func objection(to page: Page, at spot: PageRequest, _ direction: Direction) -> String? {
        let following =
            direction == .backward ? paging.spot(before: spot, page) : paging.spot(after: spot, page)
        guard let following else { return nil }
        if let cursor = following.cursor, cursor == spot.cursor || used.contains(cursor) {
            return "page \(spot.number) names a cursor that was used already; the list would never end."
        }
        let isBarren = page.items.allSatisfy { item in
            Page.key(of: item).map { keys.contains(ItemKey($0)) } ?? false
        }
        if isBarren, barren >= patience {
            return
                "\(barren + 1) pages in a row brought nothing new, and the last one, page \(spot.number), says that more follow. See emptyPageLimit."
        }
        return nil
    }
}
