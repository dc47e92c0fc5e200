import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Arguments with a type of their own.
@MainActor
final class ArgumentsTests: XCTestCase {
    private final class ItemManager: APIManager<Product>, APIManagerArguments {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "products/{id}"
        let requestType = HTTPMethod.get

        struct Arguments: ParamsConvertible {
            var id: Int
            var tags: [String]?
            var params: Params { ["id": id, "tags": tags] }
        }
    }

    private final class LikeManager: APIManager<NoContent>, APIManagerArguments {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "products/{id}/likes"
        let requestType = HTTPMethod.post

        struct Arguments: ParamsConvertible {
            var id: Int
            var params: Params { ["id": id] }
        }
    }

    private let transport = ClosureTransport(json: teapot)

    /// Compiled without a warning about an unused result.
    func testACallWithoutAnOutputNeedsNoUnderscore() async throws {
        let manager = Stack(transport).manager(LikeManager())
        try await manager.load(with: .init(id: 7))
        try await manager.load(with: ["id": 8])
        try await manager.load(at: XCTUnwrap(URL(string: "https://api.example.com/products/9/likes")))
        let nothing = try await manager.load(with: .init(id: 10))
        XCTAssertEqual(nothing, NoContent())
        XCTAssertEqual(transport.requests.map(\.url.path), [7, 8, 9, 10].map { "/products/\($0)/likes" })
    }

    func testEveryWayOfCalling() async throws {
        let stack = Stack(transport)
        let manager = stack.manager(ItemManager())
        let product: Product = try await manager.load(with: .init(id: 7, tags: ["a"]))
        XCTAssertEqual(manager.output, product)
        let name = try await manager.load(with: .init(id: 8)).name
        XCTAssertEqual(name, product.name)
        let loaded = await withCheckedContinuation { continuation in
            manager.loadData(with: .init(id: 9)) { continuation.resume(returning: try? $0.get()) }
        }
        XCTAssertEqual(loaded, product)
        await withCheckedContinuation { continuation in
            manager.loadOnce(with: .init(id: 10)) { _ in continuation.resume() }
        }
        _ = try await manager.load(with: ["id": 11])
        XCTAssertEqual(
            Set(transport.requests.map(\.url.path)), Set((7...11).map { "/products/\($0)" }))
        XCTAssertTrue(transport.requests.contains { $0.url.query == "tags%5B%5D=a" })
    }
}
