import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Limits with a session: a call that waits for a refresh has no slot.
extension CallQueueTests {
    /// A backend that issues tokens, and accepts the latest for some responses.
    final class Issuer: Sendable {
        private struct State {
            var token = 1
            var left: Int
            var rejected: [String: Int] = [:]
        }
        private let state: Locked<State>
        private let uses: Int
        /// Opens when refreshes may go on.
        let gate = Gate()
        /// How many requests have to arrive before any gets a response.
        let start: Int
        let arrived = Locked(0)
        let first = Gate()

        init(uses: Int, first start: Int) {
            self.uses = uses
            self.start = start
            state = Locked(State(left: uses))
        }

        /// How many requests were rejected, by their token.
        var rejected: [String: Int] { state.current.rejected }

        func expire() { state.withLock { $0.left = 0 } }

        func issue() -> String {
            state.withLock { state in
                state.token += 1
                state.left = uses
                return "t\(state.token)"
            }
        }

        func status(of request: APIRequest) -> Int {
            state.withLock { state in
                let token = request.headers["Authorization"]?.replacingOccurrences(of: "Bearer ", with: "")
                guard token == "t\(state.token)", state.left > 0 else {
                    state.rejected[token ?? "", default: 0] += 1
                    return 401
                }
                state.left -= 1
                return 200
            }
        }

        var transport: ClosureTransport {
            ClosureTransport { [self] request in
                let count = arrived.withLock { count in
                    count += 1
                    return count
                }
                if count == start { first.open() }
                await first.pass()
                return TransportResponse(request, json: teapot, status: status(of: request))
            }
        }

        func session() -> TokenSession {
            let session = TokenSession(refresh: { [self] tokens, _ in
                await gate.pass()
                return SessionTokens(accessToken: issue(), refreshToken: "r")
            })
            session.adopt(SessionTokens(accessToken: "t1", refreshToken: "r"))
            return session
        }
    }

    func testNoCallIsSentWithARejectedTokenDuringARefresh() async throws {
        let issuer = Issuer(uses: .max, first: 3)
        issuer.expire()
        let session = issuer.session()
        let stack = Stack(issuer.transport) {
            $0.limit = 3
            $0.session = session
        }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let managers = (1...100).map { manager(stack, "a\($0)") }
        for manager in managers { manager.loadData(with: [:]) }
        await until { recorder.names.filter { $0 == "waiting refresh" }.count == 100 }
        XCTAssertEqual(issuer.rejected, ["t1": 3])
        XCTAssertEqual(stack.proxy.queue.count, 0, "a call that waits for a refresh has no slot")
        issuer.gate.open()
        await until { !managers.contains { $0.isLoading } }
        XCTAssertEqual(managers.compactMap(\.output).count, 100)
        XCTAssertEqual(issuer.rejected, ["t1": 3])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    func testAllCallsSucceedAlthoughTheTokenExpiresAgainAndAgain() async throws {
        let issuer = Issuer(uses: 60, first: 3)
        issuer.gate.open()
        let session = issuer.session()
        let stack = Stack(issuer.transport) {
            $0.limit = 3
            $0.session = session
        }
        let managers = (1...200).map { manager(stack, "a\($0)") }
        for manager in managers { manager.loadData(with: [:]) }
        await until { !managers.contains { $0.isLoading } }
        XCTAssertEqual(managers.compactMap(\.error?.kind), [])
        XCTAssertEqual(managers.compactMap(\.output).count, 200)
        XCTAssertEqual(issuer.rejected.keys.sorted(), ["t1", "t2", "t3"])
        for (token, count) in issuer.rejected { XCTAssertLessThanOrEqual(count, 3, token) }
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// A refresh begins and ends while another call, which has no slot yet, builds its request.
    func testACallIsNotSentWithTokensThatWereReplacedBeforeItHadASlot() async throws {
        let issuer = Issuer(uses: .max, first: 1)
        issuer.expire()
        issuer.gate.open()
        let (session, transport, gate) = (issuer.session(), issuer.transport, Gate())
        let stack = Stack(transport) {
            $0.limit = 1
            $0.session = session
            $0.adapt = { _, call in if call.methodName == "late" { await gate.pass() } }
        }
        let late = manager(stack, "late")
        late.loadData(with: [:])
        await gate.arrival()
        _ = try await manager(stack, "a").load(with: [:])
        gate.open()
        await until { !late.isLoading }
        XCTAssertEqual(late.output?.id, 7)
        XCTAssertEqual(issuer.rejected, ["t1": 1])
        XCTAssertEqual(names(transport), ["a", "a", "late"])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// The same for a call that has waited for its slot, and builds its request again.
    func testACallIsNotSentWithTokensThatWereReplacedWhileItHadASlot() async throws {
        let issuer = Issuer(uses: .max, first: 1)
        issuer.expire()
        issuer.gate.open()
        let gates = ["/busy": Gate(), "/a": Gate()]
        let backend = issuer.transport
        let transport = ClosureTransport { request in
            await gates[request.url.path]?.pass()
            guard request.url.path == "/busy" else { return try await backend.send(request) }
            return TransportResponse(request, json: teapot)
        }
        let (session, gate, builds) = (issuer.session(), Gate(), Locked(0))
        let stack = Stack(transport) {
            $0.limit = 2
            $0.session = session
            $0.adapt = { _, call in
                guard call.methodName == "late" else { return }
                let count = builds.withLock { count in
                    count += 1
                    return count
                }
                if count == 2 { await gate.pass() }
            }
        }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (busy, rejected, late) = (manager(stack, "busy"), manager(stack, "a"), manager(stack, "late"))
        busy.loadData(with: [:])
        rejected.loadData(with: [:])
        await gates["/busy"]?.arrival()
        await gates["/a"]?.arrival()
        await start(late, after: recorder)
        gates["/busy"]?.open()
        await gate.arrival()
        gates["/a"]?.open()
        await until { !rejected.isLoading }
        gate.open()
        await until { !late.isLoading && !busy.isLoading }
        XCTAssertEqual([busy, rejected, late].compactMap(\.output?.id), [7, 7, 7])
        XCTAssertEqual(issuer.rejected, ["t1": 1])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// The calls that a refresh consists of are not limited, and no other call keeps a slot from them.
    func testARefreshByALimitedServiceEndsWhateverWaits() async throws {
        let issuer = Issuer(uses: 10, first: 1)
        let session = TokenSession(refresh: { _, proxy in
            let refresh = ProductManager()
            refresh.proxy = proxy
            refresh.methodName = "refresh"
            refresh.ownSessionUse = false
            refresh.ownLimit = 1
            _ = try? await refresh.load(with: [:])
            return SessionTokens(accessToken: issuer.issue(), refreshToken: "r")
        })
        session.adopt(SessionTokens(accessToken: "t1", refreshToken: "r"))
        let stack = Stack(issuer.transport) {
            $0.limit = 1
            $0.session = session
        }
        let managers = (1...50).map { manager(stack, "a\($0)", [.low, .normal, .high][$0 % 3]) }
        for manager in managers { manager.loadData(with: [:]) }
        await until { !managers.contains { $0.isLoading } }
        XCTAssertEqual(managers.compactMap(\.output).count, 50)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// A call whose token was rejected is sent before those that began to wait later, of any priority.
    func testACallThatGaveItsSlotBackKeepsItsPlace() async throws {
        let meter = Meter(holding: "/busy")
        let rejects = Locked(true)
        let transport = meter.transport
        let rejecting = ClosureTransport { request in
            let answer = try await transport.send(request)
            let isRejected = request.url.path == "/a" && rejects.withLock { $0 }
            return isRejected ? TransportResponse(request, json: teapot, status: 401) : answer
        }
        let gate = Gate()
        let session = TokenSession(refresh: { _, _ in
            await gate.pass()
            rejects.current = false
            return SessionTokens(accessToken: "new", refreshToken: "r")
        })
        session.adopt(SessionTokens(accessToken: "old", refreshToken: "r"))
        let stack = Stack(rejecting) {
            $0.limit = 1
            $0.session = session
        }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let rejected = manager(stack, "a")
        rejected.loadData(with: [:])
        await until { recorder.names.contains("waiting refresh") }
        let others = ["busy", "b", "c"].map { manager(stack, $0) }
        for manager in others { manager.ownSessionUse = false }
        others[1].ownPriority = .high
        others[0].loadData(with: [:])
        await meter.gates["/busy"]?.arrival()
        await start(others[1], after: recorder)
        await start(others[2], after: recorder)
        let queued = recorder.names.filter { $0.hasPrefix("queued") }.count
        gate.open()
        await until { recorder.names.filter { $0.hasPrefix("queued") }.count > queued }
        meter.gates["/busy"]?.open()
        await until { !(others + [rejected]).contains { $0.isLoading } }
        XCTAssertEqual(names(transport), ["a", "busy", "a", "b", "c"])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// Its token is accepted for other calls, so that each refresh seems to be of use.
    func testACallThatIsAlwaysRejectedEnds() async throws {
        let issuer = Issuer(uses: .max, first: 1)
        let backend = issuer.transport
        let transport = ClosureTransport { request in
            let answer = try await backend.send(request)
            let isRejected = request.url.path == "/rejected"
            return isRejected ? TransportResponse(request, json: teapot, status: 401) : answer
        }
        issuer.gate.open()
        let session = issuer.session()
        let stack = Stack(transport) {
            $0.limit = 1
            $0.session = session
        }
        let isOver = Locked(false)
        let others = Task { @MainActor [self] in
            while !isOver.current { _ = try await manager(stack, "a").load(with: [:]) }
        }
        let error = await failure(manager(stack, "rejected"), with: [:])
        isOver.current = true
        try await others.value
        XCTAssertEqual(error?.kind, .http(status: 401))
        XCTAssertLessThanOrEqual(names(transport).filter { $0 == "rejected" }.count, 5)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }
}
