import DiscreteNetworking
import Foundation

/// A screen: owns its managers, tells them their params, and is told how their calls end.
///
/// In an app this is a view controller or a view model.
@MainActor
final class ShopScreen {
    let login = LoginManager()
    let home = HomeManager()
    let productList = ProductListManager()
    let productDetail = ProductDetailManager()
    let recommendations = RecommendationsManager()
    let addToCart = AddToCartManager()
    let placeOrder = PlaceOrderManager()
    let orderStatus = OrderStatusManager()
    let regeo = RegeoManager()
    let coupons = CouponManager()
    let catalogue = CatalogueManager()
    let picture = PictureManager()
    let news = NewsManager()
    let flashSale = FlashSaleManager()
    let stock = StockManager()
    let trace = TraceManager()
    let reviews = ReviewsManager()
    private let lapse = LapseManager()
    let loginSheet: LoginSheet
    let clubLogin = ClubLoginManager()
    let clubPoints = ClubPointsManager()
    let wishList = WishListManager()
    let redeemCard = RedeemCardManager()
    let writeReview = WriteReviewManager()
    let uploadTicket = UploadTicketManager()
    let upload = UploadManager()
    let forumLogin = ForumLoginManager()
    let forumMember = ForumMemberManager()
    let questions = QuestionsManager()
    let likes = LikesManager()
    let like = LikeManager()
    let kiln = KilnManager()
    /// What the screen's waiting view shows: whether anything is loading, what failed last, and "Try again".
    let activity: APIActivity

    // What the user has typed and tapped.
    var password = ""
    var productID = 1
    var quantity = 1

    let services: ServiceFactory
    let session: TokenSession?
    private let endings = Endings()

    private let restarted: () -> ApiProxy

    /// - Parameter restarted: the app's proxy as another run of the app would make it.
    init(proxy: ApiProxy, restarted: @escaping () -> ApiProxy) {
        services = proxy.services
        self.restarted = restarted
        session = proxy.services.configuration(for: .shop)?.session
        loginSheet = LoginSheet(proxy: proxy)
        session?.login = loginSheet
        let managers: [BaseAPIManager] = [
            login, home, productList, productDetail, recommendations, addToCart, placeOrder, orderStatus,
            regeo, coupons, catalogue, picture, news, flashSale, stock, reviews, lapse, clubLogin, clubPoints,
            wishList, redeemCard, writeReview, uploadTicket, upload, forumLogin, forumMember,
            trace, questions, likes, like, kiln,
        ]
        activity = APIActivity(managers)
        // Before its backend is there. Everything else goes to the network.
        wishList.sampleMode = .immediate
        for manager in managers {
            // An app that is content with `ApiProxy.shared` leaves this line out.
            manager.proxy = proxy
            manager.paramSource = self
            manager.delegate = self
        }
    }

    /// Calls the delegate way, and waits until the delegate was told.
    func call(_ manager: BaseAPIManager) async throws(APIError) {
        try await ending(of: manager.loadData(), by: manager)
    }

    /// Has the shop end the tokens it gave out.
    func lapse(as kind: String) async throws(APIError) { try await lapse.load(with: ["as": kind]) }

    /// Calls while the club's calls are signed with another key.
    func withClubKey(_ key: SigningKey, _ body: () async throws -> Void) async throws {
        let club = services.service(for: .club) as? ClubService
        let own = club?.key.current
        club?.key.current = key
        defer { if let own { club?.key.current = own } }
        try await body()
    }

    /// Calls while nothing listens at the map's first host.
    func withoutFirstMap(_ body: () async throws -> Void) async throws {
        let hosts = (services.service(for: .map) as? MapService)?.hosts ?? []
        services.register([.map: { MapService(hosts: MapService.withoutFirst(hosts)) }])
        defer { services.register([.map: { MapService(hosts: hosts) }]) }
        try await body()
    }

    /// Calls while the proxy has a plugin.
    func with(_ plugin: any APIPlugin, _ body: () async throws -> Void) async throws {
        home.proxy.plugins.append(plugin)
        defer { home.proxy.plugins.removeLast() }
        try await body()
    }

    /// What a member has who does not log in again: services and proxy are new, the credentials are where they were.
    func pointsAfterRestart() async throws -> Points {
        try await services.configuration(for: .club)?.session?.save()
        let manager = ClubPointsManager()
        manager.proxy = restarted()
        return try await manager.load()
    }

    /// Waits until the delegate was told of one call.
    func ending(of requestID: RequestID, by manager: BaseAPIManager) async throws(APIError) {
        await endings.wait(for: requestID)
        if let error = manager.error, error.requestID == requestID { throw error }
    }
}

extension ShopScreen: APIManagerParamSource {
    /// One source for all managers; those that are not named here have no params.
    func params(for manager: BaseAPIManager) -> Params {
        switch manager {
        case is LoginManager, is ClubLoginManager, is ForumLoginManager:
            ["username": "小明", "password": password]
        case is ProductDetailManager, is RecommendationsManager, is StockManager, is ReviewsManager:
            ["id": productID]
        case is AddToCartManager:
            ["productID": productID, "quantity": quantity]
        case is PlaceOrderManager:
            [
                "items": [["productID": productID, "quantity": quantity] as Params],
                "address": regeo.output?.formattedAddress,
            ]
        case is OrderStatusManager:
            ["orderID": placeOrder.output?.orderID]
        case is RegeoManager:
            ["location": [121.4737, 31.2304]]
        default:
            [:]
        }
    }
}

extension ShopScreen: APIManagerDelegate {
    func managerDidSucceed(_ manager: BaseAPIManager) {
        // From now on the token goes out with every call of the shop.
        if manager === login, let answer = login.output { session?.adopt(answer.tokens) }
        if manager === clubLogin, let member = clubLogin.output {
            // In the query of every call of the club, from now on.
            services.configuration(for: .club)?.session?.adopt(SessionTokens(member))
        }
        endings.tell(manager.response?.requestID)
    }

    func managerDidFail(_ manager: BaseAPIManager) {
        endings.tell(manager.error?.requestID)
    }
}

extension ShopScreen {
    /// Shows one like more before the shop has answered.
    func likeOptimistically(_ product: Params) async throws(APIError) {
        try await like.load(with: product) { cache in
            cache.update(LikesManager(), with: product) { $0.count += 1 }
        }
    }
}
