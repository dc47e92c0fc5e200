#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// nginx: files, ranges, codings, keep-alive.
    extension ForeignServersConformance {
        private func nginx(_ path: String, _ headers: HTTPFields = [:]) throws -> APIRequest {
            APIRequest(
                url: try SharedServers.nginx().baseURL.appendingPathComponent(path), headers: headers,
                timeout: .infinity)
        }

        func testNginxServesAFile() async throws {
            for delivery in Delivery.allCases {
                let response = try await transport.fetch(nginx("file"), as: delivery).get()
                XCTAssertTrue(response.data == NginxServer.file)
                XCTAssertEqual(response.headers["Content-Length"], "\(1 << 20)")
            }
        }

        func testNginxServesRanges() async throws {
            for (range, bytes) in [
                ("0-0", 0..<1), ("1000-1999", 1000..<2000), ("1048570-", 1_048_570..<1_048_576),
            ] {
                let response = try await transport.send(nginx("file", ["Range": "bytes=\(range)"]))
                XCTAssertEqual(response.status, 206)
                XCTAssertEqual(response.data, NginxServer.file[bytes])
                XCTAssertEqual(
                    response.headers["Content-Range"],
                    "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/1048576")
            }
            let beyond = try await transport.send(nginx("file", ["Range": "bytes=2000000-"]))
            XCTAssertEqual(beyond.status, 416)
        }

        func testNginxKnowsAnETag() async throws {
            let first = try await transport.send(nginx("file"))
            let tag = try XCTUnwrap(first.headers["ETag"])
            let second = try await transport.send(nginx("file", ["If-None-Match": tag]))
            XCTAssertEqual(second.status, 304)
            XCTAssertEqual(second.data, Data())
        }

        func testResponseCompressedByNginxIsDecoded() async throws {
            for delivery in Delivery.allCases {
                let response = try await transport.fetch(nginx("text"), as: delivery).get()
                XCTAssertTrue(response.text == NginxServer.text)
            }
            let plain = try await transport.send(nginx("text", ["Accept-Encoding": "identity"]))
            XCTAssertTrue(plain.text == NginxServer.text)
            XCTAssertNil(plain.headers["Content-Encoding"])
        }

        func testNginxKeepsTheConnection() async throws {
            var numbers: Set<String> = []
            for _ in 0..<50 { numbers.insert(try await transport.send(nginx("connection")).text) }
            XCTAssertEqual(numbers.count, 1)
        }

        func testNginxHangsUp() async throws {
            for _ in 0..<3 {
                let kind = try await transport.failure(nginx("hang-up"))
                XCTAssertTrue(kind == .connectionLost || kind == .badResponse, "\(String(describing: kind))")
                let after = try await transport.send(nginx("protocol"))
                XCTAssertEqual(after.text, "HTTP/1.1")
            }
        }

        func testNginxEndsConnectionsThatAreInUse() async throws {
            for index in 0..<2 * NginxServer.requestsPerConnection + 50 {
                let response = try await transport.send(nginx("protocol"))
                XCTAssertEqual(response.text, "HTTP/1.1", "\(index)")
            }
        }
    }
#endif
