import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

/// Recordings into the same file, of one process and of several.
final class CassetteRecordingTests: XCTestCase {
    private var folder: URL!
    private var file: URL { folder.appendingPathComponent("tape/test.json") }

    override func setUpWithError() throws { folder = try temporaryFolder() }

    private static let request = APIRequest(url: URL(string: "https://depot.example.com/a")!)

    fileprivate static func record(at file: URL, over transport: any Transport) async throws
        -> CassetteTransport
    {
        let cassette = CassetteTransport(at: file, mode: .record(over: transport))
        _ = try await cassette.send(request)
        return cassette
    }

    private func refusal(_ cassette: CassetteTransport) async -> String {
        do {
            _ = try await cassette.send(Self.request)
            XCTFail("It was recorded.")
        } catch {
            XCTAssertEqual((error as? TransportError)?.message, cassette.lastMismatch)
        }
        return cassette.lastMismatch ?? ""
    }

    private func recordedBody() async throws -> String {
        let response = try await CassetteTransport(at: file, mode: .replay).send(Self.request)
        guard case .data(let data) = response.body else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    func testASecondRecordingIntoAFileIsRefused() async throws {
        var first: CassetteTransport? = try await Self.record(at: file, over: CannedTransport("1"))
        XCTAssertEqual(first?.problems, [])
        let wire = CannedTransport("2")
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: file.deletingLastPathComponent())
        let second = CassetteTransport(
            at: link.appendingPathComponent("./test.json"), mode: .record(over: wire))
        let message = await refusal(second)
        XCTAssertEqual(
            message,
            "The cassette test.json is being recorded by another CassetteTransport of this process, so that nothing was sent. Record into another file, or after the other recording: it ends when its CassetteTransport is released."
        )
        XCTAssertEqual(second.problems, [message])
        XCTAssertEqual(wire.requests.count, 0)
        let body = try await recordedBody()
        XCTAssertEqual(body, "1")

        first = nil
        let later = await refusal(second)
        XCTAssertEqual(later, message, "it lacks its first request")
        let third = try await Self.record(at: file, over: CannedTransport("3"))
        XCTAssertEqual(third.problems, [])
        let replaced = try await recordedBody()
        XCTAssertEqual(replaced, "3")
    }

    func testRecordingsIntoOtherFilesOfTheFolderAreNoHindrance() async throws {
        let first = try await Self.record(at: file, over: CannedTransport("1"))
        let other = file.deletingLastPathComponent().appendingPathComponent("other.json")
        let second = try await Self.record(at: other, over: CannedTransport("2"))
        XCTAssertEqual(first.problems + second.problems, [])
    }

    func testNothingButTheCassetteRemains() async throws {
        _ = try await Self.record(at: file, over: CannedTransport("1"))
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        XCTAssertEqual(names, ["test.json"])
    }

    /// A file that was opened before its holder removed it is no lock any more.
    func testTheFileOfALockMayBeMadeAgainInBetween() throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        var first: CassetteLock? = try CassetteLock(of: file)
        var second: CassetteLock?
        XCTAssertThrowsError(
            try CassetteLock(of: file) {
                guard first != nil else { return }
                first = nil
                second = try? CassetteLock(of: file)
            })
        XCTAssertNotNil(second)
        second = nil
        XCTAssertNoThrow(try CassetteLock(of: file))
    }

    func testOneOfManyThatBeginTogetherRecords() async throws {
        let file = self.file
        let cassettes = await withTaskGroup(of: CassetteTransport.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let cassette = CassetteTransport(
                        at: file, mode: .record(over: CannedTransport("\(number)")))
                    _ = try? await cassette.send(Self.request)
                    return cassette
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let winners = cassettes.filter { $0.problems.isEmpty }
        XCTAssertEqual(winners.count, 1)
    }

    #if os(Linux)
        /// Also after a crash: the lock ends with its process.
        func testARecordingOfAnotherProcessRefusesThisOneUntilItEnds() async throws {
            let child = try CassetteChild(file)
            XCTAssertEqual(child.line(), "recording")
            let refused = CassetteTransport(at: file, mode: .record(over: CannedTransport("2")))
            let message = await refusal(refused)
            XCTAssertTrue(message.contains("is being recorded by the process \(child.id)"), message)
            child.kill()
            let body = try await recordedBody()
            XCTAssertEqual(body, "child")
            let next = try await Self.record(at: file, over: CannedTransport("3"))
            XCTAssertEqual(next.problems, [])
        }
    #endif
}

#if os(Linux)
    /// What the test above does in a process of its own.
    final class CassetteChildTests: XCTestCase {
        func testChildObeysItsParentProcess() async throws {
            guard let path = ProcessInfo.processInfo.environment["CASSETTE"] else {
                throw XCTSkip("This is done only in the child processes of other tests.")
            }
            let cassette = try await CassetteRecordingTests.record(
                at: URL(fileURLWithPath: path), over: CannedTransport("child"))
            print("child: recording")
            fflush(nil)
            // Until the parent ends it, or ends.
            _ = try FileHandle.standardInput.readToEnd()
            withExtendedLifetime(cassette) {}
        }
    }

    /// This test binary in a process of its own, which records a cassette until it is killed.
    private final class CassetteChild {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())
        private var pending = ""

        init(_ file: URL) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            let test = "CassetteChildTests/testChildObeysItsParentProcess"
            process.arguments = ["DiscreteNetworkingContractsTests.\(test)"]
            process.environment = ProcessInfo.processInfo.environment.merging(["CASSETTE": file.path]) { $1 }
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
        }

        var id: Int32 { process.processIdentifier }

        /// What it says; `nil` at its end.
        func line() -> String? {
            while true {
                let lines = pending.split(separator: "\n", omittingEmptySubsequences: false)
                if let line = lines.dropLast().first(where: { $0.hasPrefix("child: ") }) {
                    return String(line.dropFirst(7))
                }
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { return nil }
                pending += String(decoding: more, as: UTF8.self)
            }
        }

        /// Ends it wherever it is.
        func kill() {
            Foundation.kill(id, SIGKILL)
            process.waitUntilExit()
        }
    }
#endif
