import DiscreteNetworking
import DiscreteNetworkingTesting
import Foundation
import Testing

@MainActor
struct DeclarationsTests {
    let stubs = StubTransport()

    private func manager(_ service: @escaping @Sendable () -> any Service) -> ParcelManager {
        let services = ServiceFactory()
        services.register([.depot: service])
        let manager = ParcelManager()
        manager.proxy = ApiProxy(transport: stubs, services: services)
        return manager
    }

    @Test func eightMistakesAreNamedAtTheFirstCall() async {
        let manager = manager { MistakenService() }
        _ = try? await manager.load()
        let text = manager.error?.localizedDescription ?? ""
        for name in [
            "session", "transport", "cookies", "concurrencyLimit", "apiVersion", "timeout", "failover",
            "cacheVersion",
        ] {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
        #expect(stubs.requests.isEmpty)
    }

    @Test func whatIsDeclaredIsInForce() async throws {
        stubs.on(ParcelManager.self, answer: .json(["id": 1]))
        let service = DepotService()
        service.configuration.session?.adopt(SessionTokens(accessToken: "a1"))
        _ = try await manager { service }.load()
        let request = try #require(stubs.requests.first)
        #expect(request.headers["Authorization"] == "Bearer a1")
        #expect(request.headers["X-App"] == "worlds")
        #expect(request.timeout == 5)
        #expect(request.url.absoluteString == "https://depot.example.com/v3/parcels")
    }

    @Test func aSpentRefreshTokenAsksForTheLoginOnce() async throws {
        let login = DepotLogin()
        let service = DepotService(login: login)
        service.configuration.session?.adopt(SessionTokens(accessToken: "a1", refreshToken: "r1"))
        stubs.on(DepotTokenManager.self, answer: .status(401))
        stubs.on(ParcelManager.self, answers: [.status(401), .json(["id": 1])])
        let parcel = try await manager { service }.load()
        #expect(parcel["id"].int == 1)
        #expect(login.asked == 1)
        #expect(stubs.requests.last?.headers["Authorization"] == "Bearer fresh")
    }

    @Test func nestedLiteralsAndOwnNames() async throws {
        stubs.on(ParcelManager.self, answer: .json(["rows": [["name": "a"]]]))
        let params: Params = ["filter": ["min": 1, "name": "tea"] as Params, "note": .init(String.empty)]
        let answer = try await manager { DepotService() }.load(with: params)
        #expect(answer["rows"][0]["name"].string == "a")
        #expect(answer["rows"].array?.count == 1)
    }

    @Test func aCSRFTokenAndACallInAHook() async throws {
        let proxy = ApiProxy(stubbing: stubs, [.depot: FormService.self])
        stubs.on(.path("/csrf"), answer: .json(["result": "c1"]))
        stubs.on(NonceManager.self, answer: .json(["nonce": "n1"]))
        stubs.on(FormManager.self, answer: .json(["id": 1]))
        let manager = FormManager()
        manager.proxy = proxy
        _ = try await manager.load(with: ["name": "casa"])
        let request = try #require(stubs.requests.last)
        #expect(request.headers["X-CSRFToken"] == "c1")
        #expect(request.headers["X-Nonce"] == "n1")
    }

    @Test(arguments: [true, false]) func aCacheSaysWhyItIsOfNoUse(isDeclared: Bool) async throws {
        stubs.on(CachedParcelManager.self, answer: .json(["id": 1]))
        let proxy = ApiProxy(stubbing: stubs, [.depot: DepotService.self])
        proxy.plugins = [Traces(isDeclared: isDeclared)]
        let misses = Misses()
        let observer = proxy.addObserver(misses)
        let manager = CachedParcelManager()
        manager.proxy = proxy
        for _ in 1...2 { _ = try await manager.load() }
        proxy.removeObserver(observer)
        #expect(stubs.requests.count == (isDeclared ? 1 : 2))
        #expect(misses.texts.current.contains("header X-Trace differs") == !isDeclared)
    }
}
