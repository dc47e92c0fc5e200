import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What a service may decide about a failure.
@MainActor
final class InterceptionTests: XCTestCase {
    /// Answers 500 so many times, then 200.
    private func flaky(_ failures: Int) -> ClosureTransport {
        let count = Locked(0)
        return ClosureTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return TransportResponse(request, json: teapot, status: number <= failures ? 500 : 200)
        }
    }

    func testARepeatedCallSucceedsWithANewRequestEachTime() async throws {
        let transport = flaky(2)
        let token = Locked(0)
        let stack = Stack(transport) { rules in
            rules.adapt = { request, call in
                request.headers["Token"] = "\(token.current)"
                request.headers["Attempt"] = "\(call.attempt)"
            }
            rules.intercept = { failure in
                XCTAssertEqual(failure.response?.status, 500)
                token.withLock { $0 += 1 }
                return .retry
            }
        }
        let product = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(transport.requests.map { $0.headers["Token"] }, ["0", "1", "2"])
        XCTAssertEqual(transport.requests.map { $0.headers["Attempt"] }, ["1", "2", "3"])
    }

    func testRepeatsAreBounded() async {
        let transport = flaky(.max)
        let attempts = Locked<[Int]>([])
        let stack = Stack(transport) { rules in
            rules.retryLimit = 2
            rules.intercept = { failure in
                attempts.withLock { $0.append(failure.attempt) }
                return .retry
            }
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .http(status: 500))
        XCTAssertEqual(transport.requests.count, 3)
        XCTAssertEqual(attempts.current, [1, 2, 3])
    }

    func testASwallowedFailureIsNotToldToTheDelegate() async {
        let stack = Stack(flaky(.max)) { rules in rules.intercept = { _ in .swallow } }
        let manager = stack.manager(ProductManager())
        let screen = Screen()
        manager.delegate = screen
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .swallowed)
        XCTAssertEqual(error?.underlying?.kind, .http(status: 500))
        XCTAssertEqual(screen.events, [])
    }

    func testEveryKindOfFailureIsAskedAboutButCancellations() async {
        let asked = Locked<[APIError.Kind]>([])
        func kind(
            _ transport: ClosureTransport, _ change: @escaping (inout TestService.Rules) -> Void = { _ in }
        ) async {
            let stack = Stack(transport) { rules in
                change(&rules)
                rules.intercept = { failure in
                    asked.withLock { $0.append(failure.error.kind) }
                    return .report
                }
            }
            _ = await failure(stack.manager(ProductManager()))
        }
        await kind(ClosureTransport(json: "", status: 503))
        await kind(ClosureTransport(json: #"{"code":5,"msg":"库存不足"}"#)) {
            $0.envelope = Envelope(code: "code", message: "msg")
        }
        let lost = TransportError(.connectionLost, message: "lost")
        await kind(ClosureTransport { _ in throw lost })
        await kind(ClosureTransport { _ in throw CancellationError() })
        await kind(ClosureTransport(json: teapot)) { $0.extraHeaders = ["A": "b\r\nc"] }
        XCTAssertEqual(asked.current.count, 4)
        XCTAssertEqual(
            Array(asked.current.prefix(3)),
            [.http(status: 503), .business(code: 5, message: "库存不足"), .transport(lost)])
        guard case .invalidRequest? = asked.current.last else { return XCTFail() }
    }

    func testAnUnknownErrorOfATransportIsNamedNotShown() async {
        struct Leak: Error { let secret = "s3cr3t" }
        let error = await failure(Stack(ClosureTransport { _ in throw Leak() }).manager(ProductManager()))
        XCTAssertEqual(error?.description.contains("Leak"), true)
        XCTAssertEqual(error?.description.contains("s3cr3t"), false)
    }

    func testTransportErrorsBecomeErrorsOfTheirOwnKind() async {
        for (kind, expected) in [
            (.timedOut, .timedOut), (.cancelled, .cancelled), (.notConnectedToInternet, .notReachable),
        ] as [(TransportError.Kind, APIError.Kind)] {
            let transport = ClosureTransport { _ in throw TransportError(kind, message: "") }
            let error = await failure(Stack(transport).manager(ProductManager()))
            XCTAssertEqual(error?.kind, expected)
        }
    }

    func testADelayIsWaitedFor() async throws {
        let transport = flaky(1)
        let stack = Stack(transport, random: 0) { rules in rules.intercept = { _ in .retry(after: 5) } }
        let manager = stack.manager(ProductManager())
        let task = Task { try await manager.load() }
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 4.9)
        XCTAssertEqual(transport.requests.count, 1)
        stack.clock.advance(by: 0.2)
        let product = try await task.value
        XCTAssertEqual(product.id, 7)
    }

    func testTheRandomPartOfADelayGrowsToEightTimesTheDelay() async throws {
        let stack = Stack(flaky(6), random: 0.5) { rules in
            rules.intercept = { _ in .retry(after: 2) }
            rules.retryLimit = 6
        }
        let task = Task { try await stack.manager(ProductManager()).load() }
        for pause in [3, 4, 6, 10, 10, 10] as [TimeInterval] {
            await stack.clock.waitForSleepers()
            XCTAssertEqual(stack.clock.pauses.last, pause)
            stack.clock.advance(by: pause)
        }
        _ = try await task.value
    }

    /// 40 calls to a server that accepts 5 a second, and says in its body when to come again.
    func testCallsThatWereRefusedTogetherDoNotComeTogether() async throws {
        let random = Locked(FixedRandom(seed: 49))
        let (clock, accepted) = (Locked<TestClock?>(nil), Locked<[TimeInterval]>([]))
        let transport = ClosureTransport { request in
            let now = clock.current?.uptime ?? 0
            let isAccepted = accepted.withLock { times in
                guard times.filter({ $0 > now - 1 }).count < 5 else { return false }
                times.append(now)
                return true
            }
            return isAccepted
                ? TransportResponse(request, json: teapot)
                : TransportResponse(request, json: #"{"retry_after_ms":1000}"#, status: 429)
        }
        let stack = Stack(transport, random: random.withLock { .random(in: 0..<1, using: &$0) }) {
            $0.retryLimit = 6
            $0.intercept = { failure in
                let body = failure.error.body(as: JSONValue.self)
                return body?["retry_after_ms"]?.double.map { .retry(after: $0 / 1000) } ?? .report
            }
        }
        clock.current = stack.clock
        var failures: [APIError?] = []
        let tasks = (0..<40).map { number in
            Task { failures.append(await failure(stack.manager(ProductManager()), with: ["id": number])) }
        }
        while failures.count < 40 {
            await until { failures.count + stack.clock.sleepers >= 40 }
            stack.clock.advance(by: 0.05)
        }
        for task in tasks { await task.value }
        XCTAssertEqual(failures.compactMap { $0?.kind }, [])
        XCTAssertEqual(accepted.current.count, 40)
    }

    func testStrangeDelaysDoNotCrash() async throws {
        for delay in [-1, .nan, 0] as [TimeInterval] {
            let stack = Stack(flaky(1)) { rules in rules.intercept = { _ in .retry(after: delay) } }
            let product = try await stack.manager(ProductManager()).load()
            XCTAssertEqual(product.id, 7)
        }
    }
}
