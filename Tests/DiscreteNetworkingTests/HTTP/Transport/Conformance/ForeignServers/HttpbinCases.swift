#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// httpbin: who may come in.
    extension ForeignServersConformance {
        private func httpbin(_ path: String, _ credential: HTTPCredential? = nil) throws -> APIRequest {
            var request = APIRequest(
                url: try SharedServers.httpbin().baseURL.appendingPathComponent(path), credential: credential,
                timeout: .infinity)
            // As the request generator does it.
            if let value = credential?.authorization { request.headers["Authorization"] = value }
            return request
        }

        func testBasicAuthenticationIsAcceptedByHttpbin() async throws {
            let path = "basic-auth/casa/s3 cr:et"
            let right = try await transport.send(httpbin(path, .basic(user: "casa", password: "s3 cr:et")))
            XCTAssertEqual(right.status, 200)
            let wrong = try await transport.send(httpbin(path, .basic(user: "casa", password: "x")))
            XCTAssertEqual(wrong.status, 401)
            let none = try await transport.send(httpbin(path))
            XCTAssertEqual(none.status, 401)
        }

        func testBearerAuthenticationIsAcceptedByHttpbin() async throws {
            let right = try await transport.send(httpbin("bearer", .bearer("abc")))
            XCTAssertEqual(right.status, 200)
            XCTAssertTrue(right.text.contains("abc"))
            let none = try await transport.send(httpbin("bearer"))
            XCTAssertEqual(none.status, 401)
        }

        func testDigestAuthenticationIsAcceptedByHttpbin() async throws {
            for path in [
                "digest-auth/auth/casa/pw", "digest-auth/auth/casa/pw/SHA-256",
                "digest-auth/auth/casa/pw/MD5",
            ] {
                for delivery in Delivery.allCases {
                    let right = try await transport.fetch(
                        httpbin(path, .digest(user: "casa", password: "pw")), as: delivery
                    ).get()
                    XCTAssertEqual(right.status, 200, path)
                    XCTAssertTrue(right.text.contains("\"authenticated\": true"), right.text)
                }
                let wrong = try await transport.send(httpbin(path, .digest(user: "casa", password: "x")))
                XCTAssertEqual(wrong.status, 401, path)
                let none = try await transport.send(httpbin(path))
                XCTAssertEqual(none.status, 401, path)
            }
        }

        func testContentCodingsOfHttpbinAreDecoded() async throws {
            let gzip = try await transport.send(httpbin("gzip"))
            XCTAssertTrue(gzip.text.contains("\"gzipped\": true"))
            let deflate = try await transport.send(httpbin("deflate"))
            XCTAssertTrue(deflate.text.contains("\"deflated\": true"))
        }

        func testChunksOfHttpbinAreRead() async throws {
            let whole = try await transport.send(httpbin("range/102400"))
            for delivery in Delivery.allCases {
                let chunked = try await transport.fetch(httpbin("stream-bytes/102400"), as: delivery).get()
                XCTAssertEqual(chunked.data.count, 102_400)
            }
            XCTAssertTrue(whole.data == Data((0..<102_400).map { UInt8(97 + $0 % 26) }))
        }
    }
#endif
