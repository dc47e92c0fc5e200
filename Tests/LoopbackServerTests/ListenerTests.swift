import XCTest

@testable import LoopbackServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A listening socket that the system takes away, as iOS does while an app is suspended.
final class ListenerTests: XCTestCase {
    /// The descriptor of the socket that listens at a port.
    private func listener(at port: UInt16) -> Int32? {
        (3..<2048).first { descriptor in
            var isListening: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0
                && isListening != 0 && Socket(descriptor: descriptor).port == port
        }
    }

    /// - Returns: Whether the server listens again.
    private func takeAway(_ descriptor: Int32, port: UInt16) async -> Bool {
        shutdown(descriptor, Int32(SHUT_RDWR))
        for _ in 0..<100_000 {
            if listener(at: port) != nil { return true }
            await Task.yield()
        }
        return false
    }

    func testAListenerThatTheSystemTookAwayIsOpenedAgain() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        for round in 1...3 {
            let descriptor = try XCTUnwrap(listener(at: server.port))
            let isBack = await takeAway(descriptor, port: server.port)
            guard isBack else { return XCTFail("round \(round)") }
            let client = RawClient(server.port)
            client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            XCTAssertTrue(client.read(until: "ok").hasSuffix("ok"))
        }
    }

    func testAListenerEndsWithItsServer() throws {
        let wake = try WakePipe()
        wake.wake()
        var listener = try Listener(port: 0, ofAllInterfaces: false)
        XCTAssertNil(listener.next(or: wake))
        listener.close()
        let other = try Socket.listening(on: listener.port, ofAllInterfaces: false)
        defer { other.discard() }
        XCTAssertNil(listener.next(or: wake), "somebody else has the port")
    }
}
