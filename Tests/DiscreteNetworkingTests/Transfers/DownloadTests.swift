import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Downloads to a file, over real sockets.
@MainActor
final class DownloadTests: XCTestCase {
    private let bytes = LoopbackResponse.pattern(count: 3_000_000)

    func testAFileIsThereWhole() async throws {
        let folder = try temporaryFolder()
        let server = try serve { [bytes] in .file(bytes, etag: "\"v1\"", for: $0) }
        let manager = Stack(server).manager(DownloadManager(to: folder.file("map.bin")))
        let file = try await manager.load(with: ["city": "上海"])
        XCTAssertEqual(file.url, folder.file("map.bin"))
        XCTAssertEqual(file.byteCount, 3_000_000)
        XCTAssertEqual(file.resumedByteCount, 0)
        XCTAssertEqual(try Data(contentsOf: file.url), bytes)
        XCTAssertEqual(folder.names, ["map.bin"], "nothing else is left")
        XCTAssertEqual(manager.output, file)
        XCTAssertEqual(manager.response?.status, 200)
        XCTAssertEqual(manager.response?.body, Data())
        let request = try XCTUnwrap(server.requests.first)
        XCTAssertEqual(request.header("Accept-Encoding"), "identity")
        XCTAssertNil(request.header("Range"))
        XCTAssertEqual(request.query.first?.value, "上海")
    }

    /// The response comes before the body, and its metrics with it.
    func testTheMetricsAreOfTheWholeBody() async throws {
        let folder = try temporaryFolder()
        let server = try serve { [bytes] in .file(bytes, etag: "\"v1\"", for: $0) }
        let manager = Stack(server).manager(DownloadManager(to: folder.file("map.bin")))
        _ = try await manager.load()
        let metrics = try XCTUnwrap(manager.response?.metrics)
        XCTAssertEqual(metrics.bytesReceived, 3_000_000)
        XCTAssertGreaterThan(try XCTUnwrap(metrics.end), try XCTUnwrap(metrics.firstByte))
    }

    func testADownloadCountsAsAConnectionOfItsHost() async throws {
        let transport = ClosureTransport { TransportResponse(url: $0.url, status: 200) }
        let url = try temporaryFolder().file("map.bin")
        _ = try await Stack(transport).manager(DownloadManager(to: url)).load()
        XCTAssertEqual(transport.requests.map(\.destination), [.stream])
        XCTAssertEqual(transport.requests.map(\.isOpenEnded), [false])
    }

    func testAnExistingFileIsReplacedInTheEnd() async throws {
        let folder = try temporaryFolder()
        let url = try folder.write("map.bin", Data("old".utf8))
        let gate = LoopbackGate()
        let server = try serve { _ in
            LoopbackResponse(
                body: .stream([.chunk(Data("new ".utf8)), .wait(gate), .chunk(Data("map".utf8))]))
        }
        let manager = Stack(server).manager(DownloadManager(to: url))
        let progress = manager.progress
        manager.loadData()
        for await step in progress where step.received > 0 { break }
        XCTAssertEqual(try Data(contentsOf: url), Data("old".utf8))
        gate.open()
        await until { manager.output != nil }
        XCTAssertEqual(try Data(contentsOf: url), Data("new map".utf8))
    }

    func testWithoutAnAddressItGoesToAFileOfItsOwn() async throws {
        let server = try serve { _ in .text("map") }
        let stack = Stack(server)
        let first = try await stack.manager(DownloadManager()).load()
        let second = try await stack.manager(DownloadManager()).load()
        XCTAssertNotEqual(first.url, second.url)
        XCTAssertEqual(try Data(contentsOf: first.url), Data("map".utf8))
        XCTAssertEqual(
            FileStatus(path: first.url.path)?.permissions, 0o600, "others may look into that folder")
        for file in [first, second] { try FileManager.default.removeItem(at: file.url) }
    }

    func testOfATemporaryDownloadThatFailsNothingStays() async throws {
        let transport = ClosureTransport {
            TransportResponse(
                url: $0.url, status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "10"],
                body: .pieces(["12345"], error: .lost))
        }
        let stack = Stack(transport)
        weak var released: BaseAPIManager?
        let target = Download()
        do {
            let manager = stack.manager(DownloadManager())
            manager.target = target
            released = manager
            let error = await failure(manager)
            XCTAssertEqual(error?.kind, .transport(.lost))
        }
        await until { released == nil }
        let partial = target.destination.appendingPathExtension("partial")
        await until {
            !FileManager.default.fileExists(atPath: partial.path)
                && !FileManager.default.fileExists(atPath: partial.appendingPathExtension("json").path)
        }
    }

    func testAnEmptyFileAndOneWithoutALength() async throws {
        let folder = try temporaryFolder()
        let server = try serve { request in
            request.path == "/empty"
                ? .data(Data())
                : LoopbackResponse(body: .chunks([Data("ab".utf8), Data("c".utf8)]))
        }
        let manager = Stack(server).manager(DownloadManager(to: folder.file("a")))
        manager.methodName = "empty"
        let empty = try await manager.load()
        XCTAssertEqual(empty.byteCount, 0)
        XCTAssertEqual(try Data(contentsOf: empty.url), Data())
        manager.methodName = "chunked"
        let chunked = try await manager.load()
        XCTAssertEqual(try Data(contentsOf: chunked.url), Data("abc".utf8))
    }

    func testDownloadFollowsRedirects() async throws {
        let folder = try temporaryFolder()
        let server = try serve { [bytes] request in
            request.path == "/file" ? .redirect(to: "/there") : .file(bytes, for: request)
        }
        let file = try await Stack(server).manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(try Data(contentsOf: file.url), bytes)
    }

    func testAPOSTAndAPartThatTheManagerAsksForItself() async throws {
        let folder = try temporaryFolder()
        let server = try serve { [bytes] in .file(bytes, etag: "\"v1\"", for: $0) }
        let stack = Stack(server)
        let post = stack.manager(DownloadManager(to: folder.file("a")))
        post.requestType = .post
        let whole = try await post.load(with: ["q": "x"])
        XCTAssertEqual(whole.byteCount, 3_000_000)
        let part = stack.manager(DownloadManager(to: folder.file("b")))
        part.ownHeaders = ["Range": "bytes=10-19"]
        let file = try await part.load()
        XCTAssertEqual(try Data(contentsOf: file.url), bytes[10...19])
    }

    func testEncodedDownloadIsDecodedAndHasNoLength() async throws {
        let folder = try temporaryFolder()
        let transport = ClosureTransport {
            TransportResponse(
                url: $0.url, status: 200,
                headers: ["Content-Encoding": "gzip", "Content-Length": "3", "ETag": "\"v1\""],
                body: .pieces(["decoded"]))
        }
        let file = try await Stack(transport).manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(try Data(contentsOf: file.url), Data("decoded".utf8))
    }

    // MARK: Checksums

    /// Several pieces. A debug build takes long to digest more.
    private var few: Data { Data(bytes.prefix(300_000)) }

    func testAChecksumThatIsRight() async throws {
        let folder = try temporaryFolder()
        let server = try serve { [few] in .file(few, for: $0) }
        for checksum in [
            Checksum.sha256(MessageDigest(.sha256, of: few).hexadecimal.uppercased()),
            .sha1(MessageDigest(.sha1, of: few).hexadecimal),
            .md5(MessageDigest(.md5, of: few).hexadecimal),
        ] {
            let manager = Stack(server).manager(DownloadManager(to: folder.file("a"), checksum: checksum))
            let file = try await manager.load()
            XCTAssertEqual(file.byteCount, 300_000)
        }
    }

    func testAChecksumThatIsWrongLeavesNothing() async throws {
        let folder = try temporaryFolder()
        let server = try serve { [few] in .file(few, etag: "\"v1\"", for: $0) }
        let wrong = String(repeating: "0", count: 64)
        let manager = Stack(server).manager(
            DownloadManager(to: folder.file("a"), checksum: .sha256(wrong)))
        let error = await failure(manager)
        let actual = MessageDigest(.sha256, of: few).hexadecimal
        XCTAssertEqual(error?.kind, .transfer(.checksumMismatch(expected: wrong, actual: actual)))
        XCTAssertTrue(error?.description.contains("was removed") == true)
        XCTAssertEqual(error?.response?.status, 200)
        XCTAssertEqual(folder.names, [])
    }

    func testAChecksumThatIsNoneIsRefusedBeforeAnythingIsSent() async throws {
        let transport = ClosureTransport(json: "{}")
        let folder = try temporaryFolder()
        for text in ["", "abc", String(repeating: "x", count: 64)] {
            let manager = Stack(transport).manager(
                DownloadManager(to: folder.file("a"), checksum: .sha256(text)))
            guard case .invalidRequest(let reason)? = await failure(manager)?.kind else {
                return XCTFail(text)
            }
            XCTAssertTrue(reason.contains("64 hexadecimal digits"), reason)
        }
        XCTAssertTrue(transport.requests.isEmpty)
    }

    // MARK: Who may say what

    final class Confused: APIManager<Product> {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "a"
        let requestType = HTTPMethod.get
        override var download: Download? { Download() }
    }

    func testADownloadNeedsTheRightOutput() async {
        let transport = ClosureTransport(json: teapot)
        guard case .invalidRequest(let reason)? = await failure(Stack(transport).manager(Confused()))?.kind
        else { return XCTFail() }
        XCTAssertTrue(reason.contains("DownloadedFile"), reason)
    }

    func testAServiceMayNotChangeTheKindOfDestination() async throws {
        let folder = try temporaryFolder()
        let stack = Stack(ClosureTransport(json: teapot)) { rules in
            rules.adapt = { request, _ in request.destination = .memory(limit: 1) }
        }
        guard
            case .invalidRequest(let reason)? = await failure(
                stack.manager(DownloadManager(to: folder.file("a"))))?.kind
        else { return XCTFail() }
        XCTAssertTrue(reason.contains("depends on the manager's output"), reason)
    }

    func testASignerMayNotChangeTheKindOfDestinationEither() async throws {
        struct Diverting: RequestSigner {
            func sign(_ request: inout APIRequest, for call: APICall) async throws {
                request.destination = .memory(limit: 1)
            }
        }
        let folder = try temporaryFolder()
        let stack = Stack(ClosureTransport(json: teapot)) { rules in rules.signer = Diverting() }
        guard
            case .invalidRequest(let reason)? = await failure(
                stack.manager(DownloadManager(to: folder.file("a"))))?.kind
        else { return XCTFail() }
        XCTAssertTrue(reason.contains("The signer Diverting changed the response destination"), reason)
    }
}
