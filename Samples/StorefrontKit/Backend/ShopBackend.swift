import DiscreteNetworking
import LoopbackServer

/// The server side of the sample: a small shop and a small map, on this machine.
///
/// It checks what it is sent, as a real one does, and is the whole API that `--base-url` expects.
final class ShopBackend: Sendable {
    struct State: Sendable {
        /// Who a token was given to.
        var tokens: [String: String] = [:]
        var expiredTokens: Set<String> = []
        var refreshTokens: [String: String] = [:]
        /// How many things are in the cart of an account.
        var carts: [String: Int] = [:]
        /// The account that placed an order.
        var orders: [String: String] = [:]
        /// The members of the club that are logged in.
        var members: Set<String> = []
        /// Who got a cookie of the forum.
        var visitors: [String: String] = [:]
        /// The gift cards that have been used.
        var redeemedCards: Set<String> = []
        /// How many bytes are in the storage, by path.
        var stored: [String: Int] = [:]
        /// How often a place was visited whose answer depends on that.
        var visits: [String: Int] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    let state = Locked(State())
    /// Never opened by the sample, so that what others bought is never told in time.
    let recommendations = LoopbackGate()
    /// Opens when there is news of the orders: never in the sample.
    let news = LoopbackGate()
    /// Holds back what follows the first 768 KB of the catalogue, unless the rest is asked for: never opened
    /// in the sample, so that there is time to leave half-way.
    let catalogueRest = LoopbackGate()
    /// What has changed behind the clients' backs, if anything.
    let drift: ShopDrift?

    init(drift: ShopDrift? = nil) { self.drift = drift }

    /// Another server, to which the shop sends those who upload something.
    let storage = Locked<LoopbackServer?>(nil)

    func start() throws -> LoopbackServer {
        storage.current = try LoopbackServer(routes: storageRoutes)
        return try LoopbackServer(
            routes: shopRoutes + fileRoutes + mapRoutes + clubRoutes + walletRoutes + forumRoutes
                + uploadRoutes + questionRoutes + storeRoutes)
    }
}
