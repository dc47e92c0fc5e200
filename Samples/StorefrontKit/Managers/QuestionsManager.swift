import DiscreteNetworking

nonisolated struct Questions: Decodable, Sendable {
    let questions: [String]
    /// `nil` if they could not be had; the response says why.
    let answers: [String]?
}

/// What customers ask about a product. Params: `id`.
final class QuestionsManager: APIManager<Questions> {
    let serviceIdentifier = ServiceIdentifier.questions
    let methodName = "graphql"
    let requestType = HTTPMethod.post

    override func reform(_ params: Params) -> Params {
        [
            "query": "query ($id: Int!) { questions(product: $id) answers(product: $id) }",
            "variables": params.jsonValue,
        ]
    }
}
