import DiscreteNetworking
import DiscreteNetworkingOutbox
import Foundation

extension Tour {
    /// What the user does in a tunnel.
    func sendLater() async {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("storefront-outbox-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        await transcript.step("Like three products and order one, in a tunnel", expecting: .success) {
            // Released at the end of the step, as when the app ends.
            let outbox = try outbox(
                in: folder, over: ApiProxy(transport: Tunnel(), services: screen.services))
            for id in [1, 2, 5] { try await outbox.send(LikeManager.self, with: ["id": id]) }
            let tea: Params = ["productID": 1, "quantity": 1]
            try await outbox.send(
                PlaceOrderManager.self,
                with: ["items": [tea], "address": screen.regeo.output?.formattedAddress])
            try await outbox.drain()
            return outbox.entries.map { "\($0.manager) \($0.params["id"]?.canonicalText ?? "") waits" }
        }
        await transcript.step("Start the app again, behind the tunnel", expecting: .success) {
            let outbox = try outbox(in: folder, over: screen.like.proxy)
            try await outbox.load()
            let count = outbox.entries.count
            try await outbox.drain()
            return ["\(count) were kept, \(outbox.entries.count) are left"]
        }
    }

    private func outbox(in folder: URL, over proxy: ApiProxy) throws -> Outbox {
        try Outbox(
            folder: folder, proxy: proxy,
            managers: [
                OutboxManager("like", LikeManager.self) { _ in LikeManager() },
                OutboxManager("order", PlaceOrderManager.self) { _ in PlaceOrderManager() },
            ])
    }
}

/// A network that is not there.
private struct Tunnel: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        throw TransportError(.notConnectedToInternet, message: "The train is in a tunnel.")
    }
}
