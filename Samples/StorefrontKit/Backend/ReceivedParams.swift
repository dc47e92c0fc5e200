import DiscreteNetworking
import Foundation
import LoopbackServer

/// The params of a request, wherever they are: query, form or JSON body.
struct ReceivedParams {
    private let values: [String: JSONValue]

    init(_ request: LoopbackRequest) {
        let pairs = (request.query + request.form).map { ($0.name, JSONValue.string($0.value)) }
        let body = (try? JSONValue(parsing: request.body))?.object ?? [:]
        values = body.merging(pairs) { $1 }
    }

    subscript(name: String) -> JSONValue? { values[name] }

    func string(_ name: String) -> String? { values[name]?.string }

    /// Queries and forms know text only.
    func int(_ name: String) -> Int? { values[name]?.int ?? string(name).flatMap { Int($0) } }
}
