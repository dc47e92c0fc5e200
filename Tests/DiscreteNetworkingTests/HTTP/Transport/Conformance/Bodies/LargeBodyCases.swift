import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Bodies far larger than the memory they may take.
extension BodiesConformance {
    /// A gigabyte where `CI_LARGE_BODIES` is 1, otherwise a quarter of it.
    private static let large =
        ProcessInfo.processInfo.environment["CI_LARGE_BODIES"] == "1" ? 1 << 30 : 256 << 20
    /// What a transfer may add to the resident memory of this process, which has the server in it and what
    /// the cases before left to the allocator.
    private static let allowance = 96 << 20

    func testALargeBodyDownWithFlatMemory() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: Self.large)) }
        let memory = MemoryWatch()
        var count = 0
        var nextLook = 0
        let request = Delivery.stream.apply(to: server.request())
        for try await piece in try await transport.send(request).stream() {
            count += piece.count
            guard count >= nextLook else { continue }
            nextLook += 8 << 20
            memory.look()
        }
        XCTAssertEqual(count, Self.large)
        XCTAssertLessThan(memory.growth, Self.allowance)
    }

    func testALargeBodyUpFromAFileWithFlatMemory() async throws {
        let server = try LoopbackServer(bodyLimit: 2 << 30, keepsBodies: false) { .text("\($0.bodyCount)") }
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        // 251 KB is a whole number of the pattern's periods.
        let block = LoopbackResponse.pattern(count: 251 << 12)
        let blocks = Self.large / block.count
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for _ in 0..<blocks { try handle.write(contentsOf: block) }
        try handle.close()
        let memory = MemoryWatch()
        var request = server.request("/", .post, body: .file(file))
        request.onProgress = { _ in memory.look() }
        let response = try await transport.send(request)
        XCTAssertEqual(response.text, "\(blocks * block.count)")
        XCTAssertEqual(server.requests.map(\.bodyIsPattern), [true])
        XCTAssertLessThan(memory.growth, Self.allowance)
    }

    func testALargeBodyUpFromAStreamWithFlatMemory() async throws {
        let server = try LoopbackServer(bodyLimit: 2 << 30, keepsBodies: false) { .text("\($0.bodyCount)") }
        defer { server.stop() }
        let memory = MemoryWatch()
        let block = LoopbackResponse.pattern(count: 251 << 11)
        let blocks = Self.large / block.count
        let body = RequestBody.stream(length: nil) {
            let sent = Locked(0)
            return AsyncThrowingStream {
                memory.look()
                return sent.withLock { sent in
                    sent += 1
                    return sent <= blocks ? block : nil
                }
            }
        }
        let response = try await transport.send(server.request("/", .post, body: body))
        XCTAssertEqual(response.text, "\(blocks * block.count)")
        XCTAssertEqual(server.requests.map(\.bodyIsPattern), [true])
        XCTAssertLessThan(memory.growth, Self.allowance)
    }
}
