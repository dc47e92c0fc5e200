#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What the tests below do in a process of its own.
    @MainActor
    final class SessionChildTests: XCTestCase {
        func testChildObeysItsParentProcess() async throws {
            let environment = ProcessInfo.processInfo.environment
            guard let order = environment["CREDENTIAL_ORDER"], let folder = environment["CREDENTIAL_FOLDER"],
                let url = URL(string: order)
            else { return }
            let session = SharedLogin.session(in: URL(fileURLWithPath: folder))
            var failures: [String] = []
            for number in 0..<60 {
                let manager = SharedLogin.manager(of: session, at: url)
                manager.methodName = "item\(number)"
                if let error = await failure(manager) { failures.append("\(error.kind)") }
            }
            ChildProcess.say("\(failures.count) failed \(failures.first ?? "")")
        }
    }

    /// A login that an app and its extension share.
    @MainActor
    enum SharedLogin {
        static func session(in folder: URL) -> TokenSession {
            TokenSession(
                store: FileCredentialStore(folder: folder), policy: RefreshPolicy(limit: 1000),
                refresh: TokenSession.standardRefresh)
        }

        static func manager(of session: TokenSession, at url: URL) -> ProductManager {
            let services = ServiceFactory()
            let service = TestService { rules in
                rules.baseURL = url
                rules.session = session
            }
            services.register([.test: { service }])
            let manager = ProductManager()
            manager.proxy = ApiProxy(services: services)
            return manager
        }
    }

    /// Two processes with one store, at a server whose refresh tokens are good once.
    @MainActor
    final class SessionProcessTests: XCTestCase {
        /// Rotates: a refresh makes all earlier tokens worthless. An access token is good for so many calls.
        private final class RotatingDesk: Sendable {
            struct Book: Sendable {
                var number = 1
                var uses = 0
                var refreshes = 0
                var reuses = 0
            }
            let book = Locked(Book())

            func answer(_ request: LoopbackRequest) -> LoopbackResponse {
                book.withLock { book in
                    guard request.path == "/token" else {
                        book.uses += 1
                        let isGood =
                            request.header("Authorization") == "Bearer access-\(book.number)"
                            && book.uses <= 20
                        return isGood ? .json(teapot) : .json("{}", status: 401)
                    }
                    let token = (try? JSONValue(parsing: request.body))?["refresh_token"]?.string
                    guard token == "refresh-\(book.number)" else {
                        book.reuses += 1
                        return .json(#"{"error":"invalid_grant"}"#, status: 400)
                    }
                    book.refreshes += 1
                    book.number += 1
                    book.uses = 0
                    return .json(
                        #"{"access_token":"access-\#(book.number)","refresh_token":"refresh-\#(book.number)"}"#
                    )
                }
            }
        }

        func testNoRefreshTokenIsUsedTwiceAndNoCallFails() async throws {
            let folder = try temporaryFolder().file("credentials")
            let desk = RotatingDesk()
            let server = try LoopbackServer { desk.answer($0) }
            defer { server.stop() }
            let session = SharedLogin.session(in: folder)
            session.adopt(SessionTokens(accessToken: "access-1", refreshToken: "refresh-1"))
            try await session.save()
            let children = try (1...2).map { _ in
                try ChildProcess(server.baseURL.absoluteString, in: folder, test: "SessionChildTests")
            }
            for child in children {
                XCTAssertEqual(child.lines(), ["0 failed "])
                XCTAssertEqual(child.status(), 0)
            }
            XCTAssertEqual(desk.book.current.reuses, 0)
            XCTAssertGreaterThanOrEqual(desk.book.current.refreshes, 5)
        }
    }
#endif
