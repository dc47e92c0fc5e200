import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

@MainActor
final class BodyPipeTests: XCTestCase {
    private func push(_ bytes: [UInt8], into pipe: BodyPipe) -> Bool {
        bytes.withUnsafeBytes { pipe.push($0) }
    }

    func testPushedBytesAreReadInOrder() async throws {
        let pipe = BodyPipe(onRoom: {}, onAbandoned: {})
        XCTAssertTrue(push([1, 2], into: pipe))
        XCTAssertTrue(push([3], into: pipe))
        pipe.finish()
        var all: [UInt8] = []
        for try await data in pipe.stream() { all += data }
        XCTAssertEqual(all, [1, 2, 3])
    }

    func testAFullPipeSaysSoAndAsksForMoreOnce() async throws {
        let rooms = Locked(0)
        let pipe = BodyPipe(capacity: 4, onRoom: { rooms.withLock { $0 += 1 } }, onAbandoned: {})
        XCTAssertTrue(push([1, 2, 3], into: pipe))
        XCTAssertFalse(push([4, 5], into: pipe))
        var reader = pipe.stream().makeAsyncIterator()
        let first = try await reader.next()
        XCTAssertEqual(first, Data([1, 2, 3, 4, 5]))
        XCTAssertEqual(rooms.current, 1)
        XCTAssertTrue(push([6], into: pipe))
        let second = try await reader.next()
        XCTAssertEqual(second, Data([6]))
        XCTAssertEqual(rooms.current, 1)
    }

    func testAnErrorComesAfterWhatWasThere() async throws {
        let pipe = BodyPipe(onRoom: {}, onAbandoned: {})
        _ = push([1], into: pipe)
        pipe.finish(TransportError(.connectionLost, message: "Lost."))
        pipe.finish()
        var reader = pipe.stream().makeAsyncIterator()
        let first = try await reader.next()
        XCTAssertEqual(first, Data([1]))
        do {
            _ = try await reader.next()
            XCTFail("the end came without its error")
        } catch {
            XCTAssertEqual((error as? TransportError)?.kind, .connectionLost)
        }
    }

    func testLettingGoOfTheStreamAbandonsIt() async throws {
        let abandoned = Locked(0)
        let pipe = BodyPipe(onRoom: {}, onAbandoned: { abandoned.withLock { $0 += 1 } })
        _ = push([1], into: pipe)
        do {
            for try await _ in pipe.stream() { break }
        }
        XCTAssertEqual(abandoned.current, 1)
        XCTAssertTrue(push([2], into: pipe), "what comes later is dropped, not held up")
        pipe.finish()
        XCTAssertEqual(abandoned.current, 1)
    }

    func testAReaderThatWaitsIsToldByFlushing() async throws {
        let pipe = BodyPipe(onRoom: {}, onAbandoned: {})
        let stream = pipe.stream()
        let reader = Task { @MainActor in
            var pieces: [Data] = []
            for try await piece in stream { pieces.append(piece) }
            return pieces
        }
        await Task.yield()
        _ = push([1], into: pipe)
        _ = push([2], into: pipe)
        pipe.flush()
        pipe.finish()
        let pieces = try await reader.value
        XCTAssertEqual(pieces.reduce(Data(), +), Data([1, 2]))
    }

    func testAStreamReadToItsEndIsNotAbandoned() async throws {
        let abandoned = Locked(0)
        let pipe = BodyPipe(onRoom: {}, onAbandoned: { abandoned.withLock { $0 += 1 } })
        pipe.finish()
        for try await _ in pipe.stream() {}
        XCTAssertEqual(abandoned.current, 0)
    }

    func testCancellingTheReaderAbandonsIt() async throws {
        let gate = Gate()
        let pipe = BodyPipe(onRoom: {}, onAbandoned: { Task { await gate.pass() } })
        let stream = pipe.stream()
        let reader = Task { for try await _ in stream {} }
        reader.cancel()
        await gate.arrival()
        let result = await reader.result
        // A sequence that ends early or throws: either way the reader is free.
        if case .failure(let error) = result { XCTAssertEqual((error as? TransportError)?.kind, .cancelled) }
    }

    func testRandomSchedulesLoseNothing() async throws {
        var random = FixedRandom(seed: 5)
        for _ in 0..<FullLength.rounds(25, of: 100) {
            let sizes = (0..<50).map { _ in Int.random(in: 0...3000, using: &random) }
            let room = DispatchSemaphore(value: 0)
            let pipe = BodyPipe(capacity: 2048, onRoom: { room.signal() }, onAbandoned: {})
            let stream = pipe.stream()
            let thread = Thread {
                var next: UInt8 = 0
                for size in sizes {
                    let bytes = countingBytes(size, from: next)
                    next = UInt8(truncatingIfNeeded: Int(next) + size)
                    let hasRoom = bytes.withUnsafeBytes { pipe.push($0) }
                    if size % 3 == 0 || !hasRoom { pipe.flush() }
                    if !hasRoom { room.wait() }
                }
                pipe.finish()
            }
            thread.start()
            var expected: UInt8 = 0
            var count = 0
            for try await data in stream {
                XCTAssertEqual(data, countingBytes(data.count, from: expected))
                expected = UInt8(truncatingIfNeeded: Int(expected) + data.count)
                count += data.count
            }
            XCTAssertEqual(count, sizes.reduce(0, +))
        }
    }
}
