import DiscreteNetworking
import LoopbackServer

/// The server side of the sample: a small shop and a small map, on this machine.
///
/// It checks what it is sent, as a real one does, and is the whole API that `--base-url` expects.
final class ShopBackend: Sendable {
    struct State: Sendable {
        /// How many things are in the cart of a token.
        var carts: [String: Int] = [:]
        /// The token that placed an order.
        var orders: [String: String] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    let state = Locked(State())
    /// Never opened: what waits for it is never answered.
    let never = LoopbackGate()

    func start() throws -> LoopbackServer {
        try LoopbackServer(routes: shopRoutes + mapRoutes)
    }
}
