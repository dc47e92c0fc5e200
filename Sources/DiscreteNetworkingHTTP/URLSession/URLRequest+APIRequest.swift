import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// A week; `URLSession` on Linux stops the process at infinity.
    static let longestTimeout: TimeInterval = 7 * 86_400

    /// The request as `URLSession` takes it; a body that is a file or a stream is left to the task.
    /// - Parameter idleTimeout: Seconds without a byte that the session allows.
    init(_ request: APIRequest, idleTimeout: TimeInterval) throws(TransportError) {
        do throws(InvalidRequest) {
            try request.validateTarget()
            try request.headers.validate()
        } catch {
            throw TransportError(error)
        }
        self.init(url: request.url)
        httpMethod = request.method.rawValue
        allHTTPHeaderFields = Self.dictionary(request.headers)
        timeoutInterval = Self.timeout(of: request, idleTimeout: idleTimeout)
        if Self.hasBody(request) {
            guard request.method != .get && request.method != .head else {
                throw TransportError(
                    .unsupported,
                    message:
                        "URLSession sends no body with \(request.method); encode the params in the query.")
            }
            if case .data(let data) = request.body { httpBody = data }
        }
        if case .file = request.destination {
            throw TransportError(
                .unsupported,
                message: "A transport writes no files; ask for a stream, or leave it to ApiProxy.")
        }
    }

    private static func hasBody(_ request: APIRequest) -> Bool {
        switch request.body {
        case .none: false
        case .data(let data): !data.isEmpty
        case .file, .stream: true
        }
    }

    /// The deadline is the proxy's; this one only frees the connection should that be lost. It is an idle
    /// timer, and on Linux counts whole seconds. A stream may be silent for longer than its head may take.
    private static func timeout(of request: APIRequest, idleTimeout: TimeInterval) -> TimeInterval {
        let backstop: TimeInterval =
            switch request.destination {
            case .stream: longestTimeout
            case .memory, .file: request.timeout.isFinite ? request.timeout.rounded(.up) + 1 : longestTimeout
            }
        return max(1, min(backstop, idleTimeout.rounded(.up), longestTimeout))
    }

    /// One value for each name, as `URLRequest` has it; duplicates are joined (RFC 9110 section 5.3).
    private static func dictionary(_ headers: HTTPFields) -> [String: String] {
        var values: [HTTPFields.Name: String] = [:]
        for field in headers {
            let separator = field.name == "Cookie" ? "; " : ", "
            values[field.name] = values[field.name].map { $0 + separator + field.value } ?? field.value
        }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawName, $0.value) })
    }
}
