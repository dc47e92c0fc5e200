import DiscreteNetworking
import Foundation

nonisolated struct OrderStatus: Decodable, Sendable {
    let status: String
}

/// Waits for news of an order: the server answers when there are any. Params: `orderID`. Needs a login.
final class OrderStatusManager: APIManager<OrderStatus> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "orders/{orderID}/status"
    let requestType = HTTPMethod.get

    /// The shop lets nobody watch an order twice.
    override var concurrencyLimit: Int? { 1 }
    override var priority: CallPriority? { ownPriority }
    private let ownPriority: CallPriority

    init(_ priority: CallPriority = .normal) { ownPriority = priority }

    /// Longer than the shop's usual patience, because waiting is what this is for.
    override var timeout: TimeInterval? { 60 }
}
