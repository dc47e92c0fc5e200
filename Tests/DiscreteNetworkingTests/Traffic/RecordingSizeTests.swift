import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

#if canImport(Glibc)
    import Glibc
#endif

/// A recording takes no more memory than its limit says, whatever a call consists of.
@MainActor
final class RecordingSizeTests: XCTestCase {
    private static let limit = FullLength.rounds(4, of: 8) << 20

    /// The resident memory after what is free was given back to the system.
    private func resident() throws -> Int {
        #if canImport(Glibc)
            if let symbol = dlsym(nil, "malloc_trim") {
                typealias Trim = @convention(c) (Int) -> Int32
                _ = unsafeBitCast(symbol, to: Trim.self)(0)
            }
        #endif
        return try XCTUnwrap(Memory.resident)
    }

    private func checkMemory(
        _ name: String, _ transport: any Transport, calls: Int, line: UInt = #line,
        _ change: (inout TestService.Rules) -> Void = { _ in },
        call: (Stack, Int) async throws -> Void
    ) async throws {
        try XCTSkipIf(Memory.resident == nil, "reads Linux's /proc, and a sanitizer keeps what was freed")
        let recorder = TrafficRecorder(limits: .init(calls: 1000, bytes: Self.limit))
        let stack = Stack(transport, change)
        // What a first call needs is not the recorder's.
        try await call(stack, 0)
        stack.proxy.addObserver(recorder)
        let before = try resident()
        for number in 1...calls { try await call(stack, number) }
        let growth = try resident() - before
        XCTAssertLessThan(growth, Self.limit * 3 / 2 + (2 << 20), "\(name): \(growth >> 20) MiB", line: line)
        withExtendedLifetime(recorder) {}
    }

    private func bytes(_ count: Int, _ number: Int) -> Data {
        Data(repeating: UInt8(ascii: "a") + UInt8(number % 26), count: count)
    }

    private func text(_ count: Int, _ number: Int) -> String {
        String(decoding: bytes(count, number), as: UTF8.self)
    }

    func testLongQueriesAndParamsAreCounted() async throws {
        try await checkMemory("queries", Echo.small, calls: FullLength.rounds(30, of: 60)) { stack, number in
            _ = try await stack.manager(TestManager<JSONValue>()).load(with: ["q": self.text(200_000, number)]
            )
        }
        try await checkMemory("many small params", Echo.small, calls: FullLength.rounds(20, of: 60)) {
            stack, number in
            let manager = stack.manager(TestManager<JSONValue>())
            manager.requestType = .post
            let values = Dictionary(
                uniqueKeysWithValues: (0..<5000).map {
                    ("n\($0)", JSONValue.array([.number(JSONNumber(number))]))
                })
            _ = try await manager.load(with: ["values": JSONValue.object(values)])
        }
    }

    func testLargeBodiesAreCounted() async throws {
        try await checkMemory("bodies", Echo.small, calls: FullLength.rounds(12, of: 24)) { stack, number in
            let manager = stack.manager(TestManager<JSONValue>())
            manager.requestType = .post
            manager.ownEncoding = .raw(self.bytes(2_000_000, number), contentType: "text/plain")
            _ = try await manager.load()
        }
        try await checkMemory("params in a body", Echo.small, calls: FullLength.rounds(12, of: 24)) {
            stack, number in
            let manager = stack.manager(TestManager<JSONValue>())
            manager.requestType = .post
            _ = try await manager.load(with: ["q": self.text(2_000_000, number)])
        }
        try await checkMemory("responses", Echo.large, calls: FullLength.rounds(15, of: 30)) {
            stack, number in
            _ = try await stack.manager(TestManager<JSONValue>()).load(with: ["n": number])
        }
    }

    func testBodiesBeforeATransformAreCounted() async throws {
        try FullLength.require()
        try await checkMemory(
            "transforms", Echo.small, calls: 24, { $0.transform = { _ in Shrinking() } },
            call: { stack, number in
                let manager = stack.manager(TestManager<JSONValue>())
                manager.requestType = .post
                _ = try await manager.load(with: ["q": self.text(2_000_000, number)])
            })
    }

    func testRedirectsHeadersAndErrorsAreCounted() async throws {
        try FullLength.require()
        try await checkMemory("redirects", Echo.redirects, calls: 20) { stack, number in
            _ = try await stack.manager(TestManager<JSONValue>()).load(with: ["q": self.text(20_000, number)])
        }
        try await checkMemory("headers", Echo.headers, calls: 60) { stack, number in
            let manager = stack.manager(TestManager<JSONValue>())
            manager.ownHeaders = ["X-Long": self.text(200_000, number)]
            _ = try await manager.load()
        }
        try await checkMemory(
            "errors", Echo.failing, calls: 30, { $0.envelope = Envelope(code: "code", message: "msg") },
            call: { stack, number in
                _ = await failure(stack.manager(TestManager<JSONValue>()), with: ["n": number])
            })
    }

    /// A service that repeats a call for a long time: what is kept of one call is limited too.
    func testOneCallWithManyAttemptsIsLimited() async throws {
        try await checkMemory(
            "attempts", Echo.unavailable, calls: 1,
            {
                $0.retryLimit = 60
                $0.intercept = { $0.attempt < 50 ? .retry : .report }
            },
            call: { stack, number in
                guard number == 1 else { return }
                _ = await failure(stack.manager(TestManager<JSONValue>()))
            })
    }
}

/// Servers that answer in some way, and remember nothing.
private struct Echo: Transport {
    let answer: @Sendable (APIRequest) -> TransportResponse
    func send(_ request: APIRequest) async throws -> TransportResponse { answer(request) }

    private static let longText = String(
        decoding: Data(repeating: UInt8(ascii: "u"), count: 900_000), as: UTF8.self)

    static let small = Echo { TransportResponse($0, json: "{}") }
    static let large = Echo { request in
        TransportResponse(request, json: "\"" + longText + "\"")
    }
    static let headers = Echo { request in
        var response = TransportResponse(request, json: "{}")
        response.headers.append("X-Long", String(repeating: "h", count: 200_000))
        return response
    }
    static let redirects = Echo { request in
        let hops = request.url.path.split(separator: "/").count
        guard hops < 8 else { return TransportResponse(request, json: "{}") }
        let path = request.url.path + "/r?" + String(repeating: "r", count: 100_000)
        return TransportResponse(url: request.url, status: 302, headers: ["Location": path])
    }
    static let failing = Echo { request in
        TransportResponse(request, json: #"{"code":1,"msg":"\#(String(repeating: "m", count: 400_000))"}"#)
    }
    static let unavailable = Echo { request in
        TransportResponse(request, json: longText, status: 503)
    }
}

/// An encryption that leaves little.
private struct Shrinking: BodyTransform {
    func encode(_ request: inout APIRequest, for call: APICall) { request.body = .data(Data("x".utf8)) }
}
