import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Downloads that go on from where an earlier one had to stop (RFC 9110 sections 13.1.5 and 14).
@MainActor
final class ResumeTests: XCTestCase {
    nonisolated private static let bytes = LoopbackResponse.pattern(count: 1000)
    nonisolated private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    nonisolated private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    /// Answers a request for the whole with the first 400 bytes of 1000, then loses the connection.
    nonisolated private static func cut(_ headers: HTTPFields) -> ClosureTransport {
        ClosureTransport { request in
            var all: HTTPFields = ["Content-Length": "1000"]
            all.merge(headers)
            return TransportResponse(
                url: request.url, status: 200, headers: all,
                body: .pieces([bytes.prefix(300), bytes[300..<400]], error: .lost))
        }
    }

    /// Leaves 400 bytes behind, and asks again with another transport, as another process would.
    private func resume(
        after headers: HTTPFields = ["ETag": "\"v1\""], method: HTTPMethod = .get, path: String = "file",
        over transport: ClosureTransport
    ) async throws -> (Result<DownloadedFile, APIError>, TemporaryFolder) {
        let folder = try temporaryFolder()
        let first = Stack(Self.cut(headers)).manager(DownloadManager(to: folder.file("a")))
        first.requestType = method
        let error = await failure(first)
        XCTAssertEqual(error?.kind, .transport(.lost))
        XCTAssertEqual(error?.response?.status, 200)
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.file("a").path))
        let second = Stack(transport).manager(DownloadManager(to: folder.file("a")))
        second.requestType = method
        second.methodName = path
        do throws(APIError) {
            return (.success(try await second.load()), folder)
        } catch {
            return (.failure(error), folder)
        }
    }

    /// What answers a request for the rest.
    nonisolated private static func part(
        _ range: String = "bytes 400-999/1000", _ headers: HTTPFields = ["ETag": "\"v1\""],
        from start: Int = 400, status: Int = 206, error: TransportError? = nil
    ) -> ClosureTransport {
        ClosureTransport { request in
            guard request.headers["Range"] != nil else {
                return TransportResponse(url: request.url, status: 200, body: .pieces([bytes]))
            }
            var all: HTTPFields = ["Content-Range": range]
            all.merge(headers)
            return TransportResponse(
                url: request.url, status: status, headers: all, body: .pieces([bytes[start...]], error: error)
            )
        }
    }

    private func check(
        _ result: Result<DownloadedFile, APIError>, _ folder: TemporaryFolder, resumed: Int64,
        line: UInt = #line
    ) throws {
        let file = try result.get()
        XCTAssertEqual(file.resumedByteCount, resumed, line: line)
        XCTAssertEqual(file.byteCount, 1000, line: line)
        XCTAssertEqual(try Data(contentsOf: file.url), Self.bytes, line: line)
        XCTAssertEqual(folder.names, ["a"], line: line)
    }

    // MARK: What is asked

    func testTheRestIsAskedForWithAStrongTag() async throws {
        let transport = Self.part()
        let (result, folder) = try await resume(over: transport)
        try check(result, folder, resumed: 400)
        XCTAssertEqual(transport.requests.count, 1)
        XCTAssertEqual(transport.requests[0].headers["Range"], "bytes=400-")
        XCTAssertEqual(transport.requests[0].headers["If-Range"], "\"v1\"")
        XCTAssertEqual(transport.requests[0].headers["Accept-Encoding"], "identity")
    }

    func testOrWithADateThatIsOldEnough() async throws {
        let transport = Self.part("bytes 400-999/1000", [:])
        let headers: HTTPFields = ["Last-Modified": Self.date, "Date": Self.later]
        let (result, folder) = try await resume(after: headers, over: transport)
        try check(result, folder, resumed: 400)
        XCTAssertEqual(transport.requests[0].headers["If-Range"], Self.date)
    }

    func testNothingElseWillDo() async throws {
        let weak: [HTTPFields] = [
            [:], ["ETag": "W/\"v1\""], ["ETag": "v1"], ["Last-Modified": Self.date],
            ["Last-Modified": Self.date, "Date": Self.date],
            ["ETag": "W/\"v1\"", "Last-Modified": Self.date, "Date": Self.later],
            ["ETag": "\"v1\"", "Content-Encoding": "gzip"],
        ]
        for headers in weak {
            let transport = Self.part()
            let (result, folder) = try await resume(after: headers, over: transport)
            try check(result, folder, resumed: 0)
            XCTAssertNil(transport.requests[0].headers["Range"], "\(headers)")
        }
        let transport = Self.part()
        let (result, folder) = try await resume(method: .post, over: transport)
        try check(result, folder, resumed: 0)
        XCTAssertNil(transport.requests[0].headers["Range"], "a POST has no rest")
    }

    func testAnotherURLStartsAgain() async throws {
        let transport = Self.part()
        let (result, folder) = try await resume(path: "other", over: transport)
        try check(result, folder, resumed: 0)
        XCTAssertNil(transport.requests[0].headers["Range"])
    }

    /// Who asks is a part of what is asked: by any credential, and by any header that the service adds.
    func testAnotherUserStartsAgain() async throws {
        typealias Change = (inout TestService.Rules) -> Void
        let users: [(alice: Change, bob: Change)] = [
            (
                { $0.credential = .digest(user: "alice", password: "1") },
                { $0.credential = .digest(user: "bob", password: "1") }
            ),
            (
                { $0.credential = .basic(user: "alice", password: "1") },
                { $0.credential = .basic(user: "alice", password: "2") }
            ),
            ({ $0.extraHeaders = ["X-Customer": "alice"] }, { $0.extraHeaders = ["X-Customer": "bob"] }),
            ({ $0.extraParams = ["customer": "alice"] }, { $0.extraParams = ["customer": "bob"] }),
        ]
        for (alice, bob) in users {
            for (next, isSame) in [(alice, true), (bob, false)] {
                let folder = try temporaryFolder()
                _ = await failure(
                    Stack(Self.cut(["ETag": "\"v1\""]), alice).manager(DownloadManager(to: folder.file("a"))))
                let transport = Self.part()
                let file = try await Stack(transport, next).manager(DownloadManager(to: folder.file("a")))
                    .load()
                XCTAssertEqual(file.resumedByteCount, isSame ? 400 : 0)
                XCTAssertEqual(transport.requests[0].headers["Range"], isSame ? "bytes=400-" : nil)
            }
        }
    }

    func testVaryingFieldsDoNotPreventResuming() async throws {
        let folder = try temporaryFolder()
        func manager(_ nonce: String, over transport: ClosureTransport) -> DownloadManager {
            Stack(transport) { rules in
                rules.extraHeaders = ["X-Nonce": nonce]
                rules.varying = VaryingFields(headers: ["X-Nonce"])
            }.manager(DownloadManager(to: folder.file("a")))
        }
        _ = await failure(manager("1", over: Self.cut(["ETag": "\"v1\""])))
        let file = try await manager("2", over: Self.part()).load()
        XCTAssertEqual(file.resumedByteCount, 400)
    }

    func testFilesOfAPartialDownloadContainNoSecret() async throws {
        let folder = try temporaryFolder()
        let manager = Stack(Self.cut(["ETag": "\"v1\""])).manager(DownloadManager(to: folder.file("a")))
        _ = await failure(manager, with: ["token": "s3cret"])
        XCTAssertEqual(folder.names, ["a.partial", "a.partial.json"])
        let note = try String(contentsOf: folder.file("a.partial.json"), encoding: .utf8)
        XCTAssertFalse(note.contains("s3cret"), note)
        XCTAssertFalse(note.contains("example.com"), note)
    }

    func testANoteCannotAddAHeader() async throws {
        let folder = try temporaryFolder()
        _ = await failure(
            Stack(Self.cut(["ETag": "\"v1\""])).manager(DownloadManager(to: folder.file("a"))))
        let note = try String(contentsOf: folder.file("a.partial.json"), encoding: .utf8)
        let forged = note.replacingOccurrences(of: "v1", with: #"v1\r\nX-Evil: 1"#)
        XCTAssertNotEqual(forged, note)
        _ = try folder.write("a.partial.json", Data(forged.utf8))
        let transport = Self.part()
        let file = try await Stack(transport).manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(file.resumedByteCount, 0)
        XCTAssertNil(transport.requests.first?.headers["If-Range"])
    }

    func testANoteThatIsBrokenStartsAgain() async throws {
        for note in ["", "{}", "[1]", "not JSON"] {
            let folder = try temporaryFolder()
            _ = try folder.write("a.partial", Data("wrong".utf8))
            _ = try folder.write("a.partial.json", Data(note.utf8))
            let transport = Self.part()
            let file = try await Stack(transport).manager(DownloadManager(to: folder.file("a"))).load()
            XCTAssertEqual(try Data(contentsOf: file.url), Self.bytes)
            XCTAssertEqual(folder.names, ["a"])
        }
    }

    // MARK: What is answered

    func testTheWholeStartsAgain() async throws {
        let transport = ClosureTransport {
            TransportResponse(
                url: $0.url, status: 200, headers: ["ETag": "\"v2\""], body: .pieces([Self.bytes]))
        }
        let (result, folder) = try await resume(over: transport)
        try check(result, folder, resumed: 0)
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testAPartThatDoesNotFitIsNotUsed() async throws {
        let unfit: [(String, HTTPFields)] = [
            ("bytes 300-999/1000", ["ETag": "\"v1\""]), ("bytes 400-999/2000", ["ETag": "\"v1\""]),
            ("bytes 400-999/1000", ["ETag": "\"v2\""]), ("bytes */1000", [:]), ("items 400-999/1000", [:]),
            ("bytes 400-999/1000", ["Content-Encoding": "gzip"]), ("bytes 400-1000/1000", [:]), ("", [:]),
        ]
        for (range, headers) in unfit {
            let transport = Self.part(range, headers)
            let (result, folder) = try await resume(over: transport)
            try check(result, folder, resumed: 0)
            XCTAssertEqual(transport.requests.count, 2, range)
            XCTAssertNil(transport.requests[1].headers["Range"], "asked for the whole")
        }
    }

    func testAPartNeedNotNameTheTotalOrTheTag() async throws {
        let (result, folder) = try await resume(over: Self.part("bytes 400-999/*", [:]))
        try check(result, folder, resumed: 400)
    }

    func testSmallerPartsAreAskedForUntilAllIsThere() async throws {
        let transport = ClosureTransport { request in
            let start = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let end = min(start + 250, 1000)
            return TransportResponse(
                url: request.url, status: 206,
                headers: ["ETag": "\"v1\"", "Content-Range": "bytes \(start)-\(end - 1)/1000"],
                body: .pieces([Self.bytes[start..<end]]))
        }
        let (result, folder) = try await resume(over: transport)
        try check(result, folder, resumed: 900)
        XCTAssertEqual(
            transport.requests.map { $0.headers["Range"] }, ["bytes=400-", "bytes=650-", "bytes=900-"])
    }

    func testPartsOfAWholeOfUnknownLengthAreAskedForUntilTheServerHasNoMore() async throws {
        let transport = ClosureTransport { request in
            guard let range = request.headers["Range"] else {
                return TransportResponse(
                    url: request.url, status: 200, headers: ["ETag": "\"v1\""],
                    body: .pieces([Self.bytes.prefix(400)], error: .lost))
            }
            let start = Int(range.dropFirst(6).dropLast()) ?? 0
            let end = min(start + 250, 1000)
            guard start < end else {
                return TransportResponse(
                    url: request.url, status: 416, headers: ["Content-Range": "bytes */1000"])
            }
            return TransportResponse(
                url: request.url, status: 206,
                headers: ["ETag": "\"v1\"", "Content-Range": "bytes \(start)-\(end - 1)/*"],
                body: .pieces([Self.bytes[start..<end]]))
        }
        let folder = try temporaryFolder()
        let manager = Stack(transport).manager(DownloadManager(to: folder.file("a")))
        let lost = await failure(manager)
        XCTAssertEqual(lost?.kind, .transport(.lost))
        let file = try await manager.load()
        XCTAssertEqual(try Data(contentsOf: file.url), Self.bytes)
        XCTAssertEqual(
            transport.requests.map { $0.headers["Range"] },
            [nil, "bytes=400-", "bytes=650-", "bytes=900-", "bytes=1000-"])
    }

    func test416MeansWholeOrUseless() async throws {
        let folder = try temporaryFolder()
        func leftovers(_ count: Int) async throws {
            let transport = ClosureTransport { request in
                TransportResponse(
                    url: request.url, status: 200, headers: ["ETag": "\"v1\""],
                    body: .pieces([Self.bytes.prefix(count)], error: .lost))
            }
            _ = await failure(Stack(transport).manager(DownloadManager(to: folder.file("a"))))
        }
        try await leftovers(1000)
        let whole = Self.part("bytes */1000", [:], status: 416)
        let file = try await Stack(whole).manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(file.byteCount, 1000)
        XCTAssertEqual(try Data(contentsOf: file.url), Self.bytes)
        XCTAssertEqual(whole.requests.count, 1)
        XCTAssertEqual(folder.names, ["a"])

        try await leftovers(400)
        let useless = Self.part("bytes */300", [:], status: 416)
        let again = try await Stack(useless).manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(try Data(contentsOf: again.url), Self.bytes)
        XCTAssertEqual(useless.requests.count, 2)
    }

    func testAPartThatNobodyAskedForIsAnError() async throws {
        let folder = try temporaryFolder()
        let transport = ClosureTransport {
            TransportResponse(
                url: $0.url, status: 206, headers: ["Content-Range": "bytes 0-9/1000"],
                body: .pieces([Self.bytes.prefix(10)]))
        }
        let error = await failure(Stack(transport).manager(DownloadManager(to: folder.file("a"))))
        guard case .transport(let cause)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertEqual(cause.kind, .badResponse)
        XCTAssertEqual(folder.names, [])
    }

    func testAnErrorStatusLeavesWhatIsThere() async throws {
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 503, body: .pieces(["busy"]))
        }
        let (result, folder) = try await resume(over: transport)
        XCTAssertEqual(result.kind, .http(status: 503))
        XCTAssertEqual(folder.names, ["a.partial", "a.partial.json"])
        XCTAssertEqual(try Data(contentsOf: folder.file("a.partial")), Self.bytes.prefix(400))
        if case .failure(let error) = result { XCTAssertEqual(error.response?.body, Data("busy".utf8)) }
    }

    // MARK: By itself

    func testARetryOfTheServiceGoesOn() async throws {
        let folder = try temporaryFolder()
        let transport = ClosureTransport { request in
            let start = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let end = min(start + 400, 1000)
            var headers: HTTPFields = ["ETag": "\"v1\"", "Content-Length": "\(1000 - start)"]
            if start > 0 { headers["Content-Range"] = "bytes \(start)-999/1000" }
            return TransportResponse(
                url: request.url, status: start > 0 ? 206 : 200, headers: headers,
                body: .pieces([Self.bytes[start..<end]], error: end < 1000 ? .lost : nil))
        }
        let stack = Stack(transport) { $0.intercept = { _ in .retry } }
        let file = try await stack.manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(try Data(contentsOf: file.url), Self.bytes)
        XCTAssertEqual(
            transport.requests.map { $0.headers["Range"] }, [nil, "bytes=400-", "bytes=800-"])
    }

    func testCancelledAndLoadedAgainAtOnce() async throws {
        let folder = try temporaryFolder()
        let body = HandFedBody()
        let transport = ClosureTransport { request in
            guard request.headers["Range"] != nil else {
                return TransportResponse(
                    url: request.url, status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "1000"],
                    body: body.body)
            }
            return TransportResponse(
                url: request.url, status: 206, headers: ["Content-Range": "bytes 400-999/1000"],
                body: .pieces([Self.bytes[400...]]))
        }
        let manager = Stack(transport).manager(DownloadManager(to: folder.file("a")))
        let progress = manager.progress
        manager.loadData()
        body.feed(Self.bytes.prefix(400))
        for await step in progress where step.received == 400 { break }
        manager.cancelAllRequests()
        let file = try await manager.load()
        XCTAssertEqual(try Data(contentsOf: file.url), Self.bytes)
        XCTAssertEqual(file.resumedByteCount, 400)
        XCTAssertEqual(folder.names, ["a"])
    }

    func testCancelledAndLoadedAgainAtOnceWithNothingToGoOnWith() async throws {
        let folder = try temporaryFolder()
        let transport = ClosureTransport { request in
            TransportResponse(url: request.url, status: 200, body: .pieces([Self.bytes]))
        }
        let stack = Stack(transport)
        for round in 0..<FullLength.rounds(120, of: 500) {
            let manager = stack.manager(DownloadManager(to: folder.file("a")))
            manager.loadData()
            for _ in 0..<round % 40 { await Task.yield() }
            manager.cancelAllRequests()
            let file = try await manager.load()
            XCTAssertEqual(try Data(contentsOf: file.url), Self.bytes)
        }
        XCTAssertEqual(folder.names, ["a"])
    }

    /// A server that sends a byte at a time would be asked a million times for a megabyte.
    func testManySmallPartsAreRefusedAndMayBeGoneOnWith() async throws {
        let folder = try temporaryFolder()
        let bytes = LoopbackResponse.pattern(count: 1000)
        let server = try serve { request in
            let whole = LoopbackResponse.file(bytes, etag: "\"v1\"", for: request)
            guard whole.status == 206, let range = request.header("Range"),
                let start = Int(range.dropFirst("bytes=".count).dropLast())
            else { return whole.failing(with: .abort(atByte: 400)) }
            return LoopbackResponse(
                status: 206,
                headers: [("ETag", "\"v1\""), ("Content-Range", "bytes \(start)-\(start)/1000")],
                body: .data(bytes[start...start]))
        }
        let manager = Stack(server).manager(DownloadManager(to: folder.file("a")))
        _ = await failure(manager)
        for round in 1...2 {
            let error = await failure(manager)
            XCTAssertEqual(error?.kind, .transfer(.partsTooSmall(limit: 100)))
            XCTAssertEqual(error?.response?.status, 206)
            XCTAssertEqual(server.requests.count, 1 + round * 100)
        }
        XCTAssertEqual(folder.names, ["a.partial", "a.partial.json"])
    }

    func testOverTheWireAfterEveryCut() async throws {
        let folder = try temporaryFolder()
        let bytes = LoopbackResponse.pattern(count: 300_000)
        let cuts = Locked([100, 1_000, 5_000, 70_000, 131_072])
        let server = try serve { request in
            let cut = cuts.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            let response = LoopbackResponse.file(bytes, etag: "\"v1\"", for: request)
            return cut.map { response.failing(with: .abort(atByte: $0)) } ?? response
        }
        let manager = Stack(server) { rules in
            rules.retryLimit = 10
            rules.intercept = { _ in .retry }
        }.manager(DownloadManager(to: folder.file("a")))
        let file = try await manager.load()
        XCTAssertEqual(try Data(contentsOf: file.url), bytes)
        XCTAssertGreaterThan(file.resumedByteCount, 70_000)
        XCTAssertEqual(server.requests.count, 6)
    }
}
