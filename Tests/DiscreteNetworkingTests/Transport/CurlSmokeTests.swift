import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

final class CurlSmokeTests: XCTestCase {
    func testGet() async throws {
        let server = try serve { request in
            .json(#"{"path": "\#(request.target)"}"#).adding("X-Dup", "1").adding("x-dup", "2")
        }
        let transport = try CurlTransport()
        for _ in 0..<3 {
            let response = try await transport.send(server.request("/a?b=c"))
            XCTAssertEqual(response.status, 200)
            XCTAssertEqual(response.text, #"{"path": "/a?b=c"}"#)
            XCTAssertEqual(response.headers.values(of: "X-DUP"), ["1", "2"])
            print(response.headers.map { "\($0.name): \($0.value)" }, response.metrics as Any)
        }
    }

    func testPost() async throws {
        let server = try serve { request in
            .data(request.body).adding("M", request.method).adding(
                "H", request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "|"))
        }
        let transport = try CurlTransport()
        for size in [0, 1, 100, 20_000, 1 << 20] {
            for method: HTTPMethod in [.post, .put, .delete, .get, "ODD"] {
                let body = LoopbackResponse.pattern(count: size)
                let response = try await transport.send(server.request("/", method, body: .data(body)))
                XCTAssertEqual(response.data, body, "\(method) \(size)")
                XCTAssertEqual(response.headers["M"], method.rawValue)
                if size < 200 { print(method, response.headers["H"]!) }
            }
        }
        let stream = RequestBody.stream(length: nil) {
            AsyncThrowingStream { c in
                for i in 0..<1000 { c.yield(Data(repeating: UInt8(i & 255), count: 1000)) }
                c.finish()
            }
        }
        let response = try await transport.send(server.request("/", .post, body: stream))
        XCTAssertEqual(response.data.count, 1_000_000)
        print(response.headers["H"]!)
    }

    func testStream() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 10_000_000)) }
        let transport = try CurlTransport()
        var request = server.request()
        request.destination = .stream
        let response = try await transport.send(request)
        guard case .stream(let stream) = response.body else { return XCTFail() }
        var all = Data()
        for try await piece in stream { all.append(piece) }
        XCTAssertEqual(all, LoopbackResponse.pattern(count: 10_000_000))
    }

    func testConcurrent() async throws {
        let server = try serve { request in .text(request.target) }
        let transport = try CurlTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for i in 0..<1000 {
                group.addTask {
                    let response = try await transport.send(server.request("/\(i)"))
                    precondition(response.text == "/\(i)")
                }
            }
            try await group.waitForAll()
        }
    }
}
