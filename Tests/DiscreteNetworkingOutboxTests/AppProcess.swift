#if os(Linux)
    import Foundation
    import XCTest

    /// A start of an app that has an outbox, in a process of its own.
    final class AppProcess {
        enum Role: String {
            /// Queues calls, and ends when all of its user are sent.
            case sends
            /// Queues calls and goes on until it is killed.
            case stays
            /// Queues calls and ends.
            case adds
        }

        private let process = Process()
        private let output = Pipe()
        private var buffer = Data()
        /// What it has said so far.
        private(set) var lines: [String] = []

        /// - Parameters:
        ///   - tracing: Arguments of `strace`, under which it runs; `nil` for none.
        ///   - files: Whether its calls are uploads of files.
        ///   - test: The test that is the app.
        init(
            _ role: Role, _ folder: URL, server: String, user: String = "ann", start: Int = 0, count: Int,
            tracing: [String]? = nil, files: Bool = false,
            test: String = "OutboxChildTests/testChildObeysItsParentProcess"
        ) throws {
            let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            let test = "DiscreteNetworkingOutboxTests.\(test)"
            process.executableURL = URL(fileURLWithPath: tracing == nil ? binary : "/usr/bin/strace")
            process.arguments =
                tracing.map { ["-f", "-qq", "-o", "/dev/null"] + $0 + [binary, test] } ?? [test]
            process.environment = ProcessInfo.processInfo.environment.merging(
                [
                    "OUTBOX_FOLDER": folder.path, "OUTBOX_SERVER": server, "OUTBOX_USER": user,
                    "OUTBOX_START": "\(start)", "OUTBOX_COUNT": "\(count)", "OUTBOX_ROLE": role.rawValue,
                    "SWIFT_BACKTRACE": "enable=no",
                ].merging(files ? ["OUTBOX_FILES": "1"] : [:]) { $1 }
            ) { $1 }
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        /// Returns the next line that it says; `nil` at its end.
        @discardableResult
        func next() -> String? {
            while true {
                while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: buffer[..<end], as: UTF8.self)
                    buffer = Data(buffer[(end + 1)...])
                    guard line.hasPrefix("child: ") else { continue }
                    lines.append(String(line.dropFirst(7)))
                    return lines.last
                }
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { return nil }
                buffer += data
            }
        }

        /// Reads until it says something.
        func wait(for line: String) {
            while let next = next() { if next.hasPrefix(line) { return } }
            XCTFail("The process has ended without \(line.debugDescription): \(lines)")
        }

        /// Reads until its end.
        /// - Returns: Whether it was killed.
        func finish() -> Bool {
            while next() != nil {}
            process.waitUntilExit()
            let isKilled = process.terminationReason == .uncaughtSignal
            if isKilled { XCTAssertEqual(process.terminationStatus, SIGKILL, "It has stopped by itself.") }
            return isKilled
        }

        /// Kills it: it can do nothing about it.
        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        /// The calls that it has taken: their keys and numbers.
        var taken: [(key: String, number: Int)] {
            lines.compactMap { line in
                let words = line.split(separator: " ")
                guard words.count == 3, words[0] == "took", let number = Int(words[1]) else { return nil }
                return ("\"\(words[2])\"", number)
            }
        }

        /// The numbers of the calls that it has refused.
        var refused: [Int] {
            lines.compactMap { $0.hasPrefix("refused ") ? Int($0.dropFirst(8)) : nil }
        }

        /// Whether processes can be traced here.
        static let canTrace: Bool = {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
            process.arguments = ["-f", "-qq", "-o", "/dev/null", "/bin/true"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()
    }
#endif
