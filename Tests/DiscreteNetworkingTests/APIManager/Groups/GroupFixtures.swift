import Foundation

@testable import DiscreteNetworkingCore

struct User: Decodable, Sendable, Equatable { let uid: Int }

/// A backend of three endpoints whose names say what they do: `user` and `number` answer, `broken` fails.
/// What is held waits at the gate.
final class Backend: Sendable {
    let gate = Gate()
    let held: Locked<Set<String>>
    let broken: Locked<Set<String>>
    private let counts = Locked((now: 0, most: 0))

    init(holding held: Set<String> = [], broken: Set<String> = []) {
        self.held = Locked(held)
        self.broken = Locked(broken)
    }

    /// The most requests there were at once.
    var most: Int { counts.current.most }

    var transport: ClosureTransport {
        ClosureTransport { request in
            let name = request.url.lastPathComponent
            self.counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            defer { self.counts.withLock { $0.now -= 1 } }
            if self.held.current.contains(name) { await self.gate.pass() }
            if self.broken.current.contains(name) {
                return TransportResponse(request, json: "{}", status: 500)
            }
            switch name {
            case "user": return TransportResponse(request, json: #"{"uid":7}"#)
            default: return TransportResponse(request, json: request.query("n") ?? "1")
            }
        }
    }
}

extension Stack {
    @MainActor
    func user(_ name: String = "user") -> TestManager<User> {
        let user = manager(TestManager<User>())
        user.methodName = name
        return user
    }

    @MainActor
    func number(_ name: String = "number") -> TestManager<Int> {
        let number = manager(TestManager<Int>())
        number.methodName = name
        return number
    }
}

/// A delegate that writes down what it is told.
@MainActor
final class GroupScreen: APIGroupDelegate {
    var events: [String] = []
    func groupDidSucceed(_ group: BaseAPIGroup) { events.append("success \(group.isLoading)") }
    func groupDidFail(_ group: BaseAPIGroup) { events.append("failure \(group.failedIndex ?? -1)") }
    func group(_ group: BaseAPIGroup, didProgress progress: APIGroupProgress) {
        events.append("\(progress.finished)/\(progress.total)")
    }
}

extension ClosureTransport {
    var names: [String] { requests.map { $0.url.lastPathComponent } }
}

/// The error that a group or chain throws.
@MainActor
func failure<Output>(_ group: TypedAPIGroup<Output>) async -> APIError? {
    do throws(APIError) {
        _ = try await group.load()
        return nil
    } catch {
        return error
    }
}
