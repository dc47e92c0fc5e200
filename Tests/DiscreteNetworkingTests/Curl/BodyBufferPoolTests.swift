#if os(Linux)
    import XCTest

    @testable import DiscreteNetworkingCurl

    final class BodyBufferPoolTests: XCTestCase {
        private let size = 1 << 20

        private func body(of byte: UInt8, _ count: Int, in pool: BodyBufferPool) -> Data {
            var body = CurlBody(pool: pool)
            body.reserve(count)
            let piece = [UInt8](repeating: byte, count: count)
            piece.withUnsafeBytes { body.append($0) }
            return body.take()
        }

        private func address(of data: Data) -> UInt {
            data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        }

        func testTheMemoryOfABodyIsUsedAgainOnceNobodyHoldsIt() {
            let pool = BodyBufferPool()
            var first: Data? = body(of: 1, size, in: pool)
            let start = address(of: first ?? Data())
            let second = body(of: 2, size, in: pool)
            XCTAssertNotEqual(address(of: second), start, "the first is still held")
            XCTAssertEqual(first, Data(repeating: 1, count: size))
            let slice = first?.dropFirst(size - 1)
            first = nil
            XCTAssertEqual(pool.byteCount, 0, "a part of it is held")
            XCTAssertEqual(slice, Data([1]))
            withExtendedLifetime(slice) {}
        }

        func testABodyThatIsLetGoOfLeavesItsMemoryToTheNext() {
            let pool = BodyBufferPool()
            var start: UInt = 0
            do { start = address(of: body(of: 1, size, in: pool)) }
            XCTAssertEqual(pool.byteCount, size)
            let next = body(of: 2, size - 5, in: pool)
            XCTAssertEqual(address(of: next), start)
            XCTAssertEqual(next, Data(repeating: 2, count: size - 5))
            XCTAssertEqual(pool.byteCount, 0)
        }

        func testABodyThatIsNeverCompleteLeavesItsMemoryToo() {
            let pool = BodyBufferPool()
            do {
                var body = CurlBody(pool: pool)
                body.reserve(size)
            }
            XCTAssertEqual(pool.byteCount, size)
        }

        func testTrimmingReleasesUnusedBuffers() {
            let pool = BodyBufferPool()
            do { _ = [body(of: 1, size, in: pool), body(of: 2, size, in: pool)] }
            XCTAssertEqual(pool.byteCount, 2 * size)
            pool.trim()
            do { _ = body(of: 3, size, in: pool) }
            pool.trim()
            XCTAssertEqual(pool.byteCount, size, "one was needed since the last time")
            pool.trim()
            XCTAssertEqual(pool.byteCount, 0)
        }

        func testPoolKeepsNoMoreThanItsLimit() {
            let pool = BodyBufferPool()
            do { _ = (0..<4).map { body(of: $0, 16 << 20, in: pool) } }
            XCTAssertEqual(pool.byteCount, BodyBufferPool.byteLimit)
        }

        func testABodyLongerThanItsServerSaidIsWhole() {
            let pool = BodyBufferPool()
            var body = CurlBody(pool: pool)
            body.reserve(1 << 16)
            for byte in UInt8(0)..<3 {
                [UInt8](repeating: byte, count: 50_000).withUnsafeBytes { body.append($0) }
            }
            XCTAssertEqual(body.count, 150_000)
            let data = body.take()
            XCTAssertEqual(data, Data((UInt8(0)..<3).flatMap { [UInt8](repeating: $0, count: 50_000) }))
            XCTAssertEqual(pool.byteCount, 1 << 16)
        }

        func testAChangedBodyChangesNoOther() {
            let pool = BodyBufferPool()
            let body = body(of: 1, size, in: pool)
            var copy = body
            copy.append(2)
            copy[0] = 3
            XCTAssertEqual(body, Data(repeating: 1, count: size))
            XCTAssertEqual(copy.count, size + 1)
            XCTAssertEqual(copy.first, 3)
        }
    }
#endif
