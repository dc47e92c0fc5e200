import XCTest

@testable import DiscreteNetworkingCore

/// The steps of a call stand at their places, in whatever order they were added.
final class StepPlaceTests: XCTestCase {
    private struct Noted<Place: StandingPlace>: CallStep {
        static var place: StepPlace { Place.place }
        let run: Locked<[StepPlace]>

        func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
            run.withLock { $0.append(Self.place) }
            guard Self.place != .exchange else { throw .over }
            return try await rest(&attempt)
        }
    }

    private enum Deadline: StandingPlace { static let place = StepPlace.deadline }
    private enum Session: StandingPlace { static let place = StepPlace.session }
    private enum Request: StandingPlace { static let place = StepPlace.request }
    private enum Exchange: StandingPlace { static let place = StepPlace.exchange }

    @MainActor
    func testTheOrderIsThatOfThePlaces() async throws {
        struct Backend: Service { let baseURL = URL(string: "https://api.example.com")! }
        let call = APICall(
            serviceIdentifier: "backend", methodName: "items", requestType: .get, params: [:],
            outputType: NoContent.self, managerType: ManagerType(BaseAPIManager.self))
        for seed in 0..<24 {
            let run = Locked<[StepPlace]>([])
            var all: [any CallStep] = [
                Noted<Deadline>(run: run), Noted<Session>(run: run), Noted<Request>(run: run),
                Noted<Exchange>(run: run),
            ]
            var steps = CallSteps(room: 4)
            var number = seed
            while !all.isEmpty {
                let count = all.count
                steps.add(all.remove(at: number % count))
                number /= count
            }
            var attempt = Attempt(
                call, ServiceInstance(Backend()),
                over: RedirectFollower(transport: ClosureTransport(json: ""), redaction: .standard))
            do throws(Interruption) { _ = try await steps(&attempt) } catch {}
            XCTAssertEqual(run.current, [.deadline, .session, .request, .exchange], "order \(seed)")
        }
    }
}

private protocol StandingPlace: Sendable { static var place: StepPlace { get } }
