#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    final class OrphanedLinesTests: XCTestCase {
        /// Returns the lines as libcurl reads them.
        private func read(_ lines: [String]) -> [String] {
            var orphans = OrphanedLines()
            return lines.map { line in
                var bytes = Array(line.utf8)
                bytes.withUnsafeMutableBytes { orphans.disarm($0) }
                return String(decoding: bytes, as: UTF8.self)
            }
        }

        /// A process in which libcurl does ends.
        func testLibcurlWritesIntoNoFreedMemory() async throws {
            let server = try LoopbackServer { request in
                .bytes(
                    "HTTP/1.1 200 OK\r\n\(request.path == "/odd" ? " X-Odd: 1\r\n\t2\r\n" : "")X-A: 1\r\nContent-Length: 2\r\n\r\nok"
                )
            }
            defer { server.stop() }
            let transport = try CurlTransport()
            for round in 0..<40 {
                let response = try await transport.send(server.request(round % 2 == 0 ? "/even" : "/odd"))
                XCTAssertEqual(response.text, "ok")
                XCTAssertEqual(response.headers["X-A"], "1")
                XCTAssertNil(response.headers["X-Odd"])
            }
        }

        func testALineAfterTheStatusLineHasNoName() {
            XCTAssertEqual(read(["HTTP/1.1 200 OK", " a", "B: c"]), ["HTTP/1.1 200 OK", ":a", "B: c"])
            XCTAssertEqual(read(["HTTP/1.1 200 OK", "\tA: b", "\tc"]), ["HTTP/1.1 200 OK", ":A: b", "\tc"])
            XCTAssertEqual(read([" a", ""]), [":a", ""])
        }

        func testALineAfterAFieldContinuesIt() {
            let lines = ["HTTP/1.1 200 OK", "A: b", " c", "\td", "\r\n", " of a trailer"]
            XCTAssertEqual(read(lines), lines)
        }

        func testTheFieldsOfAnEarlierHeadDoNotCount() {
            XCTAssertEqual(
                read(["HTTP/1.1 200 Connected", "A: b", "\r\n", "HTTP/1.1 200 OK", " c", "\r\n"]),
                ["HTTP/1.1 200 Connected", "A: b", "\r\n", "HTTP/1.1 200 OK", ":c", "\r\n"])
        }
    }
#endif
