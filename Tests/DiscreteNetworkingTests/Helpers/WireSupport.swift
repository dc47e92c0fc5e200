import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

extension XCTestCase {
    /// A server for the length of one test.
    func serve(_ handler: @escaping LoopbackRoute.Handler) throws -> LoopbackServer {
        let server = try LoopbackServer(handler: handler)
        addTeardownBlock { server.stop() }
        return server
    }
}

extension LoopbackServer {
    /// A request to this server; without a timeout, so that no limit ends what a test waits for.
    func request(
        _ path: String = "/", _ method: HTTPMethod = .get, headers: HTTPFields = [:],
        body: RequestBody = .none, limit: Int = 64 << 20
    ) -> APIRequest {
        guard let url = URL(string: baseURL.absoluteString + path) else { preconditionFailure(path) }
        return APIRequest(
            url: url, method: method, headers: headers, body: body, timeout: .infinity,
            destination: .memory(limit: limit))
    }
}

extension Transport {
    func outcome(of request: APIRequest) async -> Result<TransportResponse, TransportError> {
        await RedirectFollower(transport: self, redaction: .standard).outcome(of: request).mapError(\.error)
    }

    /// The kind of the error that a request ends with; `nil` where it ends with a response.
    func failure(_ request: APIRequest) async -> TransportError.Kind? {
        await outcome(of: request).error?.kind
    }
}

extension Result where Failure == TransportError {
    var error: TransportError? { if case .failure(let error) = self { error } else { nil } }
}

extension TransportResponse {
    /// The body in memory.
    var data: Data { if case .data(let data) = body { data } else { Data() } }
    var text: String { String(decoding: data, as: UTF8.self) }
}

extension Data {
    init(hex: String) {
        let digits = Array(hex)
        self.init(
            stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            })
    }
}

/// Small pseudo-random numbers that are the same in every run (SplitMix64).
struct FixedRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        // The masking shifts are not generic, so that debug builds are fast, too.
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    /// Returns bytes of all values, eight at a time.
    mutating func bytes(_ count: Int) -> Data {
        var bytes = Data(capacity: count + 8)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
        return bytes.prefix(count)
    }
}

/// Returns bytes that count up, and begin again after 255.
func countingBytes(_ count: Int, from first: UInt8 = 0) -> Data {
    var bytes = Data(capacity: count + 512)
    while bytes.count < Int(first) + count { bytes.append(allBytes) }
    return Data(bytes.dropFirst(Int(first)).prefix(count))
}

private let allBytes = Data(0...255)
