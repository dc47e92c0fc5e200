#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCookies
    @testable import DiscreteNetworkingCore

    /// Processes that share the file of a jar.
    final class CookieProcessTests: XCTestCase {
        func testProcessesOfOneUserLoseNoCookie() throws {
            let folder = try temporaryFolder().url.appendingPathComponent("credentials")
            let children = try ["casa-a", "casa-b"].map {
                try ChildProcess($0, in: folder, test: "CookieChildTests")
            }
            XCTAssertEqual(children.map { $0.lines() }, [["done"], ["done"]])
            let file = try XCTUnwrap(CookieChildTests.file(in: folder))
            XCTAssertEqual(
                Set(file.cookies.map { "\($0.name)=\($0.value)" }),
                Set((0..<10).flatMap { ["casa-a\($0)=casa", "casa-b\($0)=casa"] }))
        }

        func testProcessesOfTwoUsersNeverMixTheirCookies() throws {
            let folder = try temporaryFolder().url.appendingPathComponent("credentials")
            let children = try ["casa-a", "tigerhu-b", "switch-c"].map {
                try ChildProcess($0, in: folder, test: "CookieChildTests")
            }
            XCTAssertEqual(children.map { $0.lines() }, [["done"], ["done"], ["done"]])
        }
    }

    /// What the tests above do in a process of its own.
    final class CookieChildTests: XCTestCase {
        private static let url = URL(string: "https://shop.example.com/")!

        static func file(in folder: URL) throws -> CookieFile? {
            try FileCredentialStore(folder: folder).read("cookies")
                .map { try JSONDecoder().decode(CookieFile.self, from: $0) }
        }

        /// Sets ten cookies of a user, one after another, and looks at the file after each of them.
        func testChildObeysItsParentProcess() async throws {
            let (order, path) = try ChildProcess.order()
            let folder = URL(fileURLWithPath: path)
            let jar = CookieJar(store: FileCredentialStore(folder: folder))
            let session = TokenSession()
            var subjects: [String: String] = [:]
            for user in ["casa", "tigerhu"] {
                session.adopt(SessionTokens(accessToken: "1", user: user))
                subjects[session.snapshot.subject ?? ""] = user
            }
            for number in 0..<10 {
                let first = String(order.prefix { $0 != "-" })
                let user = first == "switch" ? ["casa", "tigerhu"][number % 2] : first
                session.adopt(SessionTokens(accessToken: "1", user: user))
                let turn = await jar.machinery.turn(for: session.snapshot, of: session)
                turn.keep(["\(order)\(number)=\(user); Max-Age=3600"], from: Self.url)
                try await jar.save()
                if let header = turn.header(for: Self.url),
                    !header.split(separator: ";").allSatisfy({ $0.hasSuffix("=\(user)") })
                {
                    ChildProcess.say("mixed in memory: \(header)")
                }
                guard let file = try Self.file(in: folder), case .user(let subject) = file.owner else {
                    continue
                }
                if file.cookies.contains(where: { $0.value != subjects[subject] }) {
                    ChildProcess.say("mixed in the file")
                }
            }
            ChildProcess.say("done")
        }
    }
#endif
