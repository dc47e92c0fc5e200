#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What the tests below do in a process of its own: this test binary again, with an order in its
    /// environment.
    final class CredentialChildTests: XCTestCase {
        func testChildObeysItsParentProcess() throws {
            let (order, folder) = try ChildProcess.order()
            let store = FileCredentialStore(folder: URL(fileURLWithPath: folder))
            switch order {
            case "replace": try replaceForEver(folder)
            case "hammer": try hammer(store, FileCredentialProcessTests.rounds(of: 100))
            case "umask": try writeUnderEveryUmask(folder)
            default: XCTFail("unknown order \(order)")
            }
        }

        /// Writes as a store does, but files that were made beforehand, so that it hardly does anything else.
        private func replaceForEver(_ folder: String) throws {
            let files = try (0..<Numbered.prepared).map { number in
                try Data(contentsOf: URL(fileURLWithPath: "\(folder).\(number)"))
            }
            let opened = try PrivateFolder.made(at: URL(fileURLWithPath: folder))
            let name = CredentialFile.name(of: "key")
            for number in 0... {
                try opened.alone(timeout: 10) { () throws(CredentialStoreError) in
                    try opened.replace(name, with: files[number % files.count])
                }
                say("wrote \(number)")
            }
        }

        private func hammer(_ store: FileCredentialStore, _ rounds: Int) throws {
            for round in 1...rounds {
                try store.write(Numbered(UInt64(getpid()) << 32 | UInt64(round)).data, for: "key")
                if try Numbered(store.read("key")) == nil { say("torn") }
            }
            say("done")
        }

        private func writeUnderEveryUmask(_ folder: String) throws {
            for mask in [0, 0o022, 0o077, 0o777] as [mode_t] {
                let url = URL(fileURLWithPath: folder).appendingPathComponent(String(mask, radix: 8))
                umask(mask)
                try FileCredentialStore(folder: url).write(Data("s3cr3t".utf8), for: "key")
                let name = CredentialFile.name(of: "key")
                say("\(mask): \(mode(url.path)) \(mode(url.appendingPathComponent(name).path))")
            }
        }

        private func mode(_ path: String) -> String {
            var status = stat()
            return stat(path, &status) == 0 ? String(status.st_mode & 0o7777, radix: 8) : "missing"
        }

        private func say(_ line: String) { ChildProcess.say(line) }
    }

    /// This test binary in a process of its own.
    final class ChildProcess {
        static let mark = "child: "

        private let process = Process()
        private let output = Pipe()
        private var pending = Data()

        /// - Parameter test: the class whose `testChildObeysItsParentProcess` does it.
        init(_ order: String, in folder: URL, test: String = "CredentialChildTests") throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["DiscreteNetworkingTests.\(test)/testChildObeysItsParentProcess"]
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["CREDENTIAL_ORDER": order, "CREDENTIAL_FOLDER": folder.path]
            ) { $1 }
            process.standardOutput = output
            try process.run()
        }

        /// What this process is to do, and in which folder.
        /// - Throws: a skip in a process that is no child.
        static func order() throws -> (order: String, folder: String) {
            let environment = ProcessInfo.processInfo.environment
            guard let order = environment["CREDENTIAL_ORDER"], let folder = environment["CREDENTIAL_FOLDER"]
            else { throw XCTSkip("This is done only in the child processes of other tests.") }
            return (order, folder)
        }

        /// What the child says.
        static func say(_ line: String) {
            FileHandle.standardOutput.write(Data("\(mark)\(line)\n".utf8))
        }

        /// What it said next; `nil` at its end.
        func line() -> String? {
            while true {
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: pending[..<end], as: UTF8.self)
                    pending = Data(pending[pending.index(after: end)...])
                    if line.hasPrefix(Self.mark) { return String(line.dropFirst(Self.mark.count)) }
                }
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { return nil }
                pending += more
            }
        }

        /// All it says to its end.
        func lines() -> [String] {
            var lines: [String] = []
            while let line = line() { lines.append(line) }
            return lines
        }

        /// Ends it wherever it is, within a time: on a busy machine it stops where it has said a line, and takes long for what comes
        /// next.
        func kill(within milliseconds: Int) {
            Thread.sleep(forTimeInterval: .random(in: 0...Double(milliseconds) / 1000))
            Foundation.kill(process.processIdentifier, SIGKILL)
        }

        func status() -> Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// A credential that shows whether it is whole: its number over and over, and as often as the number says.
    struct Numbered: Equatable {
        /// How many there are as files; see the order "replace".
        static let prepared = 8

        let number: UInt64

        init(_ number: UInt64) { self.number = number }

        /// `nil` where the bytes are not those of one number.
        init?(_ data: Data?) {
            guard let data, data.count >= 8 else { return nil }
            number = data.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            guard data == self.data else { return nil }
        }

        var data: Data {
            let copies = [UInt64](
                repeating: number.bigEndian, count: 1 + Int(number &* 2_654_435_761 % 8192))
            return copies.withUnsafeBytes { Data($0) }
        }
    }
#endif
