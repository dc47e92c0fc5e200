import DiscreteNetworking

extension Tour {
    /// Many calls as one.
    private func compose() async {
        await transcript.step("Walk through all pages", expecting: .success) {
            var names: [String] = []
            for try await product in screen.productList.allItems() { names.append(product.name) }
            return [names.joined(separator: ", ")]
        }
        await transcript.step("Open the home page and a product at once", expecting: .success) {
            let (home, product) = try await APIGroup(screen.home, screen.productDetail.with(["id": 2])).load()
            return ["\(home.banners[0]), \(product.name)"]
        }
        await transcript.step("Order the first product, whatever it is", expecting: .success) {
            let order = try await APIChain(screen.productList)
                .then { page in screen.productDetail.with(["id": page.products[0].id]) }
                .then { product in
                    let item: Params = ["productID": product.id, "quantity": 1]
                    return screen.placeOrder.with(["items": [item], "address": "上海"])
                }
                .load()
            return [order.orderID]
        }
    }

    /// What a manager or its service says in a line: keep, ask again, leave alone.
    func relyOnPolicies() async {
        await transcript.step("Open the home page twice", expecting: .success) {
            var lines: [String] = []
            for isFresh in [true, false] {
                _ = try await screen.home.load(ignoringCache: isFresh)
                lines.append(screen.home.response?.isFromCache == true ? "from the cache" : "from the shop")
            }
            return lines
        }
        await transcript.step("Look how many are left, twice", expecting: .success) {
            let first = try await screen.stock.load()
            var lines = ["\(first.left) left"]
            // What was left, and then what is left.
            for try await stock in screen.stock.updates() { lines.append("\(stock.left) left") }
            return lines
        }
        await compose()
        await transcript.step("Open the flash sale, while the shop is busy", expecting: .success) {
            let sale = try await screen.flashSale.load()
            return ["\(sale.product.name), asked \(sale.visits) times"]
        }
        await transcript.step(
            "Write a review: its stars in the body, the rest in the query", expecting: .success
        ) {
            let review = try await screen.writeReview.load(
                with: ["id": 3, "stars": 5, "text": "好茶壶", "notify": true])
            return ["\(review.stars) stars, the seller \(review.isNotified ? "is" : "is not") told"]
        }
        for visit in 1...2 {
            await transcript.step("Read what others say, visit \(visit)", expecting: .http(500)) {
                try await screen.call(screen.reviews)
                return []
            }
        }
        await transcript.step("Read it once more: the shop is left alone", expecting: .degraded) {
            try await screen.call(screen.reviews)
            return []
        }
        await transcript.step("The same, with a plugin that has something instead", expecting: .success) {
            var lines: [String] = []
            try await screen.with(SpareReviews()) {
                let reviews = try await screen.reviews.load()
                lines = ["\(reviews.array?.count ?? 0) reviews"]
            }
            return lines
        }
    }
}

/// A plugin that answers with an empty list where reviews cannot be loaded.
private struct SpareReviews: APIPlugin {
    func recover(from failure: FailureContext) -> (any Sendable)? {
        failure.call.managerType == ReviewsManager.self ? JSONValue.array([]) : nil
    }
}
