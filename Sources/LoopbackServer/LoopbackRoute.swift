import Foundation

/// A method, a path and a handler.
///
/// ```swift
/// let server = try LoopbackServer(routes: [
///     .get("/products/{id}") { request in
///         .json(#"{"id": "\#(request.pathParameters["id"]!)"}"#)
///     },
///     .post("/orders") { _ in .status(201) },
/// ])
/// ```
///
/// A `{name}` matches one non-empty path segment. The first matching route is used. `HEAD` uses the `GET`
/// route unless it has its own.
public struct LoopbackRoute: Sendable {
    /// Returns the response to a request.
    public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

    /// The method, as on the wire.
    public let method: String
    /// The path, with `{name}` for a part that may vary.
    public let pattern: String
    let handler: Handler

    /// Creates a route for any method.
    public init(_ method: String, _ pattern: String, handler: @escaping Handler) {
        self.method = method
        self.pattern = pattern
        self.handler = handler
    }

    /// Creates a route for `GET`, and for `HEAD` with the same head.
    public static func get(_ pattern: String, handler: @escaping Handler) -> LoopbackRoute {
        LoopbackRoute("GET", pattern, handler: handler)
    }

    /// Creates a route for `POST`.
    public static func post(_ pattern: String, handler: @escaping Handler) -> LoopbackRoute {
        LoopbackRoute("POST", pattern, handler: handler)
    }

    /// Creates a route for `PUT`.
    public static func put(_ pattern: String, handler: @escaping Handler) -> LoopbackRoute {
        LoopbackRoute("PUT", pattern, handler: handler)
    }

    /// Creates a route for `PATCH`.
    public static func patch(_ pattern: String, handler: @escaping Handler) -> LoopbackRoute {
        LoopbackRoute("PATCH", pattern, handler: handler)
    }

    /// Creates a route for `DELETE`.
    public static func delete(_ pattern: String, handler: @escaping Handler) -> LoopbackRoute {
        LoopbackRoute("DELETE", pattern, handler: handler)
    }

    /// The values of the `{name}` parts, or nil when the path does not match.
    func match(_ path: Substring) -> [String: String]? {
        let slash = UInt8(ascii: "/")
        let expected = pattern.utf8.split(separator: slash, omittingEmptySubsequences: false)
        let actual = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        guard expected.count == actual.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, piece) in zip(expected.map(Substring.init), actual) {
            let value = Percent.decode(piece)
            if part.hasPrefix("{"), part.hasSuffix("}") {
                guard !value.isEmpty else { return nil }
                parameters[String(part.dropFirst().dropLast())] = value
            } else if part != value {
                return nil
            }
        }
        return parameters
    }
}

/// Finds the route for a request, or the response if there is none.
struct Router: Sendable {
    let routes: [LoopbackRoute]

    /// The request with its path parameters, and the handler of it.
    func resolve(_ request: LoopbackRequest) -> (LoopbackRequest, LoopbackRoute.Handler) {
        let path = request.rawPath
        let matches = routes.compactMap { route in route.match(path).map { (route, $0) } }
        let match =
            matches.first { $0.0.method == request.method }
            ?? (request.method == "HEAD" ? matches.first { $0.0.method == "GET" } : nil)
        if let (route, parameters) = match {
            var request = request
            request.pathParameters = parameters
            return (request, route.handler)
        }
        guard !matches.isEmpty else {
            return (request, { .problem(404, "no route for \($0.path)") })
        }
        var allowed = Set(matches.map(\.0.method))
        if allowed.contains("GET") { allowed.insert("HEAD") }
        let allow = allowed.sorted().joined(separator: ", ")
        return (
            request, { .problem(405, "no \($0.method) for \($0.path)").adding("Allow", allow) }
        )
    }
}
