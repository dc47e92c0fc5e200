import DiscreteNetworking
import LoopbackServer

/// The shop's envelope.
struct ShopAnswer {
    let code: JSONValue
    let message: String
    var content: JSONValue = .null
    var status = 200
    /// What holds the answer back.
    var gate: LoopbackGate?

    var response: LoopbackResponse {
        let envelope: JSONValue = ["code": code, "msg": .string(message), "content": content]
        let response = LoopbackResponse.json(envelope.canonicalText, status: status)
        return gate.map(response.delayed(until:)) ?? response
    }

    static func content(_ content: Params) -> ShopAnswer {
        ShopAnswer(code: 0, message: "ok", content: content.jsonValue)
    }

    func delayed(until gate: LoopbackGate) -> ShopAnswer {
        var copy = self
        copy.gate = gate
        return copy
    }

    static func badParams(_ what: String) -> ShopAnswer {
        ShopAnswer(code: ShopCode.badParams, message: "参数错误: \(what)")
    }

    static let wrongPassword = ShopAnswer(code: ShopCode.wrongPassword, message: "用户名或密码错误")
    static let unauthorized = ShopAnswer(code: ShopCode.unauthorized, message: "请先登录", status: 401)
    static let expiredToken = ShopAnswer(code: ShopCode.expiredToken, message: "登录已过期", status: 401)
    static let badSignature = ShopAnswer(code: ShopCode.badSignature, message: "签名错误")
    static let unknownProduct = ShopAnswer(code: ShopCode.unknownProduct, message: "商品不存在")
    static let unknownOrder = ShopAnswer(code: ShopCode.unknownOrder, message: "订单不存在")

    static let usedCard = ShopAnswer(code: ShopCode.usedCard, message: "礼品卡已使用", status: 409)

    static let busy = ShopAnswer(code: ShopCode.busy, message: "排队中", status: 503)
    static let broken = ShopAnswer(code: ShopCode.broken, message: "系统错误", status: 500)

    static func outOfStock(_ product: Product) -> ShopAnswer {
        ShopAnswer(code: ShopCode.outOfStock, message: "\(product.name) 库存不足")
    }
}
