/// How a backend divides a list into pages.
///
/// ```swift
/// Paging.number(size: 50)  // ?page=1&pageSize=50
/// Paging.offset(size: 50)  // ?offset=0&limit=50
/// // Nothing, then ?after=<nextCursor>.
/// Paging.cursor(name: "after", sizeName: nil)
/// ```
public struct Paging: Sendable, Hashable {
    enum Style: Hashable { case number, offset, cursor }

    let style: Style
    /// The number of the first page. Default: 1.
    public let firstPage: Int
    /// The number of items per page; `nil` if the backend decides.
    public let size: Int?
    private let name: String
    private let sizeName: String?
    private let previousName: String?

    /// Pages by number.
    /// - Parameters:
    ///   - first: The number of the first page.
    ///   - size: The number of items per page, at least 1. A server may return fewer or more if it sends a total or whether more
    ///     follow.
    ///   - name: The name of the page number param.
    ///   - sizeName: The name of the page size param; `nil` omits it.
    public static func number(
        first: Int = 1, size: Int = 20, name: String = "page", sizeName: String? = "pageSize"
    ) -> Paging {
        Paging(
            style: .number, firstPage: first, size: max(1, size), name: name, sizeName: sizeName,
            previousName: nil)
    }

    /// Pages by offset.
    /// - Parameters:
    ///   - size: The number of items per page, at least 1. A server may return fewer if it sends a total
    ///     or whether more follow.
    ///   - name: The name of the offset param.
    ///   - sizeName: The name of the page size param; `nil` omits it.
    public static func offset(
        size: Int = 20, name: String = "offset", sizeName: String? = "limit"
    ) -> Paging {
        Paging(
            style: .offset, firstPage: 1, size: max(1, size), name: name, sizeName: sizeName,
            previousName: nil)
    }

    /// Pages by cursor: ``APIPage/nextCursor`` of the previous page. The first page is requested without
    /// one.
    /// - Parameters:
    ///   - size: The number of items per page, at least 1; `nil` lets the server decide.
    ///   - name: The name of the cursor param.
    ///   - sizeName: The name of the page size param; `nil` omits it.
    ///   - previousName: The name of the param for ``APIPage/previousCursor``. Default: `name`.
    public static func cursor(
        size: Int? = 20, name: String = "cursor", sizeName: String? = "limit", previousName: String? = nil
    ) -> Paging {
        Paging(
            style: .cursor, firstPage: 1, size: size.map { max(1, $0) }, name: name, sizeName: sizeName,
            previousName: previousName)
    }
}

/// The position of a page in its list.
struct PageRequest: Hashable, Sendable {
    enum Cursor: Hashable {
        case next(String)
        case previous(String)
    }

    /// The page number, as counted by the backend, or starting with 1.
    var number: Int
    /// The number of items before the page; `nil` if that is not known, since the server's pages may have another size.
    var offset: Int? = 0
    /// The number of items to request; `nil` for the page size.
    var limit: Int?
    var cursor: Cursor?
}

extension Paging {
    var start: PageRequest { PageRequest(number: firstPage) }

    /// Returns the request of a page; `nil` if its cursor is unknown.
    func pageRequest(forPage number: Int) -> PageRequest? {
        guard number >= firstPage else { return nil }
        switch style {
        case .number: return number == firstPage ? start : PageRequest(number: number, offset: nil)
        case .offset: return PageRequest(number: number, offset: offset(ofPage: number))
        case .cursor: return number == firstPage ? start : nil
        }
    }

    /// Returns the number of items before a page, assuming full pages; `Int.max` on overflow.
    func offset(ofPage number: Int) -> Int {
        let (pages, isBeyond) = number.subtractingReportingOverflow(firstPage)
        let (offset, isTooMuch) = pages.multipliedReportingOverflow(by: size ?? 0)
        return isBeyond || isTooMuch ? .max : max(0, offset)
    }

    /// Returns the params that request a page.
    func params(for pageRequest: PageRequest) -> Params {
        var params = Params()
        switch style {
        case .number: params.set(name, pageRequest.number)
        case .offset: params.set(name, pageRequest.offset ?? 0)
        case .cursor:
            switch pageRequest.cursor {
            case nil: break
            case .next(let cursor): params.set(name, cursor)
            case .previous(let cursor): params.set(previousName ?? name, cursor)
            }
        }
        if let sizeName, let size { params.set(sizeName, pageRequest.limit ?? size) }
        return params
    }

    // MARK: Next page

    func pageRequest(after pageRequest: PageRequest, _ page: some APIPage) -> PageRequest? {
        let count = page.items.count
        let number = pageRequest.number.addingReportingOverflow(1)
        guard !number.overflow else { return nil }
        let end = pageRequest.offset.flatMap { offset in
            let end = offset.addingReportingOverflow(count)
            return end.overflow ? nil : end.partialValue
        }
        switch style {
        case .number:
            return hasMore(after: pageRequest, page)
                ? PageRequest(number: number.partialValue, offset: end) : nil
        case .offset:
            // Repeating a request whose result was empty would return nothing else, even if the server says
            // that more follow.
            guard count > 0, let end, hasMore(after: pageRequest, page) else { return nil }
            return PageRequest(number: number.partialValue, offset: end)
        case .cursor:
            let link = (page as? any LinkedPage)?.link?.next?[name]
            let facts = PageFacts(page)
            guard facts.hasMore != false, let cursor = link ?? facts.nextCursor, !cursor.isEmpty
            else { return nil }
            return PageRequest(number: number.partialValue, cursor: .next(cursor))
        }
    }

    /// - Parameter size: The number of items that the server's pages have, as far as is known.
    func pageRequest(
        before pageRequest: PageRequest, _ page: some APIPage, size known: Int? = nil
    ) -> PageRequest? {
        switch style {
        case .number: return self.pageRequest(forPage: pageRequest.number - 1)
        case .offset:
            guard let offset = pageRequest.offset, offset > 0 else { return nil }
            let limit = min(known ?? size ?? 1, size ?? 1, offset)
            return PageRequest(
                number: pageRequest.number - 1, offset: offset - limit, limit: limit == size ? nil : limit)
        case .cursor:
            let link = (page as? any LinkedPage)?.link?.previous?[previousName ?? name]
            guard let cursor = link ?? PageFacts(page).previousCursor, !cursor.isEmpty,
                pageRequest.number > .min
            else { return nil }
            return PageRequest(number: pageRequest.number - 1, cursor: .previous(cursor))
        }
    }

    private func hasMore(after pageRequest: PageRequest, _ page: some APIPage) -> Bool {
        let (count, facts) = (page.items.count, PageFacts(page))
        if let hasMore = facts.hasMore { return hasMore }
        guard let total = facts.total else { return count >= pageRequest.limit ?? size ?? 1 }
        guard count > 0 else { return false }
        guard let offset = pageRequest.offset else {
            // If it is not the last one of pages of this size, an empty page tells.
            let end = offset(ofPage: pageRequest.number).addingReportingOverflow(count)
            return end.overflow || end.partialValue != total
        }
        return offset < total && count < total - offset
    }

    /// Returns the number of items that a page lacks before the page after it; 0 for none, or if that is not known.
    func gap(after page: some APIPage, at pageRequest: PageRequest) -> Int {
        let facts = PageFacts(page)
        guard style == .offset, facts.hasMore != false, let offset = pageRequest.offset,
            let limit = pageRequest.limit ?? size
        else { return 0 }
        let count = page.items.count
        if let total = facts.total { return max(0, min(limit, total - min(total, offset)) - count) }
        return facts.hasMore == true ? max(0, limit - count) : 0
    }

    /// Returns the number of the last page for a total number of items.
    /// - Parameter size: The number of items that the server's pages have, as far as is known.
    func lastPage(total: Int, size known: Int? = nil) -> Int? {
        guard let size = known ?? size else { return nil }
        let last = firstPage.addingReportingOverflow((max(total, 1) - 1) / size)
        return last.overflow ? nil : last.partialValue
    }
}
