import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Managers loaded at once.
@MainActor
final class APIGroupTests: XCTestCase {
    func testTypedOutputsInTheOrderOfTheMembersWhicheverComesFirst() async throws {
        let backend = Backend(holding: ["user"])
        let transport = backend.transport
        let stack = Stack(transport)
        let user = stack.user()
        let screen = Screen()
        user.delegate = screen
        let group = APIGroup(user, stack.number().with(["n": 5]), stack.number())
        group.onProgress = { if $0.finished == 2 { backend.gate.open() } }
        let (first, second, third) = try await group.load()
        XCTAssertEqual(first, User(uid: 7))
        XCTAssertEqual([second, third], [5, 1])
        XCTAssertEqual(group.output?.1, 5)
        XCTAssertEqual(screen.events, ["success"], "the managers' own delegates are told")
        XCTAssertEqual(group.progress, APIGroupProgress(finished: 3, total: 3))
    }

    func testOneNoneAndManyOfOneType() async throws {
        let stack = Stack(Backend().transport)
        let one = try await APIGroup(stack.user()).load()
        XCTAssertEqual(one.uid, 7)
        let oneResult = await APIGroup(stack.user()).loadAll()
        XCTAssertEqual(try oneResult.get().uid, 7)
        try await APIGroup().load()
        let none = try await APIGroup([TestManager<Int>]()).load()
        XCTAssertEqual(none, [])
        let many = try await APIGroup((1...20).map { stack.number().with(["n": $0]) }, limit: 3).load()
        XCTAssertEqual(many, Array(1...20))
        let all = await APIGroup([stack.number(), stack.number("user")]).loadAll()
        XCTAssertEqual(try all[0].get(), 1)
        guard case .decoding? = all[1].kind else { return XCTFail() }
    }

    func testOneMemberWhoseOutputIsAnArrayIsNoArrayOfMembers() async throws {
        let stack = Stack(ClosureTransport(json: "[1,2]"))
        let inner = APIGroup(stack.manager(TestManager<[Int]>()))
        let each = await inner.loadAll()
        XCTAssertEqual(try each.map { try $0.get() }, [1, 2])
        let whole: Result<[Int], APIError> = await inner.loadAll()
        XCTAssertEqual(try whole.get(), [1, 2])
    }

    func testAGroupWithinAGroupAndOptionalMembers() async throws {
        let stack = Stack(Backend().transport)
        let guest: TestManager<User>? = nil
        let ((user, number), list, none) = try await APIGroup(
            APIGroup(stack.user(), stack.number()), APIGroup([stack.number(), stack.number()]),
            guest
        ).load()
        XCTAssertEqual(user.uid, 7)
        XCTAssertEqual(number, 1)
        XCTAssertEqual(list, [1, 1])
        XCTAssertNil(none)
    }

    func testTheFirstFailureCancelsTheRest() async throws {
        let backend = Backend(holding: ["number"], broken: ["broken"])
        let transport = backend.transport
        let stack = Stack(transport)
        let held = stack.number()
        let broken = stack.user("broken")
        // The second member of the inner group fails: all of both groups end.
        let group = APIGroup(held, APIGroup(stack.number(), broken), stack.user())
        let screen = GroupScreen()
        group.delegate = screen
        let error = await failure(group)
        XCTAssertEqual(error?.kind, .http(status: 500))
        XCTAssertEqual(error?.methodName, "broken")
        XCTAssertEqual(group.failedIndex, 1)
        XCTAssertEqual(group.error?.requestID, error?.requestID)
        XCTAssertEqual(held.error?.kind, .cancelled)
        XCTAssertEqual(stack.proxy.requestIDs, [])
        XCTAssertEqual(screen.events.filter { $0.hasPrefix("failure") }, ["failure 1"])
        XCTAssertNil(group.output)
        backend.gate.open()
    }

    func testCollectingAllResults() async throws {
        let backend = Backend(broken: ["broken"])
        let stack = Stack(backend.transport)
        let group = APIGroup(stack.user("broken"), stack.number(), stack.user("broken"))
        let (first, second, third) = await group.loadAll()
        XCTAssertEqual(first.kind, .http(status: 500))
        XCTAssertEqual(try second.get(), 1)
        XCTAssertEqual(third.kind, .http(status: 500))
        XCTAssertEqual(group.failedIndex, 0)

        let number = stack.number()
        let patient = APIGroup(number, stack.user("broken"), limit: 1)
        patient.failsFast = false
        let error = await failure(patient)
        XCTAssertEqual(error?.kind, .http(status: 500))
        XCTAssertEqual(number.output, 1)
        XCTAssertEqual(patient.progress.finished, 2)
    }

    func testAfterAFailureNothingMoreStarts() async throws {
        let backend = Backend(broken: ["broken"])
        let transport = backend.transport
        let stack = Stack(transport)
        _ = await failure(APIGroup(stack.user("broken"), stack.number(), stack.number(), limit: 1))
        XCTAssertEqual(transport.names, ["broken"])
    }

    func testTheLimitIsReachedAndKept() async throws {
        let backend = Backend(holding: ["number"])
        let transport = backend.transport
        let stack = Stack(transport)
        let group = APIGroup((0..<10).map { _ in stack.number() }, limit: 3)
        let load = Task { try await group.load() }
        await backend.gate.arrival(3)
        for _ in 0..<50 { await Task.yield() }
        XCTAssertEqual(backend.gate.arrivals, 3)
        XCTAssertEqual(stack.proxy.requestIDs.count, 3)
        backend.gate.open()
        let numbers = try await load.value
        XCTAssertEqual(numbers.count, 10)
        XCTAssertEqual(backend.most, 3)
        let one = try await APIGroup(stack.number(), stack.number(), limit: 0).load()
        XCTAssertEqual(one.0, 1)
    }

    func testByDelegateAndClosureWithProgress() async throws {
        let stack = Stack(Backend().transport)
        let group = APIGroup(stack.user(), stack.number())
        let screen = GroupScreen()
        group.delegate = screen
        let outcomes = Locked<[Int]>([])
        group.loadData { result in outcomes.withLock { $0.append((try? result.get().1) ?? 0) } }
        XCTAssertTrue(group.isLoading)
        XCTAssertEqual(screen.events, [], "nothing is told before loadData has returned")
        await until { !outcomes.current.isEmpty }
        XCTAssertEqual(screen.events, ["1/2", "2/2", "success false"])
        XCTAssertEqual(group.output?.0.uid, 7)
        group.loadData()
        await until { !group.isLoading }
        XCTAssertEqual(screen.events.count, 6, "a group can be loaded again")
        XCTAssertEqual(outcomes.current, [1])
    }

    // MARK: Cancelling

    private enum Way: CaseIterable { case cancel, task, release }

    func testCancellingInTheMiddleGivesOneOutcomeEach() async throws {
        for way in Way.allCases {
            let backend = Backend(holding: ["number", "user"])
            let transport = backend.transport
            let stack = Stack(transport)
            let screen = Screen()
            let managers = [stack.number(), stack.number()]
            for manager in managers { manager.delegate = screen }
            let groupScreen = GroupScreen()
            let outcomes = Locked<[APIError.Kind?]>([])
            var group: APIGroup<([Int], User)>? = APIGroup(APIGroup(managers), stack.user(), limit: 1)
            group?.delegate = groupScreen
            weak let released = group
            let task = Task { [weak group] in
                if way == .task {
                    guard let group else { return }
                    let kind = await failure(group)?.kind
                    outcomes.withLock { $0.append(kind) }
                } else {
                    group?.loadData { result in outcomes.withLock { $0.append(result.kind) } }
                }
            }
            await backend.gate.arrival(2)
            switch way {
            case .cancel:
                group?.cancel()
                XCTAssertEqual(group?.isLoading, false)
            case .task: task.cancel()
            case .release:
                group = nil
                XCTAssertNil(released)
            }
            await until { !outcomes.current.isEmpty }
            backend.gate.open()
            await task.value
            for _ in 0..<20 { await Task.yield() }
            XCTAssertEqual(outcomes.current, [.cancelled], "\(way)")
            XCTAssertEqual(screen.events, ["failure", "failure"], "\(way)")
            XCTAssertEqual(
                groupScreen.events.filter { $0.hasPrefix("fail") }, way == .release ? [] : ["failure 0"])
            XCTAssertEqual(stack.proxy.requestIDs, [])
            XCTAssertEqual(transport.names, ["number", "number"], "what had not started never does")
        }
    }

    func testTheErrorOfAReleasedGroupSaysWhatToWrite() async {
        let stack = Stack(Backend().transport)
        let told = Locked<APIError?>(nil)
        APIGroup(stack.number(), stack.user()).loadData { result in
            if case .failure(let error) = result { told.current = error }
        }
        await until { told.current != nil }
        XCTAssertEqual(told.current?.kind, .cancelled)
        let text = told.current?.localizedDescription ?? ""
        XCTAssertTrue(text.contains("group") && text.contains("released") && text.contains("await"), text)
    }

    func testACollectingGroupThatIsCancelledHasAResultForEachAndSendsNoMore() async throws {
        let backend = Backend(holding: ["number"])
        let transport = backend.transport
        let stack = Stack(transport)
        let group = APIGroup((0..<4).map { _ in stack.number() }, limit: 2)
        let load = Task { await group.loadAll() }
        await backend.gate.arrival(2)
        group.cancel()
        let results = await load.value
        XCTAssertEqual(results.map(\.kind), [.cancelled, .cancelled, .cancelled, .cancelled])
        XCTAssertEqual(transport.requests.count, 2)
        backend.gate.open()
    }

    func testAnAwaitedGroupLivesUntilItsOutcome() async throws {
        let backend = Backend(holding: ["number"])
        let stack = Stack(backend.transport)
        let load = Task { try await APIGroup(stack.user(), stack.number()).load() }
        await backend.gate.arrival()
        backend.gate.open()
        let (user, number) = try await load.value
        XCTAssertEqual(user.uid, 7)
        XCTAssertEqual(number, 1)
    }

    func testAMemberThatIsCancelledFailsTheGroup() async throws {
        let backend = Backend(holding: ["number", "user"])
        let stack = Stack(backend.transport)
        let number = stack.number()
        let load = Task { await failure(APIGroup(stack.user(), number)) }
        await backend.gate.arrival(2)
        number.cancelAllRequests()
        let error = await load.value
        XCTAssertEqual(error?.kind, .cancelled)
        XCTAssertEqual(error?.methodName, "number")
        backend.gate.open()
    }
}
