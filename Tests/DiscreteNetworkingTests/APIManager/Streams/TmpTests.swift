import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

@MainActor
final class TmpTests: XCTestCase {
    func testA() async throws {
        let body = HandFedBody()
        do {
            let transport = StubTransport { TransportResponse(url: $0.url, status: 200, body: body.body) }
            let stream = try await Stack(transport).manager(StreamManager()).load()
            body.feed("abcdef")
            var count = 0
            for try await _ in stream {
                count += 1
                if count == 3 { break }
            }
        }
        FileHandle.standardError.write(Data(("A waits" + "\n").utf8))
        await body.abandonment()
        FileHandle.standardError.write(Data(("A done" + "\n").utf8))
    }
    func testB() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 1 << 30)) }
        do {
            let stream = try await Stack(server).manager(StreamManager()).load()
            _ = stream
        }
        FileHandle.standardError.write(Data(("B waits" + "\n").utf8))
        await server.waitForOpenConnections(atMost: 0)
        FileHandle.standardError.write(Data(("B done" + "\n").utf8))
    }
    func testC() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 1 << 30)) }
        let transport = StandardTransport.make()
        do {
            var r = server.request()
            r.destination = .stream
            let response = try await transport.send(r)
            _ = response
        }
        FileHandle.standardError.write(Data(("C waits" + "\n").utf8))
        await server.waitForOpenConnections(atMost: 0)
        FileHandle.standardError.write(Data(("C done" + "\n").utf8))
    }
    func testD() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 1 << 30)) }
        let transport = StandardTransport.make()
        do {
            var r = server.request()
            r.destination = .stream
            let response = try await transport.send(r)
            if case .stream(let s) = response.body { 
              let stream = AsyncThrowingStream<Data, any Error> { try await s.next() }
              _ = try await stream.next()
            }
        }
        FileHandle.standardError.write(Data(("D waits" + "\n").utf8))
        await server.waitForOpenConnections(atMost: 0)
        FileHandle.standardError.write(Data(("D done" + "\n").utf8))
    }
}
