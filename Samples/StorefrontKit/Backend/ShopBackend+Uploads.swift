import DiscreteNetworking
import Foundation
import LoopbackServer

extension ShopBackend {
    /// Where an upload may go, on another server, for whoever has the URL.
    var uploadRoutes: [LoopbackRoute] {
        [
            shop("POST", "uploads") { [self] call in
                guard let name = call.params.string("name") else { return .badParams("name") }
                guard let storage = storage.current?.baseURL.absoluteString else { return .broken }
                return .content(["url": "\(storage)/\(name)?X-Signature=\(signature(of: name))"])
            },
            .post("/api/v3/products/{id}/reviews") { request in
                guard let notify = request.query.first(where: { $0.name == "notify" })?.value else {
                    return ShopAnswer.badParams("notify").response
                }
                let body = (try? JSONValue(parsing: request.body))?.object ?? [:]
                guard Set(body.keys) == ["stars", "text"], let stars = body["stars"]?.int else {
                    return ShopAnswer.badParams("stars").response
                }
                return ShopAnswer.content(["stars": stars, "isNotified": notify == "true"]).response
            },
        ]
    }

    /// A storage asks for the signature in the URL, and for nothing else.
    var storageRoutes: [LoopbackRoute] {
        [
            .put("/{name}") { [self] request in
                let name = request.pathParameters["name"] ?? ""
                guard request.query.map(\.name) == ["X-Signature"],
                    request.query[0].value == signature(of: name),
                    request.header("Authorization") == nil
                else { return .status(403) }
                state.withLock { $0.stored[name] = request.body.count }
                return .status(201)
            }
        ]
    }

    private func signature(of name: String) -> String {
        MessageDigest.hmac(.sha256, of: Data(name.utf8), key: SigningKey("storage").data).hexadecimal
    }
}
