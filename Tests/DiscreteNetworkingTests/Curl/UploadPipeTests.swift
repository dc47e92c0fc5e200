#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    final class UploadPipeTests: XCTestCase {
        /// Takes so many bytes.
        private func take(_ count: Int, of queue: inout PieceQueue) -> [UInt8] {
            var room = [UInt8](repeating: 0, count: count)
            let taken = room.withUnsafeMutableBytes { queue.take(into: $0) }
            return Array(room[..<taken])
        }

        func testPiecesComeOutInOrderHoweverTheyAreTaken() {
            var random = FixedRandom(seed: 13)
            for _ in 0..<5 {
                var queue = PieceQueue()
                var (next, expected): (UInt8, UInt8) = (0, 0)
                var count = 0
                for _ in 0..<100 {
                    if Bool.random(using: &random) {
                        let size = Int.random(in: 0...20_000, using: &random)
                        let piece = countingBytes(size + 3, from: next &- 3)
                        // A slice, whose indices do not begin with 0.
                        queue.append(piece.dropFirst(3))
                        next = UInt8(truncatingIfNeeded: Int(next) + size)
                        count += size
                    } else {
                        let bytes = take(Int.random(in: 1...30_000, using: &random), of: &queue)
                        guard Data(bytes) == countingBytes(bytes.count, from: expected) else {
                            return XCTFail("\(bytes.count) bytes do not begin with \(expected) and count up")
                        }
                        expected = UInt8(truncatingIfNeeded: Int(expected) + bytes.count)
                        count -= bytes.count
                    }
                    XCTAssertEqual(queue.count, count)
                    XCTAssertEqual(queue.isEmpty, count == 0)
                }
            }
        }

        func testProposedAPieceIsNeverCopied() throws {
            let size = 1 << 20
            let released = Locked(false)
            var queue = PieceQueue()
            do {
                let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
                bytes.initializeMemory(as: UInt8.self, repeating: 7, count: size)
                queue.append(
                    Data(
                        bytesNoCopy: bytes, count: size,
                        deallocator: .custom { bytes, _ in
                            bytes.deallocate()
                            released.current = true
                        }))
            }
            var count = 0
            while count < size {
                XCTAssertFalse(released.current, "after \(count) bytes")
                count += take(1000, of: &queue).count
            }
            XCTAssertTrue(released.current)
        }

        /// A piece is let go of with its last byte: until then what is left of it is the piece itself.
        func testAPieceIsNeverCopiedAsAWhole() async throws {
            let size = 1 << 20
            let released = Locked(false)
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 7, count: size)
            let given = Locked<Data?>(
                Data(
                    bytesNoCopy: bytes, count: size,
                    deallocator: .custom { bytes, _ in
                        bytes.deallocate()
                        released.current = true
                    }))
            let hasMore = Gate()
            let pipe = UploadPipe(
                {
                    AsyncThrowingStream { given.withLock { $0.take() } }
                }, onMore: { Task { await hasMore.pass() } })
            var room = [UInt8](repeating: 0, count: 1000)
            func read() -> Int? {
                if case .bytes(let count) = room.withUnsafeMutableBytes({ pipe.read(into: $0) }) {
                    count
                } else {
                    nil
                }
            }
            var count = 0
            while count == 0 {
                if let first = read() { count = first } else { await hasMore.arrival() }
            }
            XCTAssertFalse(released.current)
            while count < size {
                count += read() ?? 0
                if count < size { XCTAssertFalse(released.current, "after \(count) bytes") }
            }
            pipe.stop()
        }

        func testACanceledExchangeSendsNoMoreOfAStream() throws {
            let url = try XCTUnwrap(URL(string: "http://a.example/"))
            let body = RequestBody.stream(length: nil) { AsyncThrowingStream { $0.finish() } }
            let exchange = try CurlExchange(APIRequest(url: url, method: .post, body: body))
            let transfer = try CurlTransfer(
                exchange, origin: CurlOrigin(connections: 1), idleTimeout: 60, iteration: CurlLoopIteration()
            ) { _ in }
            exchange.cancel()
            // The loop may ask before it gets to the command to cancel. The end of the stream would complete the request.
            var room = [UInt8](repeating: 0, count: 1000)
            let piece = room.withUnsafeMutableBytes { transfer.send(into: $0) }
            guard case .failed(let error) = piece else { return XCTFail("\(piece)") }
            XCTAssertEqual(error.kind, .cancelled)
        }
    }
#endif
