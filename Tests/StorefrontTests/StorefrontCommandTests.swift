import DiscreteNetworking
import Foundation
import LoopbackServer
import XCTest

@testable import StorefrontKit

@MainActor
final class StorefrontCommandTests: XCTestCase {
    private let out = Locked<[String]>([])
    private let errors = Locked<[String]>([])

    private func run(_ arguments: String...) async -> Int32 {
        let console = Console(
            out: { [out] line in out.withLock { $0.append(line) } },
            error: { [errors] line in errors.withLock { $0.append(line) } })
        return await StorefrontCommand.run(arguments, console: console)
    }

    /// What a tour of the shop has printed.
    private struct Printed {
        let status: Int32
        let out: [String]
        let errors: [String]
    }

    private static func tour(_ arguments: String...) async -> Printed {
        let (out, errors) = (Locked<[String]>([]), Locked<[String]>([]))
        let console = Console(
            out: { line in out.withLock { $0.append(line) } },
            error: { line in errors.withLock { $0.append(line) } })
        let status = await StorefrontCommand.run(arguments, console: console)
        return Printed(status: status, out: out.current, errors: errors.current)
    }

    /// All at once, because a tour mostly waits. The last one is of another server, which counts its requests.
    private static let tours = (
        plain: Task { await tour() }, verbose: Task { await tour("--verbose") },
        elsewhere: Task {
            let server = try ShopBackend().start()
            defer { server.stop() }
            let printed = await tour("--verbose", "--base-url", server.baseURL.absoluteString)
            return (printed, server.requests.count)
        }, inspected: Task { try await inspectedTours() }, late: Task { try await lateTour() }
    )

    func testEachStepIsALine() async {
        let tour = await Self.tours.plain.value

        XCTAssertEqual(tour.status, 0, tour.out.joined(separator: "\n"))
        XCTAssertEqual(tour.out.last, "58 steps, all as expected.")
        XCTAssertEqual(tour.out.count, 60)
        for (number, line) in tour.out.dropFirst().dropLast().enumerated() {
            XCTAssertTrue(line.hasPrefix("✓ \(number + 1) "), line)
            XCTAssertLessThanOrEqual(line.count, 110, line)
        }
        XCTAssertEqual(tour.out[3], "✓ 3 Log in: 欢迎, 小明")
        XCTAssertEqual(tour.out[2], "✓ 2 Log in with a wrong password: business code 40101")
        XCTAssertEqual(tour.errors, [])
    }

    func testEachStepShowsWhatAUserSees() async {
        let tour = await Self.tours.verbose.value

        XCTAssertEqual(tour.status, 0, tour.out.joined(separator: "\n"))
        XCTAssertEqual(tour.out.last, "58 steps, all as expected.")
        XCTAssertTrue(tour.out.contains("     紫砂壶  ¥520.00  3 in stock"))
        XCTAssertTrue(
            tour.out.contains(
                "     catalogue.pdf, 1048576 bytes, went on behind the first half, checksum right"))
        XCTAssertTrue(tour.out.contains("     [####################] 100 %"))
        XCTAssertTrue(tour.out.contains("     3. 全场包邮"))
        let transcript = tour.out.joined(separator: "\n")
        XCTAssertTrue(transcript.contains("     from the shop\n     from the cache"))
        XCTAssertTrue(transcript.contains("     3 left\n     3 left\n     2 left"))
        XCTAssertTrue(transcript.contains("asked 2 times"))
        XCTAssertTrue(
            transcript.contains("     Something went wrong. Please try again later.\n     出了点问题，请稍后重试。"))
        XCTAssertTrue(transcript.contains("     紫砂壶 库存不足"))
        XCTAssertTrue(
            tour.out.contains { $0.hasPrefix("     shop/users/login #") && $0.contains(" code 40101: ") },
            "Nothing says why the login failed.")
        XCTAssertTrue(transcript.contains("     紫砂壶, from the sample"))
        XCTAssertTrue(transcript.contains("     ¥100.00 on the card"))
        XCTAssertTrue(transcript.contains("礼品卡已使用"), "read from a wrapped body")
        XCTAssertTrue(transcript.contains("     201, without the shop's token"))
        XCTAssertTrue(transcript.contains("     0 reviews"))
        XCTAssertTrue(
            transcript.contains(
                "     The shop knows the trace\n     client GET traces/own\n     internal shop traces/own\n     traces/own 2xx: 1"
            ))
        XCTAssertTrue(transcript.contains("     可以泡普洱吗？\n     卖家还没有回答"))
        XCTAssertTrue(transcript.contains("     5 stars, the seller is told"))
        XCTAssertTrue(transcript.contains("     not stored yet\n     41 likes"))
        XCTAssertTrue(transcript.contains("     41 likes\n     42 likes"))
        XCTAssertTrue(transcript.contains("     42 likes again"))
        XCTAssertTrue(transcript.contains("     400 °C\n     800 °C\n     1200 °C"))
        XCTAssertTrue(
            transcript.contains("     like 1 waits\n     like 2 waits\n     like 5 waits\n     order  waits"))
        XCTAssertTrue(transcript.contains("     4 were kept, 0 are left"))
        XCTAssertEqual(
            tour.out.filter { $0.hasPrefix("     session: ") },
            [
                "     session: expired, refreshed", "     session: expired, refreshed",
                "     session: login required, logged in", "     session: logged in",
            ])
        XCTAssertEqual(tour.errors, [])
    }

    func testAnotherServerWithTheSameAPIAndRequestsWithoutSecrets() async throws {
        let (tour, count) = try await Self.tours.elsewhere.value

        XCTAssertEqual(tour.status, 0, tour.out.joined(separator: "\n"))
        // All steps but three: refused params, an unregistered service, and a cancellation.
        XCTAssertGreaterThanOrEqual(count, 13)
        let requests = tour.out.filter { $0.hasPrefix("     > ") }
        XCTAssertTrue(requests.contains { $0.contains("/api/v3/products/3?cid=000001") }, "\(requests)")
        XCTAssertTrue(requests.contains { $0.contains("/map/v3/geocode/regeo?key=") }, "\(requests)")
        XCTAssertFalse(requests.joined().contains("storefront-demo"))
    }

    func testAServerThatIsNoShop() async throws {
        let server = try LoopbackServer { _ in .text("It works!") }
        defer { server.stop() }

        let status = await run("--base-url=\(server.baseURL.absoluteString)")

        XCTAssertEqual(status, 1)
        XCTAssertTrue(out.current.contains { $0.hasPrefix("✗ 3 Log in: expected success, got ") })
        XCTAssertTrue(out.current.last?.hasSuffix("not as expected.") == true)
    }

    func testNoServerAtAll() async throws {
        let port = try LoopbackServer.refusedPort()

        let status = await run("--base-url", "http://127.0.0.1:\(port)")

        XCTAssertEqual(status, 69)
        XCTAssertEqual(out.current.filter { $0.hasPrefix("✗") }.count, 1, "\(out.current)")
        XCTAssertEqual(
            errors.current,
            ["error: http://127.0.0.1:\(port) does not respond. What follows was left out."])
    }

    func testTwoTimeoutsInARowEndTheTour() async throws {
        let (isOver, transcript) = try await Self.tours.late.value
        XCTAssertEqual(isOver, [false, true, true])
        XCTAssertEqual(transcript.steps, 4)
    }

    /// A tour of an endpoint that the sample's backend never answers.
    /// - Returns: Whether the tour is over: before the second timeout in a row, after it, and after another step.
    private static func lateTour() async throws -> (isOver: [Bool], transcript: Transcript) {
        let stack = try ShopStack()
        defer { stack.stop() }
        let console = Console(out: { _ in }, error: { _ in })
        let transcript = Transcript(console: console, isVerbose: false)
        let manager = RecommendationsManager()
        manager.proxy = stack.proxy
        func look(expecting expected: Outcome) async {
            await transcript.step("Look", expecting: expected) {
                _ = try await manager.load(with: ["id": 3])
                return []
            }
        }
        // An expected timeout between them starts the count again.
        for expected in [Outcome.success, .timedOut, .success] { await look(expecting: expected) }
        var isOver = [transcript.isOver]
        for _ in 0..<2 {
            await look(expecting: .success)
            isOver.append(transcript.isOver)
        }
        return (isOver, transcript)
    }

    func testTheInspectorShowsTourAfterTour() async throws {
        let (hasHome, printed) = try await Self.tours.inspected.value
        XCTAssertTrue(hasHome)
        XCTAssertEqual(printed.status, 0)
        XCTAssertEqual(printed.out.count, 1)
    }

    /// Reads what the inspector shows until the second tour has begun, and ends it.
    /// - Returns: Whether the home page was shown, and what was printed.
    private static func inspectedTours() async throws -> (hasHome: Bool, printed: Printed) {
        let out = Locked<[String]>([])
        let console = Console(out: { line in out.withLock { $0.append(line) } }, error: { _ in })
        let running = Task { await StorefrontCommand.run(["--inspect"], console: console) }
        defer { running.cancel() }
        while out.current.isEmpty { await Task.yield() }
        let address = out.current[0].replacingOccurrences(of: "The inspector: ", with: "")
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        let events = try await PlatformTransport.make().send(
            APIRequest(
                url: url.appendingPathComponent("events"), timeout: .infinity, destination: .stream))
        guard case .stream(let stream) = events.body else { throw CocoaError(.fileReadUnknown) }
        var pieces = stream.makeAsyncIterator()
        var line = Data()
        var (succeeded, hasHome) = (0, false)
        // The first call of the second tour.
        while succeeded < 79, let piece = try await pieces.next() {
            line += piece
            guard piece.last == UInt8(ascii: "\n") else { continue }
            let text = String(decoding: line, as: UTF8.self)
            line = Data()
            succeeded += text.components(separatedBy: #""state":"succeeded""#).count - 1
            hasHome = hasHome || text.contains("HomeManager")
        }
        running.cancel()
        let status = await running.value
        return (hasHome, Printed(status: status, out: out.current, errors: []))
    }

    func testHelpShowsTheOptions() async {
        let status = await run("--help")

        XCTAssertEqual(status, 0)
        XCTAssertEqual(out.current, [Options.help])
    }

    func testArgumentsThatMakeNoSense() async {
        for arguments in [["--colour"], ["--base-url"], ["--base-url", "shop"], ["--base-url="]] {
            let status = await StorefrontCommand.run(
                arguments,
                console: Console(
                    out: { _ in }, error: { [errors] line in errors.withLock { $0.append(line) } }))
            XCTAssertEqual(status, 64, "\(arguments)")
        }

        XCTAssertEqual(errors.current.count, 4)
        XCTAssertTrue(errors.current[0].hasPrefix("error: Unknown option --colour.\n\nUsage: "))
        XCTAssertEqual(out.current, [])
    }
}
