import Foundation

@testable import DiscreteNetworkingCore

/// A transport that answers with a closure and remembers what it was asked.
final class ClosureTransport: Transport {
    typealias Answer = @Sendable (APIRequest) async throws -> TransportResponse

    private let answer: Answer
    private let seen = Locked<[APIRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// Always the same JSON.
    convenience init(
        json: String, status: Int = 200, headers: HTTPFields = ["Content-Type": "application/json"]
    ) {
        self.init { request in
            TransportResponse(
                url: request.url, status: status, headers: headers, body: .data(Data(json.utf8)))
        }
    }

    var requests: [APIRequest] { seen.current }

    func send(_ request: APIRequest) async throws -> TransportResponse {
        seen.withLock { $0.append(request) }
        return try await answer(request)
    }
}

extension TransportResponse {
    init(_ request: APIRequest, json: String, status: Int = 200) {
        self.init(url: request.url, status: status, body: .data(Data(json.utf8)))
    }
}

/// One that needs the network.
struct Wire: Transport {
    let stub: ClosureTransport
    func send(_ request: APIRequest) async throws -> TransportResponse { try await stub.send(request) }
    func needsNetwork(for url: URL) -> Bool { true }
}
