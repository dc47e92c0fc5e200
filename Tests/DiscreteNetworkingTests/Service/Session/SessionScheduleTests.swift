import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Random orders of answers, refreshes, logins, cancellations and logouts: no call is lost, told
/// twice or sent for ever.
@MainActor
final class SessionScheduleTests: XCTestCase {
    func testManyRandomSchedules() async {
        let count = FullLength.rounds(80, of: 1000)
        let every: Set = [
            "success", "cancelled", "http", "refreshFailed", "loginRequired", "loginCancelled",
        ]
        var endings: [String: Int] = [:]
        var seed: UInt64 = 0
        // The executor has a say too: a login is cancelled in one of twenty schedules, and sometimes in none of eighty.
        while seed < count || (Set(endings.keys) != every && seed < 10 * count) {
            let schedule = Schedule(seed: seed)
            await schedule.run()
            for problem in schedule.problems { XCTFail("seed \(seed): \(problem)") }
            for outcome in schedule.outcomes.current.values.joined() {
                endings[outcome.map { "\($0)".prefix { $0 != "(" }.description } ?? "success", default: 0] +=
                    1
            }
            seed += 1
        }
        // Every way to end was met, or the schedules are not as random as they look.
        XCTAssertEqual(Set(endings.keys), every, "\(endings)")
        XCTAssertGreaterThan(endings["success", default: 0], 2 * count, "\(endings)")
    }
}

/// One random schedule.
@MainActor
private final class Schedule: ParkedStack {
    /// Whether the user logs in and out by other ways, which overtakes renewals.
    private let isRestless: Bool
    private var managers: [ProductManager?] = []
    private var refreshTokens: Set<String> = []
    private var count = 0

    let outcomes = Locked<[Int: [APIError.Kind?]]>([:])
    private(set) var problems: [String] = []

    init(seed: UInt64) {
        isRestless = seed % 2 == 1
        super.init(
            seed: seed, limit: { 1 + $0.below(6) }, now: { Date(timeIntervalSince1970: 0) })
        count = 2 + random.below(9)
        session.adopt(desk.tokens())
    }

    func run() async {
        var idle = 0
        while !isOver {
            let before = wire.count + login.count
            step()
            for _ in 0..<random.below(4) { await Task.yield() }
            idle = before == 0 && managers.count == count ? idle + 1 : 0
            if idle > 100_000 { return problems.append("lost: \(missing)") }
        }
        check()
    }

    private var isOver: Bool {
        managers.count == count && outcomes.current.count == count && wire.count == 0 && login.count == 0
            && !session.isRenewing
    }

    private var missing: [Int] { (0..<count).filter { outcomes.current[$0] == nil } }

    private func step() {
        switch random.below(20) {
        case 0..<4: start()
        case 4 where random.chance(50): desk.expire()
        case 5 where random.chance(20): desk.revoke()
        case 6 where random.chance(30): managers.randomElement(using: &random)??.cancelAllRequests()
        case 7 where random.chance(30) && !managers.isEmpty: managers[random.below(managers.count)] = nil
        case 8 where isRestless && random.chance(20): session.adopt(desk.tokens())
        case 9 where isRestless && random.chance(20):
            Task { [session] in try? await session.logOut() }
        case 10..<13: answerLogin()
        default: answerRequest()
        }
    }

    private func start() {
        guard managers.count < count else { return }
        let number = managers.count
        let manager = stack.manager(ProductManager())
        manager.methodName = "item\(number)"
        manager.needsLogin = random.chance(20)
        manager.loadData { [outcomes] result in
            outcomes.withLock { $0[number, default: []].append(result.kind) }
        }
        managers.append(manager)
    }

    private func answerLogin() {
        if !isRestless, login.count > 1 { problems.append("\(login.count) logins at once") }
        switch random.below(10) {
        case 0, 1: login.answer(.cancelled)
        case 2: login.answer(.failed(CancellationError()))
        default: login.answer(.loggedIn(desk.tokens()))
        }
    }

    private func answerRequest() {
        let refreshes = wire.requests.filter { $0.url.path.hasSuffix("/token") }
        if !isRestless, refreshes.count > 1 { problems.append("\(refreshes.count) refreshes at once") }
        guard wire.count > 0 else { return }
        wire.answer(random.below(wire.count)) { request in
            guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
            guard !random.chance(15) else { return TransportResponse(request, json: "", status: 503) }
            if !isRestless, case .data(let body) = request.body {
                let token = (try? JSONValue(parsing: body))?["refresh_token"]?.string ?? ""
                if !refreshTokens.insert(token).inserted { problems.append("\(token) refreshed twice") }
            }
            let token = desk.issue()
            if random.chance(10) { desk.expire() }
            return TransportResponse(
                request, json: #"{"access_token":"\#(token)","refresh_token":"refresh-\#(token)"}"#)
        }
    }

    private func check() {
        for (number, kinds) in outcomes.current {
            if kinds.count != 1 { problems.append("item\(number) was told \(kinds)") }
            let visits = desk.book.current.visits["item\(number)", default: 0]
            if visits > 3 { problems.append("item\(number) was sent \(visits) times") }
            switch kinds[0] {
            case nil: if visits == 0 { problems.append("item\(number) succeeded unsent") }
            case .http(401): if visits < 2 { problems.append("item\(number) was not helped") }
            case .cancelled, .refreshFailed(.failed), .refreshFailed(.tooMany), .loginRequired,
                .loginCancelled:
                break
            default: problems.append("item\(number) ended with \(kinds)")
            }
        }
        if session.waiting != 0 { problems.append("\(session.waiting) still wait") }
        if !stack.proxy.requestIDs.isEmpty { problems.append("\(stack.proxy.requestIDs) still go on") }
    }
}
