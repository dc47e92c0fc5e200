/// How a backend's list is asked for page by page.
///
/// ```swift
/// let paging = Paging.number(size: 50)                     // ?page=1&pageSize=50
/// let paging = Paging.offset(limit: 50)                    // ?offset=0&limit=50
/// let paging = Paging.cursor(name: "after", limitName: nil) // nothing, then ?after=<nextCursor>
/// ```
public struct Paging: Sendable, Hashable {
    enum Style: Hashable { case number, offset, cursor }

    let style: Style
    /// The number of the first page: 1, unless pages are counted otherwise.
    public let firstPage: Int
    /// How many items a page has; `nil` where the backend decides.
    public let size: Int?
    private let name: String
    private let sizeName: String?
    private let previousName: String?

    /// By page number.
    /// - Parameters:
    ///   - first: the number of the first page.
    ///   - size: items of a page, at least 1; has to be what the server really gives.
    ///   - name: the param of the number.
    ///   - sizeName: the param of the size; `nil` sends none.
    public static func number(
        first: Int = 1, size: Int = 20, name: String = "page", sizeName: String? = "pageSize"
    ) -> Paging {
        Paging(
            style: .number, firstPage: first, size: max(1, size), name: name, sizeName: sizeName,
            previousName: nil)
    }

    /// By the number of items to pass over.
    /// - Parameters:
    ///   - limit: items of a page, at least 1. A server may give fewer, if it says a total or whether more
    ///     follow.
    ///   - name: the param of the offset.
    ///   - limitName: the param of the limit; `nil` sends none.
    public static func offset(
        limit: Int = 20, name: String = "offset", limitName: String? = "limit"
    ) -> Paging {
        Paging(
            style: .offset, firstPage: 1, size: max(1, limit), name: name, sizeName: limitName,
            previousName: nil)
    }

    /// By what the page before says: ``APIPage/nextCursor``. The first page is asked for without.
    /// - Parameters:
    ///   - limit: items of a page, at least 1; `nil` lets the server decide.
    ///   - name: the param of the cursor.
    ///   - limitName: the param of the limit; `nil` sends none.
    ///   - previousName: the param of ``APIPage/previousCursor``. Default: the same.
    public static func cursor(
        limit: Int? = 20, name: String = "cursor", limitName: String? = "limit", previousName: String? = nil
    ) -> Paging {
        Paging(
            style: .cursor, firstPage: 1, size: limit.map { max(1, $0) }, name: name, sizeName: limitName,
            previousName: previousName)
    }
}

/// Where a page is.
struct PageRequest: Hashable, Sendable {
    enum Cursor: Hashable {
        case next(String)
        case previous(String)
    }

    /// Which page: as the backend counts, or from 1.
    var number: Int
    /// How many items there are before it.
    var offset = 0
    /// How many items to ask for, where that is not the size of a page.
    var limit: Int?
    var cursor: Cursor?
}

extension Paging {
    var start: PageRequest { PageRequest(number: firstPage) }

    /// Where a page is; `nil` where that cannot be known without the one before.
    func pageRequest(forPage number: Int) -> PageRequest? {
        guard number >= firstPage else { return nil }
        switch style {
        case .number: return PageRequest(number: number)
        case .offset: return PageRequest(number: number, offset: offset(ofPage: number))
        case .cursor: return number == firstPage ? start : nil
        }
    }

    /// How many items there are before a page, where all have their size; the largest number where it is
    /// beyond that.
    func offset(ofPage number: Int) -> Int {
        let (pages, isBeyond) = number.subtractingReportingOverflow(firstPage)
        let (offset, isTooMuch) = pages.multipliedReportingOverflow(by: size ?? 0)
        return isBeyond || isTooMuch ? .max : max(0, offset)
    }

    /// What is sent to get a page.
    func params(for pageRequest: PageRequest) -> Params {
        var params = Params()
        switch style {
        case .number: params.set(name, pageRequest.number)
        case .offset: params.set(name, pageRequest.offset)
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

    // MARK: Which page comes next

    func pageRequest(after pageRequest: PageRequest, _ page: some APIPage) -> PageRequest? {
        let count = page.items.count
        let number = pageRequest.number.addingReportingOverflow(1)
        guard !number.overflow else { return nil }
        switch style {
        case .number:
            return goesOn(after: offset(ofPage: pageRequest.number), page)
                ? PageRequest(number: number.partialValue) : nil
        case .offset:
            // Asking again for what was empty would bring nothing else, whatever the server says.
            let end = pageRequest.offset.addingReportingOverflow(count)
            guard count > 0, !end.overflow, goesOn(after: pageRequest.offset, page, asked: pageRequest.limit)
            else {
                return nil
            }
            return PageRequest(number: number.partialValue, offset: end.partialValue)
        case .cursor:
            guard page.hasMore != false, let cursor = page.nextCursor, !cursor.isEmpty else { return nil }
            return PageRequest(number: number.partialValue, cursor: .next(cursor))
        }
    }

    func pageRequest(before pageRequest: PageRequest, _ page: some APIPage) -> PageRequest? {
        switch style {
        case .number:
            return pageRequest.number > firstPage ? PageRequest(number: pageRequest.number - 1) : nil
        case .offset:
            guard pageRequest.offset > 0 else { return nil }
            let limit = min(size ?? 1, pageRequest.offset)
            return PageRequest(
                number: pageRequest.number - 1, offset: pageRequest.offset - limit,
                limit: limit == size ? nil : limit)
        case .cursor:
            guard let cursor = page.previousCursor, !cursor.isEmpty, pageRequest.number > .min else {
                return nil
            }
            return PageRequest(number: pageRequest.number - 1, cursor: .previous(cursor))
        }
    }

    private func goesOn(after offset: Int, _ page: some APIPage, asked: Int? = nil) -> Bool {
        let count = page.items.count
        if let hasMore = page.hasMore { return hasMore }
        if let total = page.total { return offset < total && count < total - offset }
        return count >= asked ?? size ?? 1
    }

    /// The number of the last page, as a total has it.
    func lastPage(total: Int) -> Int? {
        guard let size else { return nil }
        let last = firstPage.addingReportingOverflow((max(total, 1) - 1) / size)
        return last.overflow ? nil : last.partialValue
    }
}
