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

    // MARK: What a listener asks of the system

    private enum Step: Equatable {
        case listen(UInt16, ofAllInterfaces: Bool)
        case accept
        case pause(milliseconds: Int32)
    }

    /// Does what the system does, after some errors.
    private final class FailingSystem: Sendable {
        private struct State {
            var steps: [Step] = []
            var listenErrors: [Int32]
            var acceptErrors: [Int32]
            var endsAtPause: Bool
        }

        private let state: Locked<State>

        init(listen: [Int32] = [], accept: [Int32] = [], endsAtPause: Bool = false) {
            state = Locked(State(listenErrors: listen, acceptErrors: accept, endsAtPause: endsAtPause))
        }

        var steps: [Step] { state.withLock { $0.steps } }

        private func note(_ step: Step) -> State {
            state.withLock { state in
                state.steps.append(step)
                defer {
                    switch step {
                    case .listen: _ = state.listenErrors.popLast()
                    case .accept: _ = state.acceptErrors.popLast()
                    case .pause: break
                    }
                }
                return state
            }
        }

        var system: Listener.System {
            var system = Listener.System()
            let standard = system
            system.listen = { [self] port, ofAllInterfaces in
                let state = note(.listen(port, ofAllInterfaces: ofAllInterfaces))
                if let code = state.listenErrors.last, code != 0 {
                    throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
                }
                return try standard.listen(port, ofAllInterfaces)
            }
            system.awaitConnection = { _, _ in .woken }
            system.accept = { [self] socket in
                guard let code = note(.accept).acceptErrors.last else {
                    return Socket(descriptor: dup(socket.descriptor))
                }
                errno = code
                return nil
            }
            system.pause = { [self] _, milliseconds in
                note(.pause(milliseconds: milliseconds)).endsAtPause
            }
            return system
        }
    }

    /// - Returns: The steps after the first socket, and whether a connection was accepted.
    private func steps(
        _ failing: FailingSystem, ofAllInterfaces: Bool = false
    ) throws -> (steps: [Step], port: UInt16, isAccepted: Bool) {
        var listener = try Listener(port: 0, ofAllInterfaces: ofAllInterfaces, system: failing.system)
        defer { listener.close() }
        let connection = listener.next(or: try WakePipe())
        connection?.discard()
        return (Array(failing.steps.dropFirst()), listener.port, connection != nil)
    }

    func testAConnectionThatIsGoneIsSkipped() throws {
        for code in [EAGAIN, EINTR] {
            let (steps, _, isAccepted) = try steps(FailingSystem(accept: [code]))
            XCTAssertEqual(steps, [.accept, .accept], "\(code)")
            XCTAssertTrue(isAccepted, "\(code)")
        }
    }

    func testAListenerWaitsForDescriptorsAndMemory() throws {
        for code in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
            let (steps, _, isAccepted) = try steps(FailingSystem(accept: [code]))
            XCTAssertEqual(steps, [.accept, .pause(milliseconds: 100), .accept], "\(code)")
            XCTAssertTrue(isAccepted, "\(code)")
            let ended = try self.steps(FailingSystem(accept: [code], endsAtPause: true))
            XCTAssertEqual(ended.steps, [.accept, .pause(milliseconds: 100)], "\(code)")
            XCTAssertFalse(ended.isAccepted, "\(code)")
        }
    }

    func testAfterOtherErrorsTheSamePortIsListenedAt() throws {
        for code in [EINVAL, EBADF, ECONNABORTED, ENOTSOCK] {
            for ofAllInterfaces in [false, true] {
                let (steps, port, isAccepted) = try steps(
                    FailingSystem(accept: [code]), ofAllInterfaces: ofAllInterfaces)
                XCTAssertEqual(
                    steps, [.accept, .listen(port, ofAllInterfaces: ofAllInterfaces), .accept], "\(code)")
                XCTAssertTrue(isAccepted, "\(code)")
            }
        }
    }

    func testAListenerWaitsForItsPort() throws {
        // The first socket is made; the next one fails once.
        let (steps, port, isAccepted) = try steps(FailingSystem(listen: [EADDRINUSE, 0], accept: [EBADF]))
        let listen = Step.listen(port, ofAllInterfaces: false)
        XCTAssertEqual(steps, [.accept, listen, .pause(milliseconds: 1000), listen, .accept])
        XCTAssertTrue(isAccepted)
        let ended = try self.steps(
            FailingSystem(listen: [EADDRINUSE, 0], accept: [EBADF], endsAtPause: true))
        XCTAssertEqual(ended.steps.count, 3)
        XCTAssertFalse(ended.isAccepted)
    }
}
