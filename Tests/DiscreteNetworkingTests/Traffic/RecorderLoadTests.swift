import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// A recorder whose limits remove calls that are still in flight.
@MainActor
final class RecorderLoadTests: XCTestCase {
    func testCallsThatAreRemovedWhileTheyRunAreNotRecordedFurther() async throws {
        let recorder = TrafficRecorder(limits: .init(calls: 100, bytes: 300_000))
        let gate = HeldGate()
        let stack = Stack(GatedTransport(gate: gate)).observed(by: recorder)
        let tasks = (0..<1000).map { number in
            Task { try await stack.manager(TestManager<JSONValue>()).load(with: ["n": number]) }
        }
        while gate.waiting < 1000 { await Task.yield() }
        XCTAssertLessThanOrEqual(recorder.changes(since: 0, atMost: 2000).count, 100)
        gate.open()
        for task in tasks { _ = try await task.value }

        let calls = recorder.changes(since: 0, atMost: 2000)
        XCTAssertLessThanOrEqual(calls.count, 100)
        XCTAssertEqual(calls.filter { $0.state != "succeeded" }.count, 0)
        let pages = recorder.archive()["log"]?["pages"]?.array ?? []
        XCTAssertEqual(pages.count, calls.count)
        XCTAssertEqual(recorder.archive()["log"]?["entries"]?.array?.count, calls.count)
        XCTAssertEqual(recorder.oldest, calls.map(\.requestID).min())
        XCTAssertEqual(recorder.bytes, calls.reduce(0) { $0 + $1.bytes })
        XCTAssertLessThanOrEqual(recorder.bytes, 300_000)
    }

    /// Each part of a call is counted: the recorder's own figure grows by at least as much.
    func testEveryPartOfACallIsCounted() async throws {
        let long = String(repeating: "x", count: 100_000)
        func bytes(
            _ answer: TransportResponse? = nil, _ change: (inout TestService.Rules) -> Void = { _ in },
            prepare: (TestManager<JSONValue>) -> Void = { _ in }, with params: Params = [:]
        ) async -> Int {
            let recorder = TrafficRecorder()
            let stack = Stack(
                ClosureTransport { request in
                    if request.url.path.hasSuffix("/hop") || answer?.status != 302 {
                        return answer.flatMap { $0.status == 302 ? nil : $0 }
                            ?? TransportResponse(request, json: "{}")
                    }
                    return answer ?? TransportResponse(request, json: "{}")
                }, change
            ).observed(by: recorder)
            let manager = stack.manager(TestManager<JSONValue>())
            manager.requestType = .post
            prepare(manager)
            _ = await failure(manager, with: params)
            XCTAssertEqual(recorder.bytes, recorder.changes(since: 0, atMost: 1).first?.bytes)
            return recorder.bytes
        }
        func answer(_ status: Int, _ headers: HTTPFields, _ json: String) -> TransportResponse {
            TransportResponse(
                url: URL(string: "https://api.example.com")!, status: status, headers: headers,
                body: .data(Data(json.utf8)))
        }
        let plain = await bytes()
        XCTAssertLessThan(plain, 16_000)
        let envelope = Envelope(code: "code", message: "msg")
        let parts: [(String, Int)] = [
            // In the call, in the params of the body, and in the body.
            ("params", await bytes(with: ["q": long]) / 3),
            ("query", await bytes(prepare: { $0.requestType = .get }, with: ["q": long]) / 2),
            ("header", await bytes(prepare: { $0.ownHeaders = ["X": long] })),
            ("body", await bytes(prepare: { $0.ownEncoding = .raw(Data(long.utf8), contentType: "a/b") })),
            ("plain body", await bytes(nil, { $0.transform = { _ in Shortening() } }, with: ["q": long]) / 3),
            ("response", await bytes(answer(200, [:], "\"\(long)\""))),
            ("response's header", await bytes(answer(200, ["X": long], "{}"))),
            ("redirect", await bytes(answer(302, ["Location": "/hop?\(long)"], "")) / 3),
            (
                "message",
                await bytes(answer(200, [:], #"{"code":1,"msg":"\#(long)"}"#), { $0.envelope = envelope })
            ),
        ]
        for (name, count) in parts {
            XCTAssertGreaterThanOrEqual(count, 100_000, name)
            XCTAssertLessThan(count, 300_000, name)
        }
    }

    /// What is kept of a body is a copy: a slice would keep all of what it is from.
    func testASliceOfALargeBodyIsCopied() {
        let whole = Data(repeating: 7, count: 1 << 20)
        let kept = RecordedResponse.kept(whole[100..<200], limit: 1000)
        XCTAssertEqual(kept, Data(repeating: 7, count: 100))
        XCTAssertEqual(kept.startIndex, 0)
        XCTAssertEqual(RecordedResponse.kept(whole, limit: 1000).count, 1000 + RecordedResponse.reserve)
    }
}

private struct Shortening: BodyTransform {
    func encode(_ request: inout APIRequest, for call: APICall) { request.body = .data(Data("x".utf8)) }
}

/// Opens once for all.
private final class HeldGate: Sendable {
    private let state = Locked<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
    var waiting: Int { state.withLock { $0.waiting.count } }
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

private struct GatedTransport: Transport {
    let gate: HeldGate
    func send(_ request: APIRequest) async throws -> TransportResponse {
        await gate.wait()
        return TransportResponse(request, json: "{}")
    }
}
