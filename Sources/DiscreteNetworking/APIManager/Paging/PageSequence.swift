/// The pages of a list, from the first to the last, for `for try await`.
///
/// A page is asked for when the loop comes to it, so leaving the loop ends the traffic, and cancelling its
/// task cancels the page on its way. Errors are ``APIError``; asking the iterator again after one tries the
/// same page again.
public struct PageSequence<Page: APIPage>: AsyncSequence, Sendable {
    public typealias Element = Page
    let manager: TypedPagedAPIManager<Page>
    let params: Params?

    public func makeAsyncIterator() -> Iterator { Iterator(manager: manager, params: params) }

    public struct Iterator: AsyncIteratorProtocol {
        private let manager: TypedPagedAPIManager<Page>
        private var position: PagePosition<Page>
        private let users = UserWork()

        init(manager: TypedPagedAPIManager<Page>, params: Params?) {
            self.manager = manager
            position = .beginning(params)
        }

        public mutating func next() async throws -> Page? { try await step()?.page }

        /// The next page, and which of its items the loop has not seen.
        mutating func step() async throws(APIError) -> PageStep<Page>? {
            try await manager.step(from: &position, users)
        }
    }
}

/// The items of a list, from the first to the last, none twice; see ``PageSequence``. The next page is asked
/// for when all items of the one before were taken.
public struct PageItemSequence<Page: APIPage>: AsyncSequence, Sendable {
    public typealias Element = Page.Item
    let pages: PageSequence<Page>

    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        private var pages: PageSequence<Page>.Iterator
        private var items = [Page.Item]().makeIterator()

        init(pages: PageSequence<Page>.Iterator) { self.pages = pages }

        public mutating func next() async throws -> Page.Item? {
            while true {
                if let item = items.next() { return item }
                guard let step = try await pages.step() else { return nil }
                items = step.items.makeIterator()
            }
        }
    }
}

extension TypedPagedAPIManager {
    /// The list page by page, for a loop. Each loop starts at the first page and has its own position: ``items``
    /// and the other pages of this manager have nothing to do with it, and two loops do not meet.
    /// - Parameter params: of the list; without them the param source is asked when the loop begins.
    public nonisolated func pages(with params: Params? = nil) -> PageSequence<Page> {
        PageSequence(manager: self, params: params)
    }

    /// The list item by item, for a loop; see ``pages(with:)``.
    ///
    /// ```swift
    /// for try await product in manager.allItems(with: ["q": "tea"]) { print(product.name) }
    /// ```
    public nonisolated func allItems(with params: Params? = nil) -> PageItemSequence<Page> {
        PageItemSequence(pages: pages(with: params))
    }

    /// The page at a position, which then moves on. Where the page fails, it stays.
    func step(
        from position: inout PagePosition<Page>, _ users: UserWork
    ) async throws(APIError) -> PageStep<Page>? {
        if case .beginning(let given) = position {
            position = .before(ownPaging.start, newPagination, listParams(given))
        }
        guard let page = try await page(at: position, users) else { return nil }
        return PageStep(page: page, items: position.take(page))
    }

    /// Holds the pagination no longer than the call: held twice, it would be copied for each page.
    private func page(at position: PagePosition<Page>, _ users: UserWork) async throws(APIError) -> Page? {
        guard case .before(let pageRequest, let pagination, let params) = position else { return nil }
        return try await answer {
            begin(.loop, pageRequest, params, pagination: pagination, users: users, refusing: $0, $1)
        }
    }
}

/// How far a loop has come.
enum PagePosition<Page: APIPage>: Sendable {
    case beginning(Params?)
    /// The page that comes next, and the list before it.
    case before(PageRequest, PaginationState<Page>, ListParams)
    case end

    /// Takes in the page that comes next.
    /// - Returns: its items that the list did not have.
    mutating func take(_ page: Page) -> [Page.Item] {
        guard case .before(let pageRequest, var pagination, let params) = self else { return [] }
        // The pagination is moved out and in again: held twice, its keys would be copied.
        self = .end
        let items = pagination.take(page, at: pageRequest, pagination.numbers == nil ? .start : .forward)
        if let next = pagination.next { self = .before(next, pagination, params) }
        return items
    }
}

struct PageStep<Page: APIPage>: Sendable {
    let page: Page
    let items: [Page.Item]
}
