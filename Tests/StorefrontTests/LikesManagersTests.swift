import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class LikesManagersTests: XCTestCase {
    func testALikeIsShownAndASecondOneIsTakenBack() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let (likes, like) = (LikesManager(), LikeManager())
        likes.proxy = stack.proxy
        like.proxy = stack.proxy
        _ = try await likes.load(with: ["id": 3])

        for (isFirst, count) in [(true, nil), (false, Likes(count: 42))] {
            do {
                try await like.load(with: ["id": 3]) { cache in
                    cache.update(likes, with: ["id": 3]) { $0.count += 1 }
                }
                XCTAssertTrue(isFirst)
            } catch {
                XCTAssertFalse(isFirst)
            }
            let cached = try await likes.cache.output(with: ["id": 3])
            XCTAssertEqual(cached, count, "stale after the first, and not after the one that was refused")
            let loaded = try await likes.load(with: ["id": 3])
            XCTAssertEqual(loaded.count, 42)
        }
    }

    func testTheKilnIsDoneAtTheThirdLook() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let manager = KilnManager()
        manager.proxy = stack.proxy
        var degrees: [Int] = []
        for try await kiln in manager.poll(every: 0.001, until: \.isDone) { degrees.append(kiln.degrees) }

        XCTAssertEqual(degrees, [400, 800, 1200])
    }
}
