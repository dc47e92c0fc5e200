import DiscreteNetworking
import DiscreteNetworkingTesting
import Foundation
import Testing

// In Swift Testing, because XCTestCase does not go with a default isolation. README's cases are in XCTest.

@MainActor
struct AppTests {
    let stubs = StubTransport()
    let screen = ItemScreen()
    let proxy: ApiProxy

    init() {
        proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self, .members: MembersService.self])
        screen.item.proxy = proxy
        screen.list.proxy = proxy
    }

    @Test func theRequest() async {
        await assertRequest(
            of: screen.item, with: ["id": 7], .get, "https://shop.example.com/v3/items/7",
            query: ["cid": "000001"], headers: ["Accept-Language": "en"])
    }

    @Test func theScreen() async throws {
        let item: JSONValue = ["id": 7, "name": "Teapot", "addedAt": "2024-02-29T12:30:00.250Z"]
        stubs.on(ItemManager.self, answer: .json(["code": 0, "content": item]))
        stubs.on(
            ItemListManager.self, answer: .json(["code": 0, "content": ["items": [item], "total": 1]]))
        let items = try await screen.reload()
        #expect(items.map(\.id) == [7, 7])
        #expect(items[0].addedAt == Date(timeIntervalSince1970: 1_709_209_800.25))
        #expect(screen.shown.sorted() == ["1 items", "Teapot"])
    }

    @Test func nonsenseIsNotSent() async {
        await assertSendsNothing(screen.item, with: ["id": 0])
    }

    @Test func theLogin() async throws {
        let login = LoginScreen()
        login.manager.proxy = proxy
        let service = try #require(proxy.services.service(for: .members) as? MembersService)
        service.configuration.session?.login = login
        stubs.on(
            TokenManager.self,
            answer: .json(["access_token": "a1", "refresh_token": "r1", "token_type": "Bearer"]))
        stubs.on(PointsManager.self, answer: .json(["points": 128]))
        let manager = PointsManager()
        manager.proxy = proxy
        await assertSucceeds(manager) { #expect($0.points == 128) }
    }

    @Test func aGiftWrappedAndASpareOne() async {
        proxy.plugins = [Greeting(), SpareGifts()]
        let manager = GiftManager()
        manager.proxy = proxy
        await assertRequest(
            of: manager, with: ["code": "a"], .post, "https://shop.example.com/v3/gifts",
            headers: ["X-Greeting": "hello", "Content-Type": "text/plain"],
            body: ["code": "a", "cid": "000001"])
        let answer = Data(#"{"code":0,"content":{"id":7}}"#.utf8).base64EncodedString()
        stubs.on(GiftManager.self, answers: [.text(answer), .text("?")])
        await assertSucceeds(manager, with: ["code": "a"]) { #expect($0.id == 7) }
        await assertSucceeds(manager, with: ["code": "a"]) { #expect($0.id == 0) }
        #expect(manager.response?.recoveredFailure != nil)
    }

    @Test func anUpload() async {
        stubs.on(PhotoManager.self, answer: .json(["code": 0, "content": ["id": 1]]))
        let manager = PhotoManager(photo: Data("jpeg".utf8))
        manager.proxy = proxy
        await assertSucceeds(manager) { #expect($0["id"]?.int == 1) }
    }

    @Test func aManagerThatSaysItItself() async throws {
        stubs.on(StockManager.self, answer: .json(["id": 7, "name": "Teapot"], status: 404))
        let manager = StockManager()
        manager.proxy = proxy
        let item = try await manager.load(with: ["page": 2, "ids": .array(of: [])])
        #expect(item.name == "Teapot")
        #expect(manager.response?.params["page"] == 2)
        #expect(manager.numbers.last == manager.response?.requestID)
        manager.sampleMode = .immediate
        let sample = try await manager.load(with: Params(untyped: ["page": 3, "ids": [Int]()]))
        #expect(sample.id == 3)
        manager.cancelRequests(manager.numbers)
    }

    @Test func aScreenWithSeveral() async throws {
        let activity = APIActivity(screen.item, screen.list)
        stubs.on(ItemManager.self, answer: .status(503))
        _ = try? await screen.item.load(with: ["id": 7])
        #expect(activity.failure?.userMessage(in: ["en"]) == "The service is busy. Please try again later.")
        #expect(!activity.isLoading)
        #expect(activity.retry() != nil)
        activity.cancelAllRequests()
        let page: JSONValue = ["items": [["id": 7, "name": "Teapot"]], "total": 1]
        stubs.on(ItemListManager.self, answer: .json(["code": 0, "content": page]))
        _ = try await screen.list.reloadCurrentPage()
        #expect(screen.list.isFirstPage && screen.list.isLastPage)
    }

    @Test func aListThatIsWaitedFor() async throws {
        let page: JSONValue = ["items": [["id": 7, "name": "Teapot"]], "total": 1]
        stubs.on(ItemListManager.self, answer: .json(["code": 0, "content": page]))
        try await screen.list.firstPage(with: ["filter": ["min": 1, "name": "tea"] as Params])
        let next = try await screen.list.nextPage()
        #expect(next == nil)
        try await screen.list.reload()
        let json = try screen.list.response?.json()
        #expect(json["content"]["items"].array?.count == 1)
        #expect(json["content"]["items"][0]["name"].string == "Teapot")
    }

    @Test func anErrorOfAnyKind() async throws {
        stubs.on(ItemManager.self, answer: .status(404))
        do {
            _ = try await screen.item.load(with: ["id": 7])
            try FileManager.default.removeItem(atPath: "/nowhere")
        } catch {
            #expect(!error.userMessage.isEmpty)
        }
        let error = try #require(screen.item.error)
        #expect(error.localizedDescription.contains("https://shop.example.com/v3/items/7"))
        let isMissing =
            switch error.kind {
            case .http(let status): status == 404
            default: false
            }
        #expect(isMissing)
    }

    @Test func theServicesAreInForce() async {
        await assertOverrides(of: ShopService.self, .extraParams, .extraHeaders, .envelope, .intercept)
        await assertOverrides(of: ReplicatedService.self, .configuration, .priority)
        await assertOverrides(
            of: StagedService.self, .configuration, .userMessage,
            madeBy: { StagedService(cookies: CookieJar()) })
    }

    @Test func nothingOfTheAppIsTouched() async throws {
        let own = StubTransport()
        let services = ServiceFactory()
        services.register([.members: MembersService.self])
        own.on(PointsManager.self, answer: .json(["points": 1]))
        for proxy in [
            ApiProxy(stubbing: own, services: services),
            ApiProxy(stubbing: own, [.members: { MembersService() }]),
        ] {
            proxy.services.configuration(for: .members)?.session?.adopt(SessionTokens(accessToken: "t"))
            let manager = PointsManager()
            manager.proxy = proxy
            await assertSucceeds(manager)
        }
        #expect(own.requests.map { $0.headers["Authorization"] } == ["Bearer t", "Bearer t"])
        services.keepInMemory()
    }

    @Test func aServiceMadeByAClosure() async throws {
        let services = ServiceFactory()
        services.register([.shop: { StagedService(cookies: CookieJar()) }])
        let service = try #require(services.service(for: .shop) as? StagedService)
        service.environment.current = .mock
        #expect(service.endpoint.baseURL.host == "mock.example.com")
    }

    @Test func aServiceWithSeveralHosts() async throws {
        let own = StubTransport()
        own.on(PrefetchManager.self, answers: [.failure(.cannotConnect), .json(["id": 1])])
        let manager = PrefetchManager()
        manager.proxy = ApiProxy(stubbing: own, [.shop: ReplicatedService.self])
        await assertSucceeds(manager) { #expect($0["id"]?.int == 1) }
        #expect(own.requests.map(\.url.host) == ["a.example.com", "b.example.com"])
    }

    @Test func aWholeURL() async throws {
        stubs.on(ItemManager.self, answer: .json(["id": 9, "name": "Cup"]))
        let url = try #require(URL(string: "https://cdn.example.com/items/9.json"))
        let item = try await screen.item.load(at: url, with: ["id": 9])
        #expect(item.id == 9)
    }
}
