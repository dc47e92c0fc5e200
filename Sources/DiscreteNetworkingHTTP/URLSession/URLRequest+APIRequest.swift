package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension URLRequest {
    /// One week; on Linux, `URLSession` crashes with an infinite timeout.
    static let longestTimeout: TimeInterval = 7 * 86_400

    /// Creates a request for `URLSession`; a file or stream body is passed to the task.
    /// - Parameter idleTimeout: The session's idle timeout, in seconds.
    package init(_ request: APIRequest, idleTimeout: TimeInterval) throws(TransportError) {
        do throws(InvalidRequestError) {
            try request.validateTarget()
            try request.headers.validate()
        } catch {
            throw TransportError(error)
        }
        self.init(url: request.url)
        httpMethod = request.method.rawValue
        allHTTPHeaderFields = Self.dictionary(request.headers)
        timeoutInterval = Self.timeout(of: request, idleTimeout: idleTimeout)
        #if canImport(Darwin)
            // Those of the session's configuration apply as well.
            allowsCellularAccess = request.allowsCellularAccess
            allowsExpensiveNetworkAccess = request.allowsExpensiveNetworkAccess
            allowsConstrainedNetworkAccess = request.allowsConstrainedNetworkAccess
        #endif
        if Self.hasBody(request) {
            guard request.method != .get && request.method != .head else {
                throw TransportError(
                    .unsupported,
                    message:
                        "URLSession does not support a body with \(request.method); encode the params in the query."
                )
            }
            if case .data(let data) = request.body { httpBody = data }
        }
        if case .file = request.destination {
            throw TransportError(
                .unsupported,
                message: "A transport does not write files; request a stream, or use ApiProxy.")
        }
    }

    private static func hasBody(_ request: APIRequest) -> Bool {
        switch request.body {
        case .none: false
        case .data(let data): !data.isEmpty
        case .file, .stream: true
        }
    }

    /// The proxy enforces the deadline; this idle timeout only releases the connection if that fails. On
    /// Linux it is in whole seconds. A stream may be idle for longer than its head may take.
    private static func timeout(of request: APIRequest, idleTimeout: TimeInterval) -> TimeInterval {
        let backstop: TimeInterval =
            switch request.destination {
            case .stream: longestTimeout
            case .memory, .file: request.timeout.isFinite ? request.timeout.rounded(.up) + 1 : longestTimeout
            }
        return max(1, min(backstop, idleTimeout.rounded(.up), longestTimeout))
    }

    /// Returns one value per name, as `URLRequest` requires; repeated fields are joined (RFC 9110 section
    /// 5.3).
    private static func dictionary(_ headers: HTTPFields) -> [String: String] {
        var values: [HTTPFields.Name: String] = [:]
        for field in headers {
            let separator = field.name == "Cookie" ? "; " : ", "
            values[field.name] = values[field.name].map { $0 + separator + field.value } ?? field.value
        }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawName, $0.value) })
    }
}
