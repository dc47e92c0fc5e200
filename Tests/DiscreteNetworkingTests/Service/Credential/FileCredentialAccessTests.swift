import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Files and folders of credentials that are somebody else's, or where nothing can be written.
final class FileCredentialAccessTests: XCTestCase {
    private var folder: URL!
    private var store: FileCredentialStore!

    override func setUpWithError() throws {
        folder = try CredentialFixture.folder(for: self)
        store = FileCredentialStore(folder: folder)
    }

    private var file: URL { folder.appendingPathComponent(CredentialFile.name(of: "key")) }

    private func refusal<Result>(
        _ body: () throws -> Result, line: UInt = #line
    ) -> CredentialStoreError? {
        do {
            XCTFail("no error, but \(try body())", line: line)
            return nil
        } catch {
            return error as? CredentialStoreError
        }
    }

    private func readWriteRemove() -> [CredentialStoreError.Kind?] {
        [
            refusal { try store.read("key") }?.kind, refusal { try store.write(Data([2]), for: "key") }?.kind,
            refusal { try store.remove("key") }?.kind,
        ]
    }

    func testAFolderThatOthersReachIsRefused() throws {
        try store.write(Data([1]), for: "key")
        for mode in [0o755, 0o770, 0o701, 0o710, 0o777] as [mode_t] {
            XCTAssertEqual(chmod(folder.path, mode), 0)
            XCTAssertEqual(readWriteRemove(), [.notPrivate, .notPrivate, .notPrivate])
            let message = refusal { try store.read("key") }?.message ?? ""
            XCTAssertTrue(message.contains("chmod 700") && message.contains(folder.path), message)
        }
        XCTAssertEqual(chmod(folder.path, 0o700), 0)
        XCTAssertEqual(try store.read("key"), Data([1]))
    }

    func testAFileThatOthersReachIsRefusedButRemoved() throws {
        try store.write(Data([1]), for: "key")
        for mode in [0o644, 0o620, 0o604] as [mode_t] {
            XCTAssertEqual(chmod(file.path, mode), 0)
            let refused = refusal { try store.read("key") }
            XCTAssertEqual(refused?.kind, .notPrivate)
            XCTAssertTrue(refused?.message.contains("chmod 600") == true, "\(String(describing: refused))")
            XCTAssertEqual(refusal { try store.write(Data([2]), for: "key") }?.kind, .notPrivate)
        }
        try store.remove("key")
        XCTAssertNil(try store.read("key"))
    }

    func testFileOfAnotherOwnerIsRefused() throws {
        try XCTSkipIf(geteuid() != 0, "only root can give a file away")
        try store.write(Data([1]), for: "key")
        XCTAssertEqual(chown(file.path, 12345, 12345), 0)
        let refused = refusal { try store.read("key") }
        XCTAssertEqual(refused?.kind, .notPrivate)
        XCTAssertTrue(refused?.message.contains("12345") == true, "\(String(describing: refused))")
        XCTAssertEqual(chown(folder.path, 12345, 12345), 0)
        XCTAssertEqual(readWriteRemove(), [.notPrivate, .notPrivate, .notPrivate])
    }

    func testLinksPipesAndFoldersInPlaceOfAFileAreRefused() throws {
        try store.write(Data([1]), for: "other")
        let target = folder.appendingPathComponent(CredentialFile.name(of: "other"))
        let makers: [() -> Int32] = [
            { symlink(target.path, self.file.path) }, { symlink("/nowhere", self.file.path) },
            { mkfifo(self.file.path, 0o600) }, { mkdir(self.file.path, 0o700) },
        ]
        for (index, make) in makers.enumerated() {
            XCTAssertEqual(make(), 0)
            XCTAssertEqual(refusal { try store.read("key") }?.kind, .notPrivate, "\(index)")
            XCTAssertEqual(refusal { try store.write(Data([2]), for: "key") }?.kind, .notPrivate, "\(index)")
            try FileManager.default.removeItem(at: file)
        }
        XCTAssertEqual(try store.read("other"), Data([1]))
    }

    func testAFileInPlaceOfTheFolder() throws {
        try Data().write(to: folder)
        XCTAssertEqual(readWriteRemove(), [.unavailable, .unavailable, .unavailable])
    }

    func testAFolderThatCannotBeMade() throws {
        try Data().write(to: folder)
        let below = FileCredentialStore(folder: folder.appendingPathComponent("a/b"))
        let refused = refusal { try below.write(Data([1]), for: "key") }
        XCTAssertEqual(refused?.kind, .unavailable)
        XCTAssertTrue(refused?.message.contains(folder.path) == true, "\(String(describing: refused))")
    }

    func testFoldersAboveAreMade() throws {
        let below = FileCredentialStore(folder: folder.appendingPathComponent("a/b"))
        try below.write(Data([1]), for: "key")
        XCTAssertEqual(try below.read("key"), Data([1]))
    }

    // MARK: File systems that say no

    #if os(Linux)
        /// A small file system of its own in place of the folder.
        private func mountSmallDisk() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let options = "size=64k,mode=700"
            guard mount("tmpfs", folder.path, "tmpfs", 0, options) == 0 else {
                throw XCTSkip("no file system can be mounted here: \(String(cString: strerror(errno)))")
            }
            let path = folder.path
            addTeardownBlock { umount2(path, Int32(MNT_DETACH)) }
        }

        func testAFullDiskKeepsTheOldCredential() throws {
            try mountSmallDisk()
            try store.write(Data(count: 20_000), for: "key")
            let refused = refusal { try store.write(Data(count: 50_000), for: "key") }
            XCTAssertEqual(refused?.kind, .noSpace)
            XCTAssertEqual(try store.read("key"), Data(count: 20_000))
            XCTAssertEqual(
                CredentialFixture.names(in: folder), [file.lastPathComponent, "lock"].sorted(),
                "nothing half-written is left")
            try store.write(Data(count: 30_000), for: "key")
            XCTAssertEqual(try store.read("key"), Data(count: 30_000))
        }

        func testWhereNothingCanBeWritten() throws {
            try mountSmallDisk()
            try store.write(Data([1]), for: "key")
            try store.write(Data([1]), for: "bad")
            let bad = folder.appendingPathComponent(CredentialFile.name(of: "bad"))
            try Data([1]).write(to: bad)
            let readOnly = UInt(MS_REMOUNT | MS_RDONLY)
            XCTAssertEqual(mount("tmpfs", folder.path, "tmpfs", readOnly, nil), 0)
            XCTAssertEqual(try store.read("key"), Data([1]))
            XCTAssertNil(try store.read("none"))
            for refused in [
                refusal { try store.write(Data([2]), for: "key") }, refusal { try store.remove("key") },
            ] {
                XCTAssertEqual(refused?.kind, .unavailable)
                XCTAssertEqual(refused?.code, Int(EROFS))
            }
            // Damage is reported, each time, as it cannot be set aside.
            for _ in 1...2 { XCTAssertEqual(refusal { try store.read("bad") }?.kind, .damaged) }
        }
    #endif
}
