import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingInspector

/// What is on the disk, read by Foundation's own parser.
@MainActor
final class TrafficFileTests: XCTestCase {
    private let stubs = StubTransport()
    private lazy var proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])

    private func folder() -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "Traffic-\(UUID().uuidString)")
        addTeardownBlock { try? FileManager.default.removeItem(at: url) }
        return url
    }

    private func load(_ answer: StubAnswer = .json(["name": "茶壶"]), params: Params = ["id": 7]) async {
        let manager = TeapotManager()
        manager.proxy = proxy
        stubs.on(TeapotManager.self, answer: answer)
        _ = try? await manager.load(with: params)
    }

    /// The pages of the lines, in their order.
    private func pages(_ file: URL) throws -> [[String: Any]] {
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        return try lines.map { line in
            let archive = try XCTUnwrap(JSONSerialization.jsonObject(with: line) as? [String: Any])
            let log = try XCTUnwrap(archive["log"] as? [String: Any])
            let pages = try XCTUnwrap(log["pages"] as? [[String: Any]])
            XCTAssertEqual(pages.count, 1)
            return pages[0]
        }
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    func testACallIsThereWhenItStartsAndWhenItEnds() async throws {
        let file = try TrafficFile(in: folder())
        proxy.addObserver(file)
        let clock = TestClock()
        stubs.on(TeapotManager.self, answer: .json(["name": "茶壶"]).after(1, by: clock))
        let manager = TeapotManager()
        manager.proxy = proxy
        let task = Task { try await manager.load(with: ["id": 7]) }
        await clock.waitForSleepers()
        file.synchronize()
        XCTAssertEqual(try pages(file.url).last?["_state"] as? String, "running")
        clock.advance(by: 1)
        _ = try await task.value
        file.synchronize()
        XCTAssertEqual(try pages(file.url).last?["_state"] as? String, "succeeded")
        XCTAssertEqual(Set(try pages(file.url).map { $0["id"] as? String }).count, 1)
    }

    /// Of an app that is killed while it waits, the file says what it has asked for.
    func testTheRequestIsThereBeforeItsResponse() async throws {
        let file = try TrafficFile(in: folder())
        proxy.addObserver(file)
        proxy.addObserver(Synchronizing(file: file))
        let clock = TestClock()
        stubs.on(TeapotManager.self, answer: .json(["name": "茶壶"]).after(1, by: clock))
        let manager = TeapotManager()
        manager.proxy = proxy
        let task = Task { try await manager.load(with: ["id": 7]) }
        await clock.waitForSleepers()
        file.synchronize()
        let line = try XCTUnwrap(Data(contentsOf: file.url).split(separator: UInt8(ascii: "\n")).last)
        let archive = try JSONDecoder().decode(JSONValue.self, from: line)
        XCTAssertEqual(archive[path: "log.entries.0.request.method"], "GET")
        clock.advance(by: 1)
        _ = try await task.value
    }

    func testTheFileInUseIsKeptWhateverItsSize() async throws {
        let folder = folder()
        let file = try TrafficFile(in: folder, limit: 1)
        proxy.addObserver(file)
        for _ in 0..<3 {
            await load()
            file.synchronize()
            XCTAssertEqual(try names(folder), [file.url.lastPathComponent])
            XCTAssertEqual(try pages(file.url).count, 1)
        }
    }

    func testAFailedCallHasItsErrorAndNoSecret() async throws {
        let file = try TrafficFile(in: folder())
        proxy.addObserver(file)
        await load(.json([:], status: 500), params: ["id": 7, "password": "longjing"])
        file.synchronize()
        let page = try XCTUnwrap(pages(file.url).last)
        XCTAssertEqual(page["_state"] as? String, "failed")
        XCTAssertEqual(page["_errorKind"] as? String, "http")
        XCTAssertFalse(String(decoding: try Data(contentsOf: file.url), as: UTF8.self).contains("longjing"))
    }

    func testFolderAndFileAreTheOwnersOnly() throws {
        let folder = folder()
        let file = try TrafficFile(in: folder)
        for (url, mode) in [(folder, 0o700), (file.url, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, mode)
        }
        XCTAssertThrowsError(try TrafficFile(in: URL(fileURLWithPath: "/proc/none"))) {
            XCTAssertTrue("\($0)".contains("/proc/none"), "\($0)")
        }
    }

    func testTheOldestFilesGoFirst() async throws {
        let folder = folder()
        let file = try TrafficFile(in: folder, limit: 40_000)
        try Data("mine".utf8).write(to: folder.appendingPathComponent("notes.txt"))
        proxy.addObserver(file)
        for id in 1...60 {
            await load(params: ["id": id])
            file.synchronize()
            let size = try names(folder).reduce(0) {
                $0 + (try Data(contentsOf: folder.appendingPathComponent($1)).count)
            }
            XCTAssertLessThanOrEqual(size, 40_000)
        }
        let files = try names(folder).filter(TrafficFileName.isName)
        XCTAssertGreaterThan(files.count, 1)
        XCTAssertEqual(files.last, file.url.lastPathComponent)
        XCTAssertFalse(files.contains { $0.hasSuffix("-0001.jsonl") })
        XCTAssertTrue(try names(folder).contains("notes.txt"))
        let last = try XCTUnwrap(pages(file.url).last?["_params"] as? [String: Any])
        XCTAssertEqual(last["id"] as? Int, 60)
    }

    func testAFullDiskIsSaidOnce() async throws {
        let lines = Locked<[String]>([])
        let file = try TrafficFile(in: folder()) { line in lines.withLock { $0.append(line) } }
        proxy.addObserver(file)
        await load()
        file.synchronize()
        // A disk that takes no more, in place of the open file.
        let full = open("/dev/full", O_WRONLY)
        try XCTSkipIf(full < 0, "There is no /dev/full.")
        defer { close(full) }
        let descriptor = try XCTUnwrap(
            FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.first {
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return path == file.url.path
            })
        XCTAssertEqual(dup2(full, descriptor), descriptor)
        for _ in 0..<3 { await load() }
        file.synchronize()
        XCTAssertEqual(lines.current.count, 1, "\(lines.current)")
        XCTAssertTrue(lines.current[0].hasPrefix("warning: \(file.url.path) is not written any further. "))
        XCTAssertTrue(lines.current[0].lowercased().contains("space"), lines.current[0])
    }

    func testTheFileOfAFolderIsThatOfTheLatestStart() async throws {
        let folder = folder()
        let file = try TrafficFile(in: folder, limit: 40_000)
        let old = folder.appendingPathComponent("calls-20260101T000000.000Z-00000000-0001.jsonl")
        try Data("{}".utf8).write(to: old)
        proxy.addObserver(file)
        for id in 1...10 { await load(params: ["id": id]) }
        file.synchronize()
        let start = TrafficFileName.start(of: file.url.lastPathComponent)
        let own = try names(folder).filter { $0.hasPrefix(start) }
        let expected = try own.map { try Data(contentsOf: folder.appendingPathComponent($0)) }.joined()
        for url in [folder, file.url, folder.appendingPathComponent(own[0])] {
            let inspector = try Inspector(opening: url, print: { _ in })
            defer { inspector.stop() }
            let answer = try await Answer(of: inspector.url.appendingPathComponent("file"))
            XCTAssertEqual(answer.status, 200)
            XCTAssertEqual(answer.text, String(decoding: Data(expected), as: UTF8.self))
            let page = try await Answer(of: inspector.url)
            XCTAssertTrue(page.text.contains(#"data-allowed="file""#))
        }
        XCTAssertThrowsError(try Inspector(opening: folder.appendingPathComponent("none"), print: { _ in }))
        let live = try Inspector(observing: proxy, print: { _ in })
        defer { live.stop() }
        let answer = try await Answer(of: live.url.appendingPathComponent("file"))
        XCTAssertEqual(answer.status, 404)
    }
}

extension ServiceIdentifier { fileprivate static let shop: Self = "shop" }

private final class ShopService: Service {
    var baseURL: URL { URL(string: "https://shop.example")! }
}

private struct Teapot: Decodable, Sendable { let name: String }

private final class TeapotManager: APIManager<Teapot> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "teapots/{id}"
    let requestType = HTTPMethod.get
}

/// Waits after each event until the file has been written, so that no line can hold what came later.
private struct Synchronizing: APICallObserver {
    let file: TrafficFile
    func observe(_: APICallEvent) { file.synchronize() }
}
