import DiscreteNetworking
import LoopbackServer

extension ShopBackend {
    var sessionRoutes: [LoopbackRoute] {
        [
            shop("POST", "users/login") { [self] call in
                guard let username = call.params.string("username") else { return .badParams("username") }
                guard call.params.string("password") == "longjing" else { return .wrongPassword }
                return session(of: username)
            },
            shop("POST", "users/refresh") { [self] call in
                guard let token = call.params.string("refreshToken") else {
                    return .badParams("refreshToken")
                }
                // A refresh token is good for one refresh.
                guard let account = state.withLock({ $0.refreshTokens.removeValue(forKey: token) }) else {
                    return .unauthorized
                }
                return session(of: account)
            },
            // What time or an administrator does to a real shop.
            shop("POST", "tokens/lapse") { [self] call in
                guard let kind = call.params.string("as"), kind == "expired" || kind == "illegal" else {
                    return .badParams("as")
                }
                state.withLock { state in
                    if kind == "expired" {
                        state.expiredTokens.formUnion(state.tokens.keys)
                    } else {
                        state.expiredTokens = []
                        state.refreshTokens = [:]
                    }
                    state.tokens = [:]
                }
                return .content([:])
            },
        ]
    }

    private func session(of account: String) -> ShopAnswer {
        let number = state.withLock { state in
            let number = state.nextNumber()
            state.tokens["token-\(number)"] = account
            state.refreshTokens["refresh-\(number)"] = account
            return number
        }
        return .content(
            [
                "token": "token-\(number)", "refreshToken": "refresh-\(number)", "expiresIn": 7200,
                "nickname": account,
            ])
    }

    /// A route for those who are logged in.
    func members(
        _ method: String, _ path: String,
        answer: @escaping @Sendable (_ call: ShopCall, _ account: String) -> ShopAnswer
    ) -> LoopbackRoute {
        shop(method, path) { [state] call in
            let prefix = "Bearer "
            guard let header = call.authorization, header.hasPrefix(prefix) else { return .unauthorized }
            let token = String(header.dropFirst(prefix.count))
            let (account, isExpired) = state.withLock { ($0.tokens[token], $0.expiredTokens.contains(token)) }
            guard let account else { return isExpired ? .expiredToken : .unauthorized }
            return answer(call, account)
        }
    }
}
