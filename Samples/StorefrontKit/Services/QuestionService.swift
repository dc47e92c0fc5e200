import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let questions: Self = "questions"
}

/// What customers ask about a product, by GraphQL: the status is 200, and `errors` is there only after a failure.
final class QuestionService: Service {
    let baseURL: URL
    let configuration: ServiceConfiguration

    convenience init() { self.init(server: nil) }

    /// - Parameter server: The server that `--base-url` names. It may be on the developer's own network.
    init(server: URL?) {
        baseURL =
            server?.appendingPathComponent("questions") ?? URL(string: "https://ask.example.com/questions")!
        configuration = ServiceConfiguration(plainHTTPHosts: Set([server?.host].compactMap(\.self)))
    }

    /// Questions without their answers are better than none.
    func envelope(for call: APICall) -> Envelope? {
        Envelope(
            failure: "errors", code: "errors.0.extensions.code", message: "errors.0.message",
            payload: "data", deliversPartialPayload: true)
    }
}
