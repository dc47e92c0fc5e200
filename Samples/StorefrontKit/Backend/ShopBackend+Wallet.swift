import DiscreteNetworking
import Foundation
import LoopbackServer

extension ShopBackend {
    private static let walletKey = SigningKey("a-wallet-key-of-thirty-two-bytes")

    var walletRoutes: [LoopbackRoute] {
        [
            .post("/wallet/cards/redeem") { [self] request in
                let signature = MessageDigest.hmac(.sha256, of: request.body, key: Self.walletKey.data)
                    .hexadecimal
                guard request.header("X-Sign") == signature else { return ShopAnswer.badSignature.response }
                return wrapped(redeem(request.body))
            }
        ]
    }

    private func redeem(_ body: Data) -> ShopAnswer {
        guard let plain = try? WrappedBodies.unwrap(body),
            let code = (try? JSONValue(parsing: plain))?["code"]?.string
        else { return .badParams("code") }
        let isNew = state.withLock { $0.redeemedCards.insert(code).inserted }
        return isNew ? .content(["value": 10_000]) : .usedCard
    }

    /// Errors are wrapped, too.
    private func wrapped(_ answer: ShopAnswer) -> LoopbackResponse {
        let envelope: JSONValue = [
            "code": answer.code, "msg": .string(answer.message), "content": answer.content,
        ]
        return .data(WrappedBodies.wrap(envelope.canonicalData), status: answer.status)
    }
}
