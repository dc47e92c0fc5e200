import DiscreteNetworking
import Foundation

// Bodies that are changed on their way, plugins, and a choice of networks, as an app writes them.

nonisolated struct WrappedBodies: BodyTransform {
    struct NotWrapped: Error {}

    func encode(_ request: inout APIRequest, for call: APICall) throws {
        request.body = try request.body.map { $0.base64EncodedData() }
        request.headers["Content-Type"] = "text/plain"
    }

    func decode(_ response: inout APIResponse, for call: APICall) throws {
        guard let body = Data(base64Encoded: response.body) else { throw NotWrapped() }
        response.body = body
    }
}

nonisolated struct Greeting: APIPlugin {
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        request.headers["X-Greeting"] = "hello"
    }
}

nonisolated struct SpareGifts: APIPlugin {
    func recover(from failure: FailureContext) async -> (any Sendable)? {
        guard failure.call.managerType == GiftManager.self else { return nil }
        return Gift(id: 0)
    }
}

nonisolated struct Gift: Decodable, Sendable { let id: Int }

final class GiftManager: APIManager<Gift> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "gifts"
    let requestType = HTTPMethod.post
    override var bodyTransform: (any BodyTransform)? { WrappedBodies() }
    override var networkPolicy: NetworkPolicy {
        NetworkPolicy(wait: 30, interfaces: [.wifi, .wired], allowsExpensiveNetworkAccess: false)
    }
}
