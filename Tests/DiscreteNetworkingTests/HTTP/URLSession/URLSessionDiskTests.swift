#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The transport's own configuration leaves no file behind. An empty folder it may: every
    /// configuration of URLSession makes one on Linux; see the README.
    final class URLSessionDiskTests: XCTestCase {
        func testNoFileIsLeftBehind() async throws {
            let folders = [FileManager.SearchPathDirectory.cachesDirectory, .applicationSupportDirectory]
                .compactMap { FileManager.default.urls(for: $0, in: .userDomainMask).first }
            let server = try LoopbackServer { _ in
                .json(teapot).adding("Cache-Control", "max-age=3600").adding(
                    "Set-Cookie", "a=1; Max-Age=3600")
            }
            defer { server.stop() }
            let before = folders.map(Self.touched)
            let transport = URLSessionTransport()
            for _ in 0..<10 { _ = try await transport.send(APIRequest(url: server.baseURL)) }
            XCTAssertEqual(folders.map(Self.touched), before)
            XCTAssertEqual(server.requests.count, 10, "nothing came from a cache")
        }

        /// Files that this program, or a store of cookies or responses, has below a folder.
        private static func touched(_ folder: URL) -> [String] {
            let files =
                FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            let program = ProcessInfo.processInfo.processName
            return files.filter { file in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: folder.path + "/" + file, isDirectory: &isFolder)
                return !isFolder.boolValue
            }.filter { $0.contains(program) || $0.contains("Cookies") || $0.contains("Cache.db") }
                .sorted()
        }
    }
#endif
