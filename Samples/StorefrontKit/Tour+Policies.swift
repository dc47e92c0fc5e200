import DiscreteNetworking

extension Tour {
    /// What a manager or its service says in a line: keep, ask again, leave alone.
    func relyOnPolicies() async {
        await transcript.step("Open the home page twice", expecting: .success) {
            var lines: [String] = []
            for _ in 1...2 {
                try await screen.call(screen.home)
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
        await transcript.step("Open the flash sale, while the shop is busy", expecting: .success) {
            let sale = try await screen.flashSale.load()
            return ["\(sale.product.name), asked \(sale.visits) times"]
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
    }
}
