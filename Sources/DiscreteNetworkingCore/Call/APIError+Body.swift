public import Foundation

extension APIError {
    /// Returns the decoded body of the failed response, or `nil` if there is none or it cannot be decoded.
    ///
    /// ```swift
    /// if let problem = error.body(as: Problem.self) { show(problem.detail) }
    /// ```
    public func body<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = Params.makeDecoder()
    ) -> Value? {
        response.flatMap { try? decoder.decode(type, fromUntrusted: $0.jsonBody) }
    }
}
