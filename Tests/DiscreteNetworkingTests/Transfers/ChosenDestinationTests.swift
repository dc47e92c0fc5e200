import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Downloads whose response says where the file goes.
@MainActor
final class ChosenDestinationTests: XCTestCase {
    private func manager(
        _ server: LoopbackServer, checksum: Checksum? = nil,
        to choose: @escaping @Sendable (APIResponse) throws -> URL
    ) -> DownloadManager {
        let manager = Stack(server).manager(DownloadManager())
        manager.target = Download(checksum: checksum, to: choose)
        return manager
    }

    private func tea() throws -> LoopbackServer {
        try serve { _ in
            LoopbackResponse(
                headers: [("Content-Disposition", "attachment; filename*=UTF-8''%E8%8C%B6.txt")],
                body: .data(Data("tea".utf8)))
        }
    }

    /// What a download has left in the temporary folder.
    private func leftovers(of manager: DownloadManager) -> [String] {
        let name = manager.target?.destination.lastPathComponent ?? "?"
        let folder = FileManager.default.temporaryDirectory.path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasPrefix(name)
        }
    }

    func testTheServerNamesTheFile() async throws {
        let folder = try temporaryFolder()
        let url = folder.url
        let manager = try manager(tea()) { response in
            XCTAssertEqual(response.status, 200)
            return url.appendingPathComponent(response.suggestedFilename)
        }
        let file = try await manager.load()
        XCTAssertEqual(file.url.lastPathComponent, "茶.txt")
        XCTAssertEqual(file.byteCount, 3)
        XCTAssertEqual(folder.names, ["茶.txt"])
        XCTAssertEqual(try Data(contentsOf: file.url), Data("tea".utf8))
    }

    func testAnExistingFileIsReplacedAtTheEndOnly() async throws {
        let folder = try temporaryFolder()
        let url = try folder.write("a", Data("old".utf8))
        let server = try tea()
        let wrong = manager(server, checksum: .md5(String(repeating: "0", count: 32))) { _ in
            XCTFail("of a wrong checksum")
            return url
        }
        let error = await failure(wrong)
        guard case .transfer(.checksumMismatch)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertEqual(try Data(contentsOf: url), Data("old".utf8))
        _ = try await manager(server) { _ in url }.load()
        XCTAssertEqual(try Data(contentsOf: url), Data("tea".utf8))
        XCTAssertEqual(folder.names, ["a"])
    }

    func testPlacesWhereNoFileCanBe() async throws {
        struct Full: Error {}
        let folder = try temporaryFolder()
        let server = try tea()
        let url = folder.url
        let places: [(@Sendable (APIResponse) throws -> URL, String)] = [
            ({ _ in throw Full() }, "threw a Full"),
            ({ _ in url }, "is a directory"),
            ({ _ in url.appendingPathComponent("none/a") }, "does not exist"),
            ({ _ in URL(string: "https://x.test/a")! }, "is not a file URL"),
        ]
        for (choose, reason) in places {
            let manager = manager(server, to: choose)
            let error = await failure(manager)
            guard case .transfer(.unwritable(let text))? = error?.kind else {
                XCTFail("\(String(describing: error))")
                continue
            }
            XCTAssertTrue(text.contains(reason), text)
            XCTAssertEqual(error?.response?.status, 200)
            XCTAssertEqual(leftovers(of: manager), [])
        }
        XCTAssertEqual(folder.names, [])
    }

    /// Data cannot be renamed into another volume.
    func testDestinationMayBeOnAnotherVolume() async throws {
        #if os(Linux)
            let folder = URL(fileURLWithPath: "/dev/shm/chosen-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
            let manager = try manager(tea()) { _ in folder.appendingPathComponent("a") }
            let file = try await manager.load()
            XCTAssertEqual(try Data(contentsOf: file.url), Data("tea".utf8))
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["a"])
            XCTAssertEqual(leftovers(of: manager), [])
        #else
            throw XCTSkip("Needs a second volume that anybody may write to.")
        #endif
    }

    func testAttemptsOfOneCallResumeOneAnother() async throws {
        let folder = try temporaryFolder()
        let url = folder.url
        let text = String(repeating: "茶", count: 1000)
        let asked = Locked<[String?]>([])
        let transport = ClosureTransport { request in
            let range = request.headers["Range"]
            let isFirst = asked.withLock { asked in
                asked.append(range)
                return asked.count == 1
            }
            guard !isFirst else {
                return TransportResponse(
                    url: request.url, status: 200, headers: ["Content-Length": "3000", "ETag": "\"1\""],
                    body: .pieces([Data(text.utf8.prefix(1000))], error: .lost))
            }
            return TransportResponse(
                url: request.url, status: 206,
                headers: [
                    "Content-Range": "bytes 1000-2999/3000", "Content-Length": "2000", "ETag": "\"1\"",
                ],
                body: .pieces([Data(text.utf8.dropFirst(1000))]))
        }
        let manager = Stack(transport) { $0.retry = RetryPolicy(base: 0) }.manager(DownloadManager())
        manager.target = Download { _ in url.appendingPathComponent("tea") }
        let file = try await manager.load()
        XCTAssertEqual(asked.current, [nil, "bytes=1000-"])
        XCTAssertEqual(file.resumedByteCount, 1000)
        XCTAssertEqual(try Data(contentsOf: file.url), Data(text.utf8))
    }

    /// Two closures may name two files.
    func testCallsWithClosuresAreNotJoined() {
        let one = Download { _ in URL(fileURLWithPath: "/tmp/a") }
        XCTAssertNotEqual(one, Download { _ in URL(fileURLWithPath: "/tmp/a") })
        XCTAssertEqual(one, one)
    }

    #if os(macOS) || os(Linux)
        /// The names as Flask and Django write them.
        func testNamesOfOtherServers() async throws {
            let folder = try temporaryFolder()
            let names = [
                "plain.txt", "with space.txt", "龙井茶 250克.pdf", "quote\".txt", "semi;colon.txt", "é.txt",
                "100%.txt",
            ]
            _ = try folder.write(
                "names.json", Data(JSONValue.array(names.map { .string($0) }).canonicalText.utf8))
            _ = try folder.write("app.py", Data(Self.program.utf8))
            let port = try LoopbackServer.refusedPort()
            let process = try ServerProcess(
                "gunicorn", ["--bind", "127.0.0.1:\(port)", "app:app"], port: port, folder: folder.url)
            addTeardownBlock { process.stop() }
            let stack = Stack(PlatformTransport.make()) {
                $0.baseURL = URL(string: "http://127.0.0.1:\(port)")!
            }
            for maker in ["flask", "django"] {
                for (index, name) in names.enumerated() {
                    let manager = stack.manager(DownloadManager())
                    manager.methodName = "\(maker)/\(index)"
                    manager.target = Download { folder.file($0.suggestedFilename) }
                    do {
                        let file = try await manager.load()
                        XCTAssertEqual(file.url.lastPathComponent, name, maker)
                    } catch {
                        throw Tool.missing("pip install gunicorn flask django. \(error) \(process.text)")
                    }
                }
            }
        }

        private static let program = """
            import io, json
            from flask import Flask, send_file
            import django
            from django.conf import settings
            settings.configure(DEFAULT_CHARSET='utf-8')
            from django.http import FileResponse
            names = json.load(open('names.json', encoding='utf-8'))
            app = Flask(__name__)
            @app.get('/flask/<int:number>')
            def by_flask(number):
                return send_file(io.BytesIO(b'tea'), as_attachment=True, download_name=names[number])
            @app.get('/django/<int:number>')
            def by_django(number):
                made = FileResponse(io.BytesIO(b'tea'), as_attachment=True, filename=names[number])
                return b'tea', 200, {'Content-Disposition': made.headers['Content-Disposition']}
            """
    #endif
}
