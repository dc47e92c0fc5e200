import Foundation
import XCTest

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

/// Stores that fail, and files that are damaged, foreign or full.
final class CookieStoreFailureTests: XCTestCase {
    private let url = URL(string: "https://shop.example.com/")!

    func testAStoreThatFailsIsReportedOnceAndTheCookiesStay() async throws {
        let folder = URL(fileURLWithPath: "/proc/no-such-folder/credentials")
        for store in [FailingStore(.unavailable), FileCredentialStore(folder: folder)]
            as [any CredentialStore]
        {
            let reports = Locked<[CredentialStoreError.Kind]>([])
            let jar = CookieJar(
                store: store, onStoreFailure: { error in reports.withLock { $0.append(error.kind) } })
            let turn = await jar.anonymousTurn()
            for number in 1...3 {
                turn.keep(["a=\(number); Max-Age=60"], from: url)
                let error = await saveError(jar)
                XCTAssertEqual(error?.kind, .unavailable)
            }
            XCTAssertEqual(turn.header(for: url), "a=3")
            XCTAssertEqual(reports.current, [.unavailable])
        }
    }

    func testAStoreThatFailsAgainIsReportedAgain() async throws {
        let store = FailingStore(.unavailable)
        let reports = Locked(0)
        let jar = CookieJar(store: store, onStoreFailure: { _ in reports.withLock { $0 += 1 } })
        let turn = await jar.anonymousTurn()
        for (number, error) in [(1, .unavailable), (2, nil), (3, .unavailable)]
            as [(Int, CredentialStoreError.Kind?)]
        {
            store.error.current = error.map { CredentialStoreError($0, message: "The store fails.") }
            turn.keep(["a=\(number); Max-Age=60"], from: url)
            let found = await saveError(jar)
            XCTAssertEqual(found?.kind, error)
        }
        XCTAssertEqual(reports.current, 2)
    }

    func testALockedStoreIsReadLaterAndNotOverwritten() async throws {
        let store = FailingStore(.deviceLocked)
        let first = CookieJar(store: store.memory)
        await first.anonymousTurn().keep(["a=1; Max-Age=60"], from: url)
        try await first.save()
        let second = CookieJar(store: store)
        let turn = await second.anonymousTurn()
        turn.keep(["b=2; Max-Age=60"], from: url)
        XCTAssertEqual(turn.header(for: url), "b=2")
        let error = await saveError(second)
        XCTAssertEqual(error?.kind, .deviceLocked)
        store.error.current = nil
        let found = await second.anonymousTurn().header(for: url)
        XCTAssertEqual(found, "a=1; b=2")
        try await second.save()
        let third = await CookieJar(store: store).anonymousTurn().header(for: url)
        XCTAssertEqual(third, "a=1; b=2")
    }

    func testCookiesThatCannotBeRemovedAreReported() async throws {
        struct KeepingStore: CredentialStore {
            let memory = MemoryCredentialStore()
            func read(_ key: String) -> Data? { memory.read(key) }
            func write(_ data: Data, for key: String) { memory.write(data, for: key) }
            func remove(_ key: String) throws(CredentialStoreError) {
                throw CredentialStoreError(.unavailable, message: "The store keeps everything.")
            }
        }
        let jar = CookieJar(store: KeepingStore())
        let turn = await jar.anonymousTurn()
        turn.keep(["a=1; Max-Age=60"], from: url)
        try await jar.save()
        turn.keep(["a=1; Max-Age=0"], from: url)
        let error = await saveError(jar)
        XCTAssertEqual(error?.kind, .unavailable)
    }

    private func saveError(_ jar: CookieJar) async -> CredentialStoreError? {
        do throws(CredentialStoreError) {
            try await jar.save()
            return nil
        } catch { return error }
    }

    func testADamagedFileIsReportedAndReplaced() async throws {
        let folder = try temporaryFolder().url.appendingPathComponent("credentials")
        let store = FileCredentialStore(folder: folder)
        let first = CookieJar(store: store)
        await first.anonymousTurn().keep(["a=1; Max-Age=60"], from: url)
        try await first.save()
        let file = folder.appendingPathComponent(CredentialFile.name(of: "cookies"))
        let data = try Data(contentsOf: file)
        try data.prefix(data.count / 2).write(to: file)
        XCTAssertEqual(chmod(file.path, 0o600), 0)
        let reports = Locked<[CredentialStoreError.Kind]>([])
        let second = CookieJar(
            store: store, onStoreFailure: { error in reports.withLock { $0.append(error.kind) } })
        let turn = await second.anonymousTurn()
        XCTAssertNil(turn.header(for: url))
        turn.keep(["b=1; Max-Age=60"], from: url)
        try await second.save()
        XCTAssertEqual(reports.current, [.damaged])
        let found = await CookieJar(store: store).anonymousTurn().header(for: url)
        XCTAssertEqual(found, "b=1")
    }

    func testAFileThatIsNotTrustedIsReportedAndLeftAlone() async throws {
        let newer = #"{"version":3,"user":"x","cookies":{"new":"format"}}"#
        for (mode, content, kind) in [(0o644, nil, .notPrivate), (0o600, newer, .newerVersion)]
            as [(mode_t, String?, CredentialStoreError.Kind)]
        {
            let folder = try temporaryFolder().url.appendingPathComponent("credentials")
            let store = FileCredentialStore(folder: folder)
            let first = CookieJar(store: store)
            await first.anonymousTurn().keep(["a=1; Max-Age=60"], from: url)
            try await first.save()
            if let content { try store.write(Data(content.utf8), for: "cookies") }
            let file = folder.appendingPathComponent(CredentialFile.name(of: "cookies"))
            XCTAssertEqual(chmod(file.path, mode), 0)
            let before = try Data(contentsOf: file)
            let reports = Locked<[CredentialStoreError.Kind]>([])
            let second = CookieJar(
                store: store, onStoreFailure: { error in reports.withLock { $0.append(error.kind) } })
            let turn = await second.anonymousTurn()
            turn.keep(["b=1; Max-Age=60"], from: url)
            XCTAssertEqual(turn.header(for: url), "b=1")
            let error = await saveError(second)
            XCTAssertEqual(error?.kind, kind)
            XCTAssertEqual(reports.current, [kind])
            XCTAssertEqual(try Data(contentsOf: file), before)
        }
    }

    func testAFullJarFitsIntoAFile() async throws {
        let folder = try temporaryFolder().url.appendingPathComponent("credentials")
        let jar = CookieJar(store: FileCredentialStore(folder: folder))
        let turn = await jar.anonymousTurn()
        // What JSON writes longest: quotes.
        let value = String(repeating: "\"", count: 4000)
        for host in 0..<20 {
            turn.keep(
                (0..<50).map { "c\($0)=\(value); Max-Age=60" },
                from: URL(string: "https://h\(host).example.com/")!)
        }
        try await jar.save()
        XCTAssertLessThanOrEqual(jar.cookies.reduce(0) { $0 + $1.value.utf8.count }, CookieStorage.byteLimit)
    }
}

/// A store in memory that fails as long as a test says.
struct FailingStore: CredentialStore {
    let memory = MemoryCredentialStore()
    let error: Locked<CredentialStoreError?>

    init(_ kind: CredentialStoreError.Kind) {
        error = Locked(CredentialStoreError(kind, message: "The store fails."))
    }

    private func check() throws(CredentialStoreError) { if let error = error.current { throw error } }

    func read(_ key: String) throws(CredentialStoreError) -> Data? {
        try check()
        return memory.read(key)
    }

    func write(_ data: Data, for key: String) throws(CredentialStoreError) {
        try check()
        memory.write(data, for: key)
    }

    func remove(_ key: String) throws(CredentialStoreError) {
        try check()
        memory.remove(key)
    }
}
