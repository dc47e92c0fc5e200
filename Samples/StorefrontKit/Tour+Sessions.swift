import DiscreteNetworking

extension Tour {
    /// No manager knows of tokens, and none of the steps does anything about them: the shop's session does.
    func outliveTokens() async {
        screen.quantity = 1
        _ = diary.line()
        await transcript.step("Add one more, with a token that has expired meanwhile", expecting: .success) {
            try await screen.lapse(as: "expired")
            let cart = try await screen.addToCart.load()
            return [diary.line(), "\(cart.count) in the cart"]
        }
        await transcript.step("Add three at once, with an expired token", expecting: .success) {
            try await screen.lapse(as: "expired")
            async let first = screen.addToCart.load()
            async let second = screen.addToCart.load()
            async let third = screen.addToCart.load()
            let most = max(try await first.count, try await second.count, try await third.count)
            return [diary.line(), "\(most) in the cart"]
        }
        screen.loginSheet.password = "longjing"
        await transcript.step("Add one more, with a token that is illegal", expecting: .success) {
            try await screen.lapse(as: "illegal")
            let cart = try await screen.addToCart.load()
            return [diary.line(), "\(cart.count) in the cart"]
        }
        screen.loginSheet.password = nil
        await transcript.step("The same, and cancel the login", expecting: .loginCancelled) {
            try await screen.lapse(as: "illegal")
            try await screen.call(screen.addToCart)
            return []
        }
        _ = diary.line()
        screen.password = "longjing"
        await transcript.step("Log in again", expecting: .success) {
            try await screen.call(screen.login)
            return [diary.line()]
        }
    }
}
