import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// The three ways of calling, over one pipeline.
@MainActor
final class CallingTests: XCTestCase {
    func testAwaitingBringsTheOutput() async throws {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        let product = try await manager.load(with: ["id": 7])
        XCTAssertEqual(product, Product(id: 7, name: "青花瓷茶壶"))
        XCTAssertEqual(manager.output, product)
        XCTAssertEqual(manager.response?.status, 200)
        XCTAssertNil(manager.error)
        XCTAssertFalse(manager.isLoading)
    }

    func testTheClosureIsToldOnceAfterTheCallReturned() async {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        var hasReturned = false
        let result = await withCheckedContinuation { continuation in
            manager.loadData(with: ["id": 7]) { result in
                XCTAssertTrue(hasReturned)
                MainActor.assertIsolated()
                continuation.resume(returning: result)
            }
            XCTAssertTrue(manager.isLoading)
            hasReturned = true
        }
        XCTAssertEqual(try result.get().id, 7)
    }

    func testTheDelegateIsToldAndTheParamSourceAsked() async {
        let transport = ClosureTransport(json: teapot)
        let manager = Stack(transport).manager(ProductManager())
        let screen = Screen()
        manager.delegate = screen
        manager.paramSource = screen
        manager.loadData()
        XCTAssertEqual(screen.events, [])
        await until { !screen.events.isEmpty }
        XCTAssertEqual(screen.events, ["success"])
        XCTAssertEqual(manager.output?.id, 7)
        XCTAssertEqual(
            transport.requests.map(\.url.absoluteString), ["https://api.example.com/products/detail?id=7"])
    }

    func testManagersAndGroupsAreToldApartByIdentity() {
        let (search, other, list) = (ProductManager(), ProductManager(), TestManager<[Product]>())
        func name(_ manager: BaseAPIManager) -> String {
            switch manager {
            case search: "search"
            case list: "list"
            default: "other"
            }
        }
        XCTAssertEqual([search, list, other].map(name), ["search", "list", "other"])
        XCTAssertEqual(Set<BaseAPIManager>([search, search, other, list]).count, 3)
        let (group, another) = (APIGroup(search), APIGroup(search))
        XCTAssertEqual(Set<BaseAPIGroup>([group, group, another]).count, 2)
        XCTAssertNotEqual(group as BaseAPIGroup, another)
    }

    func testTheDelegateIsToldOfAwaitedAndClosureCallsToo() async throws {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        let screen = Screen()
        manager.delegate = screen
        _ = try await manager.load()
        XCTAssertEqual(screen.events, ["success"])
    }

    func testAFailureIsToldInEveryWay() async {
        let manager = Stack(ClosureTransport(json: "no", status: 500)).manager(ProductManager())
        let screen = Screen()
        manager.delegate = screen
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .http(status: 500))
        XCTAssertEqual(manager.error?.kind, .http(status: 500))
        XCTAssertEqual(manager.response?.status, 500)
        XCTAssertEqual(screen.events, ["failure"])
        let result = await withCheckedContinuation { continuation in
            manager.loadData { continuation.resume(returning: $0) }
        }
        XCTAssertEqual(result.kind, .http(status: 500))
    }

    func testAFailureKeepsTheOutputAndASuccessClearsTheError() async throws {
        let count = Locked(0)
        let transport = ClosureTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return TransportResponse(request, json: teapot, status: number == 2 ? 500 : 200)
        }
        let manager = Stack(transport).manager(ProductManager())
        _ = try await manager.load()
        _ = await failure(manager)
        XCTAssertEqual(manager.output?.id, 7)
        XCTAssertNotNil(manager.error)
        _ = try await manager.load()
        XCTAssertNil(manager.error)
        manager.cleanData()
        XCTAssertNil(manager.output)
        XCTAssertNil(manager.response)
    }

    func testAManagerCanBeCalledWhileItLoads() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            let id = request.url.query?.dropFirst(3) ?? ""
            return TransportResponse(request, json: #"{"id":\#(id),"name":""}"#)
        }
        let manager = Stack(transport).manager(ProductManager())
        let loads = (1...20).map { id in Task { try await manager.load(with: ["id": id]).id } }
        await gate.arrival(20)
        XCTAssertTrue(manager.isLoading)
        gate.open()
        for (index, load) in loads.enumerated() {
            let id = try await load.value
            XCTAssertEqual(id, index + 1)
        }
        XCTAssertFalse(manager.isLoading)
    }

    func testAnUnregisteredServiceIsAnErrorThatSaysWhatToDo() async {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        manager.serviceIdentifier = .nobody
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .serviceNotRegistered)
        XCTAssertEqual(error?.description.contains("nobody"), true)
        XCTAssertEqual(error?.description.contains("register"), true)
    }

    func testASubclassThatNamesNoEndpointGetsAnError() async {
        final class Nameless: TypedAPIManager<Product> {}
        let error = await failure(Stack(ClosureTransport(json: teapot)).manager(Nameless()))
        guard case .invalidRequest(let reason)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains("APIManager<Output>"), reason)
    }

    func testABadRequestIsNotSent() async {
        let transport = ClosureTransport(json: teapot)
        let manager = Stack(transport).manager(ProductManager())
        manager.methodName = "products/{id}"
        guard case .invalidRequest(let reason)? = await failure(manager)?.kind else { return XCTFail() }
        XCTAssertTrue(reason.contains("\"id\""), reason)
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testRequestIDsAreUniqueAndReturned() async {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        let ids = (0..<50).map { _ in manager.loadData() }
        XCTAssertEqual(Set(ids).count, 50)
        XCTAssertEqual(ids, ids.sorted())
        await until { !manager.isLoading }
    }

    func testParamsAreEncodedWithTheServicesEncoder() throws {
        struct Filter: Encodable { let sort: String, page: Int? }
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        XCTAssertEqual(try manager.params(encoding: Filter(sort: "price", page: nil)), ["sort": "price"])
    }
}
