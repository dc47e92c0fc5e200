extension LoopbackResponse.Body {
    /// The length to announce; nil when none is known beforehand.
    var length: Int? {
        switch self {
        case .data(let data), .gated(_, let data), .slow(let data, _, _): data.count
        case .generated(let count): max(0, count)
        case .chunks, .stream, .produced, .untilClose: nil
        }
    }

    var isChunked: Bool {
        switch self {
        case .chunks, .stream, .produced: true
        default: false
        }
    }
}

extension LoopbackResponse {
    /// Whether this status never has a body (RFC 9110, section 6.4.1).
    var isBodiless: Bool {
        status < 200 || status == 204 || status == 304
    }

    /// Whether the given headers settle the framing themselves.
    var namesFraming: Bool {
        !headers.values(of: "Content-Length").isEmpty || !headers.values(of: "Transfer-Encoding").isEmpty
    }

    /// Whether another request may follow on the same connection.
    func keepsConnection(after request: LoopbackRequest) -> Bool {
        let isOld = request.version == "HTTP/1.0"
        let wishes = request.headers.tokens(of: "Connection")
        if closesConnection || fault != nil || status < 200 { return false }
        if wishes.contains("close") || headers.tokens(of: "Connection").contains("close") { return false }
        if isOld, !wishes.contains("keep-alive") || body.isChunked { return false }
        if case .untilClose = body, !isBodiless { return namesFraming }
        return true
    }
}
