public import Foundation

extension LoopbackResponse {
    /// Returns a file that supports range requests (RFC 9110 sections 13.1.5 and 14).
    ///
    /// ```swift
    /// LoopbackRoute.get("/maps/shanghai") {
    ///     .file(map, etag: #""v1""#, for: $0)
    /// }
    /// ```
    ///
    /// Supports ranges of the form `bytes=100-` and `bytes=100-199`; otherwise, or if `If-Range` does not
    /// match the entity tag, the whole file is sent. A range past the end gets status 416.
    public static func file(
        _ data: Data, type: String = "application/octet-stream", etag: String? = nil,
        for request: LoopbackRequest
    ) -> LoopbackResponse {
        var response = LoopbackResponse.data(data, type: type).adding("Accept-Ranges", "bytes")
        if let etag { response = response.adding("ETag", etag) }
        guard let range = request.header("Range").flatMap(bounds(in:)),
            request.header("If-Range").map({ $0 == etag }) ?? true
        else { return response }
        guard range.first < data.count else {
            return LoopbackResponse(status: 416, headers: [("Content-Range", "bytes */\(data.count)")])
        }
        let last = min(range.last ?? .max, data.count - 1)
        response.status = 206
        response.headers.append(("Content-Range", "bytes \(range.first)-\(last)/\(data.count)"))
        response.body = .data(data.dropFirst(range.first).prefix(last - range.first + 1))
        return response
    }

    private static func bounds(in header: String) -> (first: Int, last: Int?)? {
        guard header.hasPrefix("bytes=") else { return nil }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first >= 0 else { return nil }
        if ends[1].isEmpty { return (first, nil) }
        guard let last = Int(ends[1]), last >= first else { return nil }
        return (first, last)
    }
}
