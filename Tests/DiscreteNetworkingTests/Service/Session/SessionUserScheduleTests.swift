import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Random orders of calls, retries, refreshes, logins and logouts: the server never sees a call of one user with the
/// token of another.
@MainActor
final class SessionUserScheduleTests: XCTestCase {
    func testEveryCallIsSentForTheUserWhoMadeIt() async {
        let count = FullLength.rounds(40, of: 500)
        var sent = 0
        var endings: [String: Int] = [:]
        for seed in 0..<UInt64(count) {
            let schedule = UserSchedule(seed: seed)
            await schedule.run()
            for problem in schedule.problems { XCTFail("seed \(seed): \(problem)") }
            guard !schedule.hasLost else { return }
            sent += schedule.sent
            for outcome in schedule.outcomes.current.values {
                let name = outcome.map { "\($0)".prefix { $0 != "(" }.description } ?? "success"
                endings[name, default: 0] += 1
            }
        }
        // Every way was met, or the schedules are not as random as they look.
        XCTAssertGreaterThan(sent, 8 * count)
        XCTAssertGreaterThan(endings["success", default: 0], 2 * count, "\(endings)")
        XCTAssertGreaterThan(endings["loginRequired", default: 0], 2 * count / 5, "\(endings)")
        XCTAssertGreaterThan(endings["http", default: 0], count / 5, "\(endings)")
    }
}

/// One random schedule of users who come and go, over a backend that knows whose token is whose.
@MainActor
private final class UserSchedule: ParkedStack {
    private var managers: [ProductManager] = []
    /// For whom each call was made; `nil` where nobody was logged in.
    private var makers: [String: String?] = [:]
    private let owners = Locked<[String: String]>([:])
    private var users = 0
    private var count = 0
    private let kind: Kind

    /// What the session can know about its users, and so what the app may do without one being taken for another.
    private enum Kind {
        /// Tokens have names: users come and go at any time, also in the place of the one who is asked to log in.
        case named
        /// Nobody who is logged in is asked to log in again, and others may be adopted at any time.
        case unnamed
        /// Whoever is asked to log in again does so, or the app adopts tokens of the same user.
        case unnamedAsked
    }

    let outcomes = Locked<[Int: APIError.Kind?]>([:])
    private(set) var problems: [String] = []
    private(set) var sent = 0
    private(set) var hasLost = false

    init(seed: UInt64) {
        kind = [.named, .unnamed, .named, .unnamedAsked][Int(seed % 4)]
        super.init(
            seed: seed, limit: { _ in .max },
            rules: { rules in
                rules.retry = RetryPolicy(base: 4, total: .infinity)
                rules.intercept = { $0.response?.status == 500 ? .retry(after: 1) : .report }
            })
        count = 5 + random.below(16)
        session.adopt(tokens(of: nextUser()))
    }

    func run() async {
        var steps = 0
        while managers.count < count || outcomes.current.count < count {
            step()
            // The calls go on elsewhere: a schedule that only span here would leave them behind.
            for _ in 0..<random.below(4) { await Task { @concurrent in }.value }
            steps += 1
            guard steps < 10_000 else {
                hasLost = true
                return problems.append("lost: \(missing)")
            }
        }
    }

    private var missing: [Int] { (0..<count).filter { outcomes.current[$0] == nil } }

    private func step() {
        switch random.below(20) {
        case 0..<4: start()
        case 4 where random.chance(30): desk.expire()
        case 5 where kind != .unnamed && random.chance(10): desk.revoke()
        case 6 where random.chance(10): Task { [session] in try? await session.logOut() }
        case 7 where random.chance(10):
            session.adopt(tokens(of: kind == .unnamedAsked ? user ?? nextUser() : nextUser()))
        case 8, 9: stack.clock.advance(by: 1)
        case 10: stack.reachability.isConnected = random.chance(80)
        case 11: answerLogin()
        default: answerRequest()
        }
    }

    // MARK: Users

    private func nextUser() -> String {
        users += 1
        return "user-\(users)"
    }

    private func tokens(of user: String) -> SessionTokens {
        var tokens = desk.tokens()
        if kind == .named { tokens.user = user }
        owners.withLock { $0[tokens.accessToken] = user }
        return tokens
    }

    private var user: String? {
        session.tokens.flatMap { tokens in owners.withLock { $0[tokens.accessToken] } }
    }

    /// The one who is asked is the one who was there, or the next one; the session knows by the name.
    private func answerLogin() {
        guard login.count > 0 else { return }
        switch random.below(4) {
        case 0: login.answer(.cancelled)
        case 1 where kind == .named: login.answer(.loggedIn(tokens(of: nextUser())))
        default: login.answer(.loggedIn(tokens(of: user ?? nextUser())))
        }
    }

    // MARK: Calls

    private func start() {
        guard managers.count < count else { return }
        let number = managers.count
        let manager = stack.manager(ProductManager())
        manager.methodName = "item\(number)"
        manager.requestType = random.chance(50) ? .put : .get
        manager.policy = random.chance(30) ? .debounce(2) : .concurrent
        manager.ownNetwork = random.chance(70) ? .waiting() : .any
        manager.needsLogin = random.chance(20)
        let before = user
        manager.loadData { [outcomes] result in outcomes.withLock { $0[number] = result.kind } }
        // A login or a logout may come in between, on another thread.
        if user == before { makers[manager.methodName] = .some(before) }
        managers.append(manager)
    }

    private func answerRequest() {
        guard wire.count > 0 else { return }
        wire.answer(random.below(wire.count)) { request in
            if request.url.path.hasSuffix("/token") { return refreshed(request) }
            sent += 1
            check(request)
            guard !random.chance(30) else {
                return TransportResponse(request, json: "", status: random.pick([500, 503, 404]))
            }
            return desk.answer(request)
        }
    }

    private func refreshed(_ request: APIRequest) -> TransportResponse {
        guard !random.chance(15) else { return TransportResponse(request, json: "", status: 404) }
        let body =
            if case .data(let data) = request.body { try? JSONValue(parsing: data) } else {
                nil as JSONValue?
            }
        let token = body?["refresh_token"]?.string?.dropFirst("refresh-".count).description ?? ""
        let new = tokens(of: owners.withLock { $0[token] } ?? "nobody").accessToken
        return TransportResponse(
            request, json: #"{"access_token":"\#(new)","refresh_token":"refresh-\#(new)"}"#)
    }

    private func check(_ request: APIRequest) {
        guard let token = request.headers["Authorization"]?.dropFirst("Bearer ".count).description,
            case .some(.some(let maker)) = makers[request.url.lastPathComponent]
        else { return }
        let owner = owners.withLock { $0[token] }
        if owner != maker {
            problems.append("\(request.url.lastPathComponent) of \(maker) was sent for \(owner ?? "nobody")")
        }
    }
}
