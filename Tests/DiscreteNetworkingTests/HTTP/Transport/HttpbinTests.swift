#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Round trips to a server that somebody else wrote: methods, statuses, redirects, codings and size.
    final class HttpbinTests: HttpbinTestCase {
        private func load<Output: Decodable & Sendable>(
            _ type: Output.Type, _ method: HTTPMethod, _ path: String, with params: Params = [:],
            on stack: Stack
        ) async throws -> Output {
            try await stack.manager(HttpbinManager<Output>(method, path)).load(with: params)
        }

        func testParamsArriveWithEveryMethod() async throws {
            let stack = try await httpbin()
            let params: Params = ["id": 7, "name": "青花瓷茶壶"]
            for method in [HTTPMethod.post, .put, .patch] {
                let echo = try await load(
                    JSONValue.self, method, method.rawValue.lowercased(), with: params, on: stack)
                XCTAssertEqual(echo["json"], params.jsonValue, "\(method)")
                XCTAssertEqual(echo["args"], [:], "\(method)")
            }
            for method in [HTTPMethod.get, .delete] {
                let echo = try await load(
                    JSONValue.self, method, method.rawValue.lowercased(), with: params, on: stack)
                XCTAssertEqual(echo["args"], ["id": "7", "name": "青花瓷茶壶"], "\(method)")
            }
            for method in [HTTPMethod.get, .post, .put, .patch, .delete] {
                let echo = try await load(JSONValue.self, method, "anything", on: stack)
                XCTAssertEqual(echo["method"]?.string, method.rawValue)
            }
            let options = stack.manager(HttpbinManager<NoContent>(.options, "get"))
            _ = try await options.load()
            XCTAssertEqual(options.response?.headers["Allow"]?.contains("GET"), true)
            let head = stack.manager(HttpbinManager<NoContent>(.head, "get"))
            _ = try await head.load(with: params)
            XCTAssertEqual(head.response?.status, 200)
            XCTAssertGreaterThan(Int(head.response?.headers["Content-Length"] ?? "") ?? 0, 0)
        }

        func testExtraHeadersArriveUnchanged() async throws {
            let stack = try await httpbin {
                $0.extraHeaders = ["X-Shop": "a, b;c=\"d\"", "User-Agent": "Shop/1"]
            }
            let headers = try await load(JSONValue.self, .get, "headers", on: stack)["headers"]
            XCTAssertEqual(headers?["X-Shop"], "a, b;c=\"d\"")
            XCTAssertEqual(headers?["User-Agent"], "Shop/1")
        }

        // MARK: Statuses

        func testEveryStatusIsReported() async throws {
            let stack = try await httpbin { $0.redirects = .refuse }
            for status in 200..<600 {
                let manager = stack.manager(HttpbinManager<Data>(.get, "status/\(status)"))
                let error = await failure(manager)
                // A part that nobody asked for is not the whole (RFC 9110 section 15.3.7).
                if status == 206 {
                    guard case .transport(let reason)? = error?.kind else {
                        XCTFail("\(String(describing: error))")
                        continue
                    }
                    XCTAssertEqual(reason.kind, .badResponse)
                    continue
                }
                if 200..<300 ~= status || status == 304 {
                    XCTAssertNil(error, "\(status)")
                } else {
                    XCTAssertEqual(error?.kind, .http(status: status))
                }
                XCTAssertEqual((error?.response ?? manager.response)?.status, status)
            }
        }

        func testEmptyResponsesSucceedWithNoContent() async throws {
            let stack = try await httpbin()
            for (method, path) in [
                (HTTPMethod.get, "status/204"), (.delete, "status/204"), (.get, "status/304"),
            ] {
                _ = try await load(NoContent.self, method, path, on: stack)
            }
            let error = await failure(stack.manager(HttpbinManager<Product>(.get, "status/304")))
            XCTAssertEqual(error?.kind, .http(status: 304), "an output that may not be empty")
        }

        func testALoginThatIsAskedFor() async throws {
            let stack = try await httpbin()
            for path in ["basic-auth/casa/pw", "digest-auth/auth/casa/pw", "bearer"] {
                let error = await failure(stack.manager(HttpbinManager<JSONValue>(.get, path)))
                XCTAssertEqual(error?.kind, .http(status: 401), path)
            }
            stack.change { $0.extraHeaders = ["Authorization": "Basic Y2FzYTpwdw=="] }
            let answer = try await load(JSONValue.self, .get, "basic-auth/casa/pw", on: stack)
            XCTAssertEqual(answer["user"], "casa")
        }

        // MARK: Redirects

        func testChainsOfRedirects() async throws {
            let stack = try await httpbin()
            for path in [
                "redirect/1", "redirect/5", "relative-redirect/3", "absolute-redirect/3", "redirect/20",
            ] {
                let manager = stack.manager(HttpbinManager<JSONValue>(.get, path))
                _ = try await manager.load()
                XCTAssertEqual(manager.response?.url.path, "/get", path)
            }
            let error = await failure(stack.manager(HttpbinManager<JSONValue>(.get, "redirect/21")))
            guard case .transport(let cause)? = error?.kind else {
                return XCTFail("\(String(describing: error))")
            }
            XCTAssertEqual(cause.kind, .redirectRefused)
        }

        func testRedirectsOfAPost() async throws {
            let stack = try await httpbin()
            for (status, method) in [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")] {
                let path = "redirect-to?url=/anything&status_code=\(status)"
                let url = try XCTUnwrap(URL(string: stack.service.baseURL.absoluteString + "/" + path))
                stack.change { $0.adapt = { request, _ in request.url = url } }
                let echo = try await load(JSONValue.self, .post, "x", with: ["name": "茶"], on: stack)
                XCTAssertEqual(echo["method"]?.string, method, "\(status)")
                XCTAssertEqual(echo["json"], method == "POST" ? ["name": "茶"] : JSONValue.null, "\(status)")
            }
        }

        func testSecretsDoNotGoToAnotherHost() async throws {
            let stack = try await httpbin {
                $0.extraHeaders = ["Authorization": "Bearer s3cr3t", "X-Api-Key": "k", "X-Plain": "1"]
            }
            for (host, isSame) in [("127.0.0.1", true), ("localhost", false)] {
                let port = try XCTUnwrap(stack.service.baseURL.port)
                let echo = try await load(
                    JSONValue.self, .get, "redirect-to", with: ["url": "http://\(host):\(port)/anything"],
                    on: stack)
                let headers = try XCTUnwrap(echo["headers"])
                XCTAssertEqual(headers["Host"]?.string, "\(host):\(port)")
                XCTAssertEqual(headers["Authorization"], isSame ? "Bearer s3cr3t" : nil, host)
                XCTAssertEqual(headers["X-Api-Key"], isSame ? "k" : nil, host)
                XCTAssertEqual(headers["X-Plain"], isSame ? "1" : nil, host)
            }
        }

        // MARK: Bodies

        func testCompressedBodiesAreDecoded() async throws {
            let stack = try await httpbin()
            let gzip = try await load(JSONValue.self, .get, "gzip", on: stack)
            XCTAssertEqual(gzip["gzipped"], true)
            let deflate = try await load(JSONValue.self, .get, "deflate", on: stack)
            XCTAssertEqual(deflate["deflated"], true)
        }

        func testTextOfAllTheWorld() async throws {
            let text = try await load(String.self, .get, "encoding/utf8", on: httpbin())
            for part in ["∮ E⋅da = Q", "γνωρίζω", "გთხოვთ", "๏ แผ่นดินฮั่น", "ᚻᛖ ᚳᚹᚫᚦ"] {
                XCTAssertTrue(text.contains(part), part)
            }
        }

        func testBytesOfEveryShape() async throws {
            let stack = try await httpbin()
            let alphabet = Data((0..<102_400).map { UInt8(97 + $0 % 26) })
            let range = try await load(Data.self, .get, "range/102400", on: stack)
            XCTAssertTrue(range == alphabet)
            let whole = try await load(Data.self, .get, "bytes/102400", with: ["seed": 7], on: stack)
            let chunked = try await load(
                Data.self, .get, "stream-bytes/102400", with: ["seed": 7, "chunk_size": 999], on: stack)
            XCTAssertEqual(whole.count, 102_400)
            XCTAssertTrue(chunked == whole)
            stack.change { $0.extraHeaders = ["Range": "bytes=100-199"] }
            let part = try await load(Data.self, .get, "range/102400", on: stack)
            XCTAssertEqual(part, alphabet[100..<200])
        }

        func testTenMegabytesUpAndDown() async throws {
            let count = 10 << 20
            let stack = try await httpbin()
            let letters = String(repeating: "abcdefghijklmnopqrstuvwxyz", count: count / 26 + 1)
            let body = Data(Data(letters.utf8).prefix(count))
            let manager = stack.manager(
                HttpbinManager<Data>(.post, "anything", .raw(body, contentType: "text/plain")))
            let echo = try await manager.load()
            let start = try XCTUnwrap(echo.range(of: Data(#""data": ""#.utf8)))
            XCTAssertTrue(echo[start.upperBound...].prefix(count) == body)
            XCTAssertEqual(echo[start.upperBound...].dropFirst(count).first, UInt8(ascii: "\""))
        }
    }
#endif
