import Foundation

extension APIError {
    /// The body of the response, where there is one and it is such a value: what the backend says about the failure.
    ///
    /// ```swift
    /// if let problem = error.body(as: Problem.self) { show(problem.detail) }
    /// ```
    public func body<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = Params.makeDecoder()
    ) -> Value? {
        response.flatMap { try? decoder.decode(type, from: $0.body) }
    }
}
