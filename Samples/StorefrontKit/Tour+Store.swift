import DiscreteNetworking

extension Tour {
    /// The cache as a store: read it, change it before the shop has answered, and ask until something is ready.
    func keepAtHand() async {
        let pot: Params = ["id": 3]
        await transcript.step("Look at the likes of a teapot without a call", expecting: .success) {
            let first = try await screen.likes.cache.output(with: pot)
            _ = try await screen.likes.load(with: pot)
            let second = try await screen.likes.cache.output(with: pot)
            return [first, second].map { $0.map { "\($0.count) likes" } ?? "not stored yet" }
        }
        await transcript.step("Like it: every screen shows it at once", expecting: .success) {
            // Nothing is shown, or changed, that was never loaded.
            _ = try await screen.likes.load(with: pot)
            var lines: [String] = []
            var like: Task<Void, any Error>?
            for try await likes in screen.likes.cache.outputs(with: pot) {
                lines.append("\(likes?.count ?? 0) likes")
                if lines.count == 2 { break }
                like = Task { try await screen.likeOptimistically(pot) }
            }
            try await like?.value
            return lines
        }
        await transcript.step(
            "Like it once too often: it is taken back", expecting: .business(ShopCode.badParams)
        ) {
            // The like has made the stored number stale.
            _ = try await screen.likes.load(with: pot)
            do {
                try await screen.likeOptimistically(pot)
            } catch {
                let likes = try await screen.likes.cache.output(with: pot, maxAge: .infinity)
                transcript.note("\(likes?.count ?? 0) likes again")
                throw error
            }
            return []
        }
        await transcript.step("Ask until the kiln is done", expecting: .success) {
            var lines: [String] = []
            for try await kiln in screen.kiln.poll(every: 0.01, within: 10, until: \.isDone) {
                lines.append("\(kiln.degrees) °C")
            }
            return lines
        }
    }
}
