/// The reason phrases of status codes (RFC 9110 section 15, RFC 6585).
enum StatusWords {
    /// Returns the words in parentheses, with a leading space: ` (not found)`.
    static func text(of status: Int) -> String {
        if let words = words[status] { return " (\(words))" }
        switch status {
        case 300..<400: return " (redirect)"
        case 400..<500: return " (client error)"
        case 500..<600: return " (server error)"
        default: return ""
        }
    }

    private static let words: [Int: String] = [
        100: "continue", 101: "switching protocols", 200: "OK", 201: "created", 202: "accepted",
        203: "non-authoritative information", 204: "no content", 205: "reset content",
        206: "partial content", 300: "multiple choices", 301: "moved permanently", 302: "found",
        303: "see other", 304: "not modified", 305: "use proxy", 306: "unused",
        307: "temporary redirect", 308: "permanent redirect", 400: "bad request", 401: "unauthorized",
        402: "payment required", 403: "forbidden", 404: "not found", 405: "method not allowed",
        406: "not acceptable", 407: "proxy authentication required", 408: "request timeout",
        409: "conflict", 410: "gone", 411: "length required", 412: "precondition failed",
        413: "content too large", 414: "URI too long", 415: "unsupported media type",
        416: "range not satisfiable", 417: "expectation failed", 418: "unused",
        421: "misdirected request", 422: "unprocessable content", 426: "upgrade required",
        428: "precondition required", 429: "too many requests", 431: "request header fields too large",
        500: "internal server error", 501: "not implemented", 502: "bad gateway",
        503: "service unavailable", 504: "gateway timeout", 505: "HTTP version not supported",
        511: "network authentication required",
    ]
}
