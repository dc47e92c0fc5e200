import DiscreteNetworking
import Foundation
import XCTest

extension ServiceIdentifier { static let depot: Self = "depot" }

final class DepotService: Service {
    var baseURL: URL { URL(string: "https://depot.example.com/api")! }
    func extraParams(for call: APICall) -> Params { ["cid": "1"] }
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
}

struct Parcel: Decodable, Sendable {
    enum State: String, Decodable, Sendable { case packed, shipped }
    let id: Int
    let state: State
    let courier: String?
    let sent: Date?
}

final class ParcelManager: APIManager<Parcel> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "parcels/{id}"
    let requestType = HTTPMethod.get
}

final class AnythingManager: APIManager<JSONValue> {
    var serviceIdentifier = ServiceIdentifier.depot
    var methodName = "anything"
    var requestType = HTTPMethod.post
    var ownEncoding: (any ParamEncoding)?
    var ownHeaders: [String: String] = [:]
    override var encoding: (any ParamEncoding)? { ownEncoding }
    override var headers: [String: String] { ownHeaders }
}

/// Answers from a list, the last one again and again, and remembers what it was asked.
final class CannedTransport: Transport {
    private let answers: Locked<[TransportResponse]>
    private let seen = Locked<[APIRequest]>([])

    init(_ bodies: String..., status: Int = 200, type: String = "application/json") {
        let url = URL(string: "https://depot.example.com")!
        answers = Locked(
            bodies.map {
                TransportResponse(
                    url: url, status: status, headers: ["Content-Type": type], body: .data(Data($0.utf8)))
            })
    }

    init(_ responses: [TransportResponse]) { answers = Locked(responses) }

    var requests: [APIRequest] { seen.current }

    func send(_ request: APIRequest) async throws -> TransportResponse {
        seen.withLock { $0.append(request) }
        return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
}

extension ApiProxy {
    static func depot(over transport: any Transport) -> ApiProxy {
        let services = ServiceFactory()
        services.register([.depot: DepotService.self])
        return ApiProxy(transport: transport, services: services)
    }
}

extension XCTestCase {
    /// A folder for the length of one test.
    func temporaryFolder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "contracts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        addTeardownBlock { try? FileManager.default.removeItem(at: url) }
        return url
    }
}

func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

/// SplitMix64, seeded: every run makes the same documents.
struct SeededRandom {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ z >> 31) % UInt64(bound))
    }

    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    mutating func key() -> String {
        pick([
            "a", "b", "c", "id", "state", "", "$", "0", "file.name", "x[]", "say \"hi\"", "é", "e\u{301}",
            "世\n",
        ])
    }

    mutating func value(depth: Int = 4) -> JSONValue {
        switch below(depth > 0 ? 10 : 6) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .number(JSONNumber(below(1000)))
        case 3: return .number(JSONNumber(literal: "\(below(10)).5\(pick(["", "e3"]))")!)
        case 4: return .string(pick(["packed", "shipped", "在路上", "", "2026-11-21", "https://example.com/a"]))
        case 5:
            return .string(pick(["x\u{0}", "2026-11-21T10:00:00Z", "0f8fad5b-d9cb-469f-a165-70867728950e"]))
        case 6:
            // Alike, as the rows of a table are.
            let keys = (0..<3).map { _ in key() }
            return .array(
                (0..<below(4)).map { _ in
                    .object(Dictionary(keys.map { ($0, .number(JSONNumber(below(9)))) }) { $1 })
                })
        case 7: return .array((0..<below(5)).map { _ in value(depth: depth - 1) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<below(5) { members[key()] = value(depth: depth - 1) }
            return .object(members)
        }
    }
}
