import Foundation

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

extension FailoverTests {
    /// Hosts `a`, `b` and `c`, each with what becomes of a request there; its name answers by default.
    final class Hosts: Sendable {
        typealias Answer = @Sendable (APIRequest) async throws -> TransportResponse
        let answers = Locked<[String: Answer]>([:])
        let asked = Locked<[String]>([])

        func fail(_ names: String..., with kind: TransportError.Kind = .cannotConnect) {
            set(names) { _ in throw TransportError(kind, message: "It is down.") }
        }
        func work(_ names: String...) { answers.withLock { for name in names { $0[name] = nil } } }
        func set(_ names: [String], _ answer: @escaping Answer) {
            answers.withLock { for name in names { $0[name] = answer } }
        }

        var transport: ClosureTransport {
            ClosureTransport { [self] request in
                let name = String(request.url.host?.prefix(1) ?? "")
                asked.withLock { $0.append(name) }
                return try await answers.current[name]?(request) ?? Self.answer(request)
            }
        }

        static func answer(_ request: APIRequest, status: Int = 200) -> TransportResponse {
            TransportResponse(
                url: request.url, status: status,
                headers: ["Content-Type": "application/json", "ETag": #""1""#],
                body: .data(Data(#"{"id":1,"name":"\#(request.url.host ?? "")"}"#.utf8)))
        }

        /// Where the requests went since this was asked last.
        var log: String {
            asked.withLock { asked in
                defer { asked = [] }
                return asked.joined()
            }
        }
    }
}
