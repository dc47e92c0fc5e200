/// The pages of a list, as an asynchronous sequence.
///
/// A page is requested when the loop reaches it. Leaving the loop stops further requests, and canceling its
/// task cancels the request in flight. Throws ``APIError``; calling the iterator again after an error
/// requests the same page again.
public struct PageSequence<Page: APIPage>: AsyncSequence, Sendable {
    public typealias Element = Page
    let manager: TypedPagedAPIManager<Page>
    let params: Params?

    public func makeAsyncIterator() -> Iterator { Iterator(manager: manager, params: params) }

    /// Loads the list from its start.
    public struct Iterator: AsyncIteratorProtocol {
        private let manager: TypedPagedAPIManager<Page>
        private var position: PagePosition<Page>
        private let users = UserWork()

        init(manager: TypedPagedAPIManager<Page>, params: Params?) {
            self.manager = manager
            position = .beginning(params)
        }

        public mutating func next() async throws -> Page? { try await step()?.page }

        /// Returns the next page, and the items in it that the loop has not returned yet.
        mutating func step() async throws(APIError) -> PageStep<Page>? {
            try await manager.step(from: &position, users)
        }
    }
}

/// The distinct items of a list, as an asynchronous sequence; see ``PageSequence``. A page is requested
/// when all items of the previous one were consumed.
public struct PageItemSequence<Page: APIPage>: AsyncSequence, Sendable {
    public typealias Element = Page.Item
    let pages: PageSequence<Page>

    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Loads the list from its start.
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
    /// Returns the list page by page. Each loop starts at the first page with its own state, independent of
    /// ``items`` and of other loops.
    /// - Parameter params: The params of the list; `nil` to call the param source when the loop starts.
    public nonisolated func pages(with params: Params? = nil) -> PageSequence<Page> {
        PageSequence(manager: self, params: params)
    }

    /// Returns the list item by item; see ``pages(with:)``.
    ///
    /// ```swift
    /// let manager = ProductListManager()
    /// for try await product in manager.allItems(with: ["q": "tea"]) {
    ///     print(product.name)
    /// }
    /// ```
    public nonisolated func allItems(with params: Params? = nil) -> PageItemSequence<Page> {
        PageItemSequence(pages: pages(with: params))
    }

    /// Loads the page at a position and advances it. The position is unchanged if the page fails.
    func step(
        from position: inout PagePosition<Page>, _ users: UserWork
    ) async throws(APIError) -> PageStep<Page>? {
        if case .beginning(let given) = position {
            position = .before(ownPaging.start, newPagination, listParams(given))
        }
        guard let page = try await page(at: position, users) else { return nil }
        return PageStep(page: page, items: position.take(page))
    }

    /// Releases the pagination state before the position advances: a second reference would copy its keys.
    private func page(at position: PagePosition<Page>, _ users: UserWork) async throws(APIError) -> Page? {
        guard case .before(let pageRequest, let pagination, let params) = position else { return nil }
        return try await answer {
            begin(.loop, pageRequest, params, pagination: pagination, users: users, refusing: $0, $1)
        }
    }
}

/// The position of a loop.
enum PagePosition<Page: APIPage>: Sendable {
    case beginning(Params?)
    /// Before a page, with the state of the pages before it.
    case before(PageRequest, PaginationState<Page>, ListParams)
    case end

    /// Adds the next page.
    /// - Returns: The items that the list did not contain.
    mutating func take(_ page: Page) -> [Page.Item] {
        guard case .before(let pageRequest, var pagination, let params) = self else { return [] }
        // Moves the state out and in: a second reference would copy its keys.
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
