import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

extension ServiceIdentifier { static let signed: Self = "signed" }

/// A service with a signer.
final class SignedService: Service {
    struct Rules: Sendable {
        var baseURL = URL(fileURLWithPath: "/")
        var compression = RequestCompression.off
        var signer: @Sendable (APICall) -> (any RequestSigner)? = { _ in nil }
        var intercept: @Sendable (FailureContext) -> FailureDisposition = { _ in .report }
    }

    private let rules: Rules

    convenience init() { self.init(Rules()) }
    init(_ rules: Rules) { self.rules = rules }

    var baseURL: URL { rules.baseURL }
    var configuration: ServiceConfiguration { ServiceConfiguration(requestCompression: rules.compression) }
    func signer(for call: APICall) -> (any RequestSigner)? { rules.signer(call) }
    func intercept(_ failure: FailureContext) async -> FailureDisposition { rules.intercept(failure) }
}

final class SignedManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.signed
    var methodName = "orders"
    var requestType = HTTPMethod.get
    var ownEncoding: (any ParamEncoding)?
    var ownSample: SampleResponse?
    var ownCache = CachePolicy.none
    override var encoding: (any ParamEncoding)? { ownEncoding }
    override var sample: SampleResponse? { ownSample }
    override var cachePolicy: CachePolicy { ownCache }

    /// A manager of a service with these rules.
    convenience init(
        over transport: (any Transport)? = nil, _ method: HTTPMethod = .get,
        _ change: (inout SignedService.Rules) -> Void
    ) {
        self.init()
        var rules = SignedService.Rules()
        change(&rules)
        let services = ServiceFactory { _ in }
        services.register([.signed: { [rules] in SignedService(rules) }])
        proxy = ApiProxy(transport: transport, services: services)
        requestType = method
    }
}

extension APIRequest {
    /// A request to sign.
    init(
        _ method: String, _ url: String, headers: HTTPFields = [:], body: String? = nil
    ) throws {
        self.init(
            url: try XCTUnwrap(URL(string: url)), method: HTTPMethod(rawValue: method), headers: headers,
            body: body.map { .data(Data($0.utf8)) } ?? .none)
    }

    /// The request after it was signed.
    func signed(by signer: some RequestSigner) async throws -> APIRequest {
        var request = self
        try await signer.sign(&request, for: .any)
        return request
    }
}

extension APICall {
    static var any: APICall {
        APICall(
            serviceIdentifier: .signed, methodName: "", requestType: .get, params: [:],
            outputType: JSONValue.self, managerType: ManagerType(SignedManager.self))
    }
}

extension Date {
    /// A time as `20150830T123600Z`.
    init(amazon text: String) throws {
        let parser = DateFormatter()
        parser.locale = Locale(identifier: "en_US_POSIX")
        parser.timeZone = TimeZone(secondsFromGMT: 0)
        parser.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        self = try XCTUnwrap(parser.date(from: text))
    }
}

/// Random numbers that are the same in each run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func text(_ lengths: ClosedRange<Int> = 0...8, from letters: String? = nil) -> String {
        let letters = Array(letters ?? "abcXYZ019-._~ &=+%/?#;:@!$'()*,[]{}\"\\|<>^`éß茶🫖")
        let length = Int.random(in: lengths, using: &self)
        return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &self)] })
    }
}
