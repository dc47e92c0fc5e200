import DiscreteNetworking

extension ShopScreen {
    /// Shows one like more before the shop has answered.
    func likeOptimistically(_ product: Params) async throws(APIError) {
        try await like.load(with: product) { cache in
            cache.update(LikesManager(), with: product) { $0.count += 1 }
        }
    }
}
