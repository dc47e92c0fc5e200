public import DiscreteNetworkingCore

/// What a check calls an endpoint with.
///
/// ```swift
/// let contractArguments: [(String, ContractArguments)] = [
///     ("SearchManager", .params(["q": "tea"], ["q": "茶", "limit": 1])),
///     ("OrderManager", .first(["id": "orders.0.id"], of: "OrderListManager")),
///     ("RefundManager", .skipped("It would pay money back.")),
/// ]
/// ```
public struct ContractArguments: Sendable {
    enum Kind: Sendable {
        case calls([Params?])
        case chain(places: [String: String], list: String, params: Params)
        case none(String)
        case optional
    }

    let kind: Kind

    /// One call for each of these params. Their responses share a contract.
    public static func params(_ params: Params...) -> ContractArguments {
        ContractArguments(kind: .calls(params.isEmpty ? [nil] : params))
    }

    /// One call with a value from another endpoint's response in the same run, such as the ID of a list's first element.
    /// - Parameters:
    ///   - places: For each param, its path in that response: `items.0.id`, or `0.id` if the response is an array.
    ///   - list: The name of the other endpoint's contract. The params of its call are added.
    ///   - params: Further params.
    public static func first(
        _ places: [String: String], of list: String, _ params: Params = [:]
    ) -> ContractArguments {
        ContractArguments(kind: .chain(places: places, list: list, params: params))
    }

    /// No call; the report says why.
    public static func skipped(_ reason: String) -> ContractArguments {
        ContractArguments(kind: .none(reason))
    }

    /// No call: the endpoint needs arguments that nobody has given. The report says what to add.
    public static func needed(_ names: String...) -> ContractArguments {
        ContractArguments(kind: .none("It needs \(names.joined(separator: ", "))."))
    }

    /// No call, and no report: the endpoint is checked only if it has arguments.
    public static let optional = ContractArguments(kind: .optional)
}

/// The responses of the endpoints of a run, for subjects that need them.
struct ContractAnswers {
    /// The params of the last call, and its response.
    struct Answer {
        let params: Params
        let body: JSONValue
    }

    var answers: [String: Answer] = [:]

    /// Returns the params of a chained call.
    /// - Throws: Why there are none.
    func params(
        _ places: [String: String], of list: String, _ params: Params
    ) throws(ContractError) -> Params {
        guard let answer = answers[list] else {
            throw ContractError(
                "\(list) was not called, or has no response that the arguments could be taken from.")
        }
        var chained = answer.params.merging(params)
        for (name, path) in places.sorted(by: { $0.key < $1.key }) {
            guard let value = answer.body[path: JSONPath(path)], !value.isNull else {
                throw ContractError("The response of \(list) has no \(path), which it needs as \(name).")
            }
            chained[name] = value
        }
        return chained
    }
}
