#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What the test below does in a process of its own: logs in, and calls with a token that is refreshed.
    @MainActor
    final class SessionRaceChildTests: XCTestCase {
        func testChildObeysItsParentProcess() async throws {
            let (order, folder) = try ChildProcess.order()
            let url = try XCTUnwrap(URL(string: order))
            for round in 0..<SessionRaceTests.rounds {
                let session = SharedLogin.session(in: URL(fileURLWithPath: folder))
                session.adopt(SessionTokens(accessToken: "old", refreshToken: "\(round)", user: "him"))
                try await session.save()
                _ = await failure(SharedLogin.manager(of: session, at: url))
                try? await session.save()
                let end = SharedLogin.manager(of: TokenSession(), at: url)
                end.methodName = "end"
                _ = await failure(end)
            }
            ChildProcess.say("done")
        }
    }

    /// A logout and a login in one process while another one refreshes.
    @MainActor
    final class SessionRaceTests: XCTestCase {
        static var rounds: Int { FullLength.rounds(60, of: 1000) }

        func testNoRefreshUndoesALogoutOrALoginOfAnotherProcess() async throws {
            let folder = try temporaryFolder().file("credentials")
            let store = FileCredentialStore(folder: folder)
            let random = Locked(FixedRandom(seed: 49))
            let change = Locked<(ended: DispatchSemaphore, name: String?)?>(nil)
            let undone = Locked<[String]>([])
            let met = Locked(0)
            let server = try LoopbackServer { request in
                switch request.path {
                case "/token":
                    let ended = DispatchSemaphore(value: 0)
                    let (pause, isLogin) = random.withLock {
                        (UInt32.random(in: 0...1500, using: &$0), Bool.random(using: &$0))
                    }
                    change.current = (ended, isLogin ? "hers" : nil)
                    Thread.detachNewThread {
                        usleep(pause)
                        let hers = SessionTokens(accessToken: "hers", refreshToken: "hers", user: "her")
                        do {
                            if isLogin {
                                try store.write(JSONEncoder().encode(hers), for: "session")
                            } else {
                                try store.remove("session")
                            }
                        } catch { undone.withLock { $0.append("\(error)") } }
                        ended.signal()
                    }
                    return .json(#"{"access_token":"new","refresh_token":"new"}"#)
                case "/end":
                    guard let (ended, name) = change.current else { return .json("{}") }
                    ended.wait()
                    met.withLock { $0 += 1 }
                    let data = try? store.read("session")
                    let tokens = data.flatMap { try? JSONDecoder().decode(SessionTokens.self, from: $0) }
                    if tokens?.accessToken != name {
                        undone.withLock { $0.append("\(tokens?.accessToken ?? "-") over \(name ?? "-")") }
                    }
                    return .json("{}")
                default:
                    let isNew = request.header("Authorization") == "Bearer new"
                    return isNew ? .json(teapot) : .json("{}", status: 401)
                }
            }
            defer { server.stop() }
            let child = try ChildProcess(
                server.baseURL.absoluteString, in: folder, test: "SessionRaceChildTests")
            XCTAssertEqual(child.lines(), ["done"])
            XCTAssertEqual(child.status(), 0)
            XCTAssertEqual(met.current, Self.rounds)
            XCTAssertEqual(undone.current, [])
        }
    }
#endif
