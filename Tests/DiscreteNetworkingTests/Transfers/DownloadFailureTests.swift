import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What can go wrong with a download on this side, and on the other.
@MainActor
final class DownloadFailureTests: XCTestCase {
    private func reason(_ error: APIError?) -> String? {
        guard case .transfer(.unwritable(let reason))? = error?.kind else { return nil }
        return reason
    }

    func testAnErrorStatusNeverTouchesTheFile() async throws {
        let folder = try temporaryFolder()
        let url = try folder.write("a", Data("old".utf8))
        let server = try serve { _ in .text("no such map", status: 404) }
        let error = await failure(Stack(server).manager(DownloadManager(to: url)))
        XCTAssertEqual(error?.kind, .http(status: 404))
        XCTAssertEqual(error?.response?.body, Data("no such map".utf8))
        XCTAssertTrue(error?.description.contains("no such map") == true)
        XCTAssertEqual(try Data(contentsOf: url), Data("old".utf8))
        XCTAssertEqual(folder.names, ["a"])
    }

    /// A service whose codes come with statuses that it accepts.
    final class CodeService: Service {
        var baseURL: URL { URL(string: "https://api.example.com")! }
        func accepts(status: Int, for call: APICall) -> Bool { status < 500 }
        func envelope(for call: APICall) -> Envelope? { Envelope(code: "code", message: "msg") }
    }

    func testABusinessCodeBesideTheFile() async throws {
        let folder = try temporaryFolder()
        let services = ServiceFactory()
        services.register([.test: CodeService.self])
        let transport = ClosureTransport {
            TransportResponse(url: $0.url, status: 403, body: .pieces([#"{"code":7,"msg":"not yours"}"#]))
        }
        let manager = DownloadManager(to: folder.file("a"))
        manager.proxy = ApiProxy(transport: transport, services: services)
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .business(code: 7, message: "not yours"))
        XCTAssertEqual(folder.names, [])
    }

    /// The backend says 200, and in the body that it is none.
    func testABusinessCodeInPlaceOfTheFile() async throws {
        let folder = try temporaryFolder()
        let url = try folder.write("a", Data("old".utf8))
        for type in ["application/json", "application/octet-stream"] {
            let server = try serve { _ in
                LoopbackResponse(
                    headers: [("Content-Type", type), ("ETag", "\"v1\"")],
                    body: .data(Data(#" {"code":1001,"msg":"not yours"}"#.utf8)))
            }
            let stack = Stack(server) {
                $0.envelope = Envelope(code: "code", message: "msg", payload: "content")
            }
            let error = await failure(stack.manager(DownloadManager(to: url)))
            XCTAssertEqual(error?.kind, .business(code: 1001, message: "not yours"))
            XCTAssertEqual(error?.response?.body, Data(#" {"code":1001,"msg":"not yours"}"#.utf8))
            XCTAssertEqual(try Data(contentsOf: url), Data("old".utf8))
            XCTAssertEqual(folder.names, ["a"])
        }
    }

    func testFileThatResemblesAnEnvelopeIsDownloaded() async throws {
        let folder = try temporaryFolder()
        let files = [
            #"{"code":0,"content":[1,2]}"#, #"{"name":"map"}"#, "{", "[]", "", "map",
            #"{"code":1001,"tiles":""# + String(repeating: "x", count: 70_000) + #""}"#,
        ]
        for file in files {
            let transport = ClosureTransport {
                TransportResponse(
                    url: $0.url, status: 200,
                    body: .pieces([Data(file.utf8.prefix(3)), Data(file.utf8.dropFirst(3))]))
            }
            let stack = Stack(transport) {
                $0.envelope = Envelope(code: "code", message: "msg", payload: "content")
            }
            let output = try await stack.manager(DownloadManager(to: folder.file("a"))).load()
            XCTAssertEqual(try Data(contentsOf: output.url), Data(file.utf8))
            XCTAssertEqual(output.byteCount, Int64(file.utf8.count))
        }
    }

    func testABusinessCodeLeavesWhatWasLoadedBefore() async throws {
        let folder = try temporaryFolder()
        let isFirst = Locked(true)
        let transport = ClosureTransport { request in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let headers: HTTPFields = ["ETag": "\"v1\"", "Content-Length": isFirst ? "6" : "13"]
            return TransportResponse(
                url: request.url, status: 200, headers: headers,
                body: isFirst ? .pieces(["map"], error: .lost) : .pieces([#"{"code":1001}"#]))
        }
        let stack = Stack(transport) { $0.envelope = Envelope(code: "code", message: "msg") }
        let manager = stack.manager(DownloadManager(to: folder.file("a")))
        let lost = await failure(manager)
        XCTAssertEqual(lost?.kind, .transport(.lost))
        let refused = await failure(manager)
        XCTAssertEqual(refused?.kind, .business(code: 1001, message: nil))
        XCTAssertEqual(try Data(contentsOf: folder.file("a.partial")), Data("map".utf8))
    }

    func testABusinessCodeInPlaceOfAStream() async throws {
        let server = try serve { _ in .json(#"{"code":1001,"msg":"not yours"}"#) }
        let stack = Stack(server) { $0.envelope = Envelope(code: "code", message: "msg") }
        let error = await failure(stack.manager(StreamManager()))
        XCTAssertEqual(error?.kind, .business(code: 1001, message: "not yours"))

        let good = try serve { _ in .json(#"{"code":0,"content":7}"#) }
        let other = Stack(good) { $0.envelope = Envelope(code: "code", message: "msg") }
        var text = ""
        for try await line in try await other.manager(StreamManager()).load().lines { text += line }
        XCTAssertEqual(text, #"{"code":0,"content":7}"#)
    }

    func testABodyThatEndsTooEarlyOrTooLate() async throws {
        for (body, kind) in [("1234", TransportError.Kind.connectionLost), ("123456", .badResponse)] {
            let folder = try temporaryFolder()
            let transport = ClosureTransport {
                TransportResponse(
                    url: $0.url, status: 200, headers: ["Content-Length": "5"], body: .pieces([body]))
            }
            let error = await failure(Stack(transport).manager(DownloadManager(to: folder.file("a"))))
            guard case .transport(let cause)? = error?.kind else { return XCTFail(body) }
            XCTAssertEqual(cause.kind, kind)
            XCTAssertEqual(folder.names, [], "without a validator it is of no use")
        }
    }

    func testFoldersThatAreNotThereOrInTheWay() async throws {
        let folder = try temporaryFolder()
        let stack = Stack(ClosureTransport(json: "{}"))
        let missing = await failure(stack.manager(DownloadManager(to: folder.file("no/a"))))
        XCTAssertEqual(reason(missing), "The directory of a does not exist; create it first.")
        let taken = await failure(stack.manager(DownloadManager(to: folder.url)))
        XCTAssertTrue(reason(taken)?.contains("is a directory") == true)
        let web = await failure(stack.manager(DownloadManager(to: URL(string: "https://a.example/b")!)))
        XCTAssertTrue(reason(web)?.contains("not a file URL") == true)
    }

    func testWhereTheSystemSaysNo() async throws {
        let folder = try temporaryFolder()
        let stack = Stack(ClosureTransport(json: "{}"))
        let name = String(repeating: "x", count: 255)
        let long = await failure(stack.manager(DownloadManager(to: folder.file(name))))
        XCTAssertTrue(reason(long)?.contains("File name too long") == true, "\(String(describing: long))")
        try FileManager.default.createSymbolicLink(
            at: folder.file("a.partial"), withDestinationURL: folder.file("elsewhere"))
        let link = await failure(stack.manager(DownloadManager(to: folder.file("a"))))
        XCTAssertNotNil(reason(link), "a link laid out by somebody else is not followed")
        XCTAssertEqual(folder.names, ["a.partial"])
    }

    #if os(Linux)
        func testAFullDisk() async throws {
            let folder = try temporaryFolder()
            let path = folder.file("disk").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else {
                throw XCTSkip("no file system can be mounted here: \(String(cString: strerror(errno)))")
            }
            defer { umount2(path, Int32(MNT_DETACH)) }
            let transport = ClosureTransport {
                TransportResponse(
                    url: $0.url, status: 200, headers: ["ETag": "\"v1\""],
                    body: .pieces([Data(count: 30_000), Data(count: 60_000)]))
            }
            let manager = Stack(transport).manager(DownloadManager(to: folder.file("disk/a")))
            let error = await failure(manager)
            XCTAssertTrue(
                reason(error)?.contains("cannot be written") == true, "\(String(describing: error))")
            XCTAssertFalse(FileManager.default.fileExists(atPath: path + "/a"))
        }
    #endif

    // MARK: Two at once

    func testTwoInOneProcess() async throws {
        let folder = try temporaryFolder()
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(url: request.url, status: 200, body: .pieces(["map"]))
        }
        let stack = Stack(transport)
        let first = stack.manager(DownloadManager(to: folder.file("a")))
        first.loadData()
        await gate.arrival()
        let error = await failure(stack.manager(DownloadManager(to: folder.file("a"))))
        XCTAssertEqual(error?.kind, .transfer(.destinationInUse))
        XCTAssertEqual(transport.requests.count, 1)
        gate.open()
        await until { first.output != nil }
        let third = try await stack.manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(third.byteCount, 3)
    }

    func testDownloadFailsWhileAnotherProcessWritesTheFile() async throws {
        #if os(macOS) || os(Linux)
            let folder = try temporaryFolder()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            // Another program that holds the lock until it is told to go.
            process.arguments = [
                "python3", "-c",
                "import fcntl,sys;f=open(sys.argv[1],'w');fcntl.flock(f,fcntl.LOCK_EX);print('held',flush=True);sys.stdin.read()",
                folder.file("a.partial").path,
            ]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let word = output.fileHandleForReading.availableData
            guard !word.isEmpty else { throw XCTSkip("python3 is not installed") }
            let manager = Stack(ClosureTransport(json: "{}")).manager(DownloadManager(to: folder.file("a")))
            let error = await failure(manager)
            XCTAssertEqual(error?.kind, .transfer(.destinationInUse))
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            let file = try await manager.load()
            XCTAssertEqual(file.byteCount, 2)
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }

    func testAfterItsTimeARepeatedCallIsNotInItsOwnWay() async throws {
        let folder = try temporaryFolder()
        let gate = Gate()
        let isFirst = Locked(true)
        let transport = ClosureTransport { request in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if waits { await gate.pass() }
            return TransportResponse(url: request.url, status: 200, body: .pieces(["map"]))
        }
        let manager = Stack(transport) { rules in
            rules.timeout = 0.05
            rules.intercept = { $0.error.kind == .timedOut ? .retry : .report }
        }.manager(DownloadManager(to: folder.file("a")))
        let file = try await manager.load()
        XCTAssertEqual(try Data(contentsOf: file.url), Data("map".utf8))
        gate.open()
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(try Data(contentsOf: file.url), Data("map".utf8), "the late answer writes nothing")
    }
}
