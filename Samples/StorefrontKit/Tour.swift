import DiscreteNetworking

/// A walk through the shop that meets every way a call can end.
@MainActor
struct Tour {
    let screen: ShopScreen
    let transcript: Transcript
    let console: Console
    let diary: SessionDiary

    init(screen: ShopScreen, transcript: Transcript, console: Console) {
        self.screen = screen
        self.transcript = transcript
        self.console = console
        diary = SessionDiary(screen.session)
    }

    func run() async {
        let parts = [
            logIn, visitClub, browse, fillCart, order, transfer, outliveTokens, relyOnPolicies, meetTrouble,
            watch, ask, keepAtHand, sendLater,
        ]
        for part in parts where !transcript.isOver { await part() }
        diary.close()
        transcript.summarize()
    }

    private func logIn() async {
        await transcript.step(
            "Add to the cart before login, and cancel the login", expecting: .loginCancelled
        ) {
            try await screen.call(screen.addToCart)
            return []
        }
        screen.password = "pu-erh"
        await transcript.step("Log in with a wrong password", expecting: .business(ShopCode.wrongPassword)) {
            try await screen.call(screen.login)
            return []
        }
        screen.password = "longjing"
        await transcript.step("Log in", expecting: .success) {
            let session = try await screen.login.load()
            return ["欢迎, \(session.nickname)"]
        }
    }

    /// Where every call is signed.
    private func visitClub() async {
        await transcript.step("Log in at the members' club", expecting: .success) {
            try await screen.call(screen.clubLogin)
            return ["会员 \(screen.clubLogin.output?.nickname ?? "")"]
        }
        await transcript.step("Ask how many points there are", expecting: .success) {
            let points = try await screen.clubPoints.load()
            return ["\(points.points) 积分"]
        }
        await transcript.step("Start the app again: the club still knows who it is", expecting: .success) {
            let points = try await screen.pointsAfterRestart()
            return ["\(points.points) 积分"]
        }
        await transcript.step(
            "Ask with a signature of another key", expecting: .business(ShopCode.badSignature)
        ) {
            try await screen.withClubKey(SigningKey("ditch-water")) {
                try await screen.call(screen.clubPoints)
            }
            return []
        }
    }

    private func browse() async {
        await transcript.step("Open the home page", expecting: .success) {
            let home = try await screen.home.load()
            return home.banners + [home.categories.joined(separator: " | ")]
        }
        for page in 1...2 {
            await transcript.step("List products, page \(page)", expecting: .success) {
                _ = try await screen.productList.nextPage()
                return screen.productList.fetchData(with: PriceReformer())
            }
        }
        screen.productID = 3
        await transcript.step("Open a product", expecting: .success) {
            try await screen.call(screen.productDetail)
            return screen.productDetail.fetchData(with: PriceReformer())
        }
        await transcript.step("Open a product that is gone", expecting: .business(ShopCode.unknownProduct)) {
            // Params given to a call go before those of the param source.
            let product = try await screen.productDetail.load(with: ["id": 404])
            return [product.name]
        }
    }

    private func fillCart() async {
        screen.quantity = 0
        await transcript.step("Add nothing to the cart", expecting: .invalidParams) {
            try await screen.call(screen.addToCart)
            return []
        }
        screen.quantity = 2
        await transcript.step("Add two teapots to the cart", expecting: .success) {
            let cart = try await screen.addToCart.load()
            return ["\(cart.count) in the cart"]
        }
    }

    private func order() async {
        await transcript.step("Ask the map for the address", expecting: .success) {
            let address = try await screen.regeo.load()
            return [address.formattedAddress]
        }
        await transcript.step("Ask again while the map's first host is down", expecting: .success) {
            try await screen.withoutFirstMap { try await screen.call(screen.regeo) }
            return screen.regeo.response?.url.port == 9 ? [] : ["The second host answers"]
        }
        screen.quantity = 5
        await transcript.step("Order more than there is", expecting: .business(ShopCode.outOfStock)) {
            try await screen.call(screen.placeOrder)
            return []
        }
        screen.quantity = 2
        await transcript.step("Show the user what went wrong", expecting: .success) {
            let failure = screen.activity.failure
            return [failure?.userMessage(in: ["zh-Hans"]) ?? ""]
        }
        await transcript.step("Order two", expecting: .success) {
            let order = try await screen.placeOrder.load()
            return ["\(order.orderID), \(PriceReformer.yuan(order.total))"]
        }
    }

    private func meetTrouble() async {
        let watching = screen.orderStatus.loadData()
        await transcript.step("See what others bought, while the order is watched", expecting: .timedOut) {
            try await screen.call(screen.recommendations)
            return []
        }
        await transcript.step("Stop watching the order, which others wait for", expecting: .cancelled) {
            transcript.note("The \(await screen.stopWatching(watching)) look at it goes first")
            try await screen.ending(of: watching, by: screen.orderStatus)
            return []
        }
        await transcript.step("Ask a service nobody registered", expecting: .serviceNotRegistered) {
            let coupons = try await screen.coupons.load()
            return [coupons.canonicalText]
        }
        await transcript.step("Tell it to users of two languages", expecting: .success) {
            [["en"], ["zh-Hans"]].map { screen.activity.failure?.userMessage(in: $0) ?? "" }
        }
        await transcript.step("Open the wish list, which has no backend yet", expecting: .success) {
            try await screen.wishList.load().products.map { "\($0.name), from the sample" }
        }
        await transcript.step(
            "See what others bought, if all of it takes no longer than that", expecting: .deadlineExceeded
        ) {
            try await APICall.withDeadline(0.2) { try await screen.call(screen.recommendations) }
            return []
        }
    }
}
