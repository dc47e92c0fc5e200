import Foundation

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingJSON

extension FuzzTarget {
    private static let paths: [JSONPath] = [[], "a", "a.b", "0", "content.0.id", "é"]

    /// The parser and the locator accept the same texts and find the same values, and what is written is read again.
    static let json = FuzzTarget(name: "json") { data in
        // A slice, as an envelope makes one.
        let data = (Data([0]) + data).dropFirst()
        let value = try? JSONValue(parsing: data)
        let found = try? JSONLocator(data).locate(all: paths)
        try expect((value == nil) == (found == nil), "parser \(value == nil), locator \(found == nil)")
        guard let value, let found else { return }
        for (path, range) in zip(paths, found) {
            let located = try range.map { try JSONValue(parsing: data[$0]) }
            try expect(located == value[path: path], "\(path): \(located as Any)")
        }
        let again = try JSONValue(parsing: value.canonicalData)
        try expect(again == value, "canonical \(value.canonicalText)")
        try expect(again.hashValue == value.hashValue, "equal values, other hashes")
        if let number = value.number { _ = (number.int, number.double, number.int64) }
    }

    private final class EnvelopedService: Service {
        var baseURL: URL { URL(string: "https://api.example.com")! }
        func envelope(for call: APICall) -> Envelope? {
            Envelope(code: "code", message: "msg", payload: "a")
                .containing(Envelope(code: "c", success: [0, "0"], payload: "d"))
        }
    }

    /// Whatever a server answers, it is an output or an error that says where and why.
    static let envelope = FuzzTarget(name: "envelope") { data in
        let outputs: [any (Decodable & Sendable).Type] = [JSONValue.self, String.self, [Int: Date?].self]
        for output in outputs {
            let call = APICall(
                requestID: .next(), serviceIdentifier: "fuzz", methodName: "m", requestType: .get,
                params: [:],
                tag: nil, overrides: APICall.Overrides(), outputType: output,
                managerType: ManagerType(BaseAPIManager.self)
            )
            let url = URL(string: "https://api.example.com/m")!
            let response = APIResponse(
                requestID: call.requestID,
                response: TransportResponse(url: url, status: 200, body: .data(data)))
            do throws(CallFailure) {
                let read = try ResponseReader(
                    call, CallPlan(call, ServiceInstance(EnvelopedService()).configured)
                ).read(response)
                try expectOutput(read)
            } catch {
                let text = "\(APIError(error.kind, call: call, response: response, redaction: .standard))"
                try expect(!text.isEmpty, "no text")
            }
        }
    }

    private static func expectOutput(_ response: APIResponse) throws(CallFailure) {
        guard response.output == nil else { return }
        preconditionFailure("neither output nor error")
    }

    /// The answer of a token endpoint.
    static let tokenAnswer = FuzzTarget(name: "tokenAnswer") { data in
        guard let answer = try? JSONDecoder().decode(TokenResponse.self, from: data) else { return }
        try expect(!answer.accessToken.isEmpty, "an empty token")
        try expect(answer.expiresIn.map(\.isFinite) ?? true, "\(answer.expiresIn as Any) s")
    }
}
