#if os(Linux)
    import CWatchdog
    import Foundation
    import XCTest

    /// Fails an async test that waits, at the line of the test where it does, and lets XCTest go on without it.
    enum HangingTest {
        /// Runs on the main thread, so that a test on the main actor does not run meanwhile.
        /// - Parameter threads: What a debugger says of them: a test may hold a thread.
        static func end(_ test: XCTestCase, after seconds: TimeInterval, threads: String) {
            // A test that turns is off the main actor every now and then, and goes on nowhere.
            let lines = (0..<10).lazy.map { _ in Self.lines() }.first { $0.contains(where: \.isOfTest) } ?? []
            let line =
                lines.first(where: \.isOfTest) ?? Self.line(in: threads)
                ?? Line(file: "?", number: 1)
            let callers = lines.filter { $0 != line }.map { "\n  in \($0.file):\($0.number)" }
            test.recordFailure(
                withDescription: "Waited \(seconds.formatted()) s in vain: \(line.text)\(callers.joined())",
                inFile: line.file, atLine: line.number, expected: true)
            let type = unsafeBitCast(XCTestExpectation.self as AnyClass, to: UnsafeRawPointer.self)
            guard let found = testExpectation(type) else { return }
            Unmanaged<XCTestExpectation>.fromOpaque(found).takeUnretainedValue().fulfill()
        }

        /// The first line of a test in what a debugger says, without the thread that asks it.
        static func line(in threads: String) -> Line? {
            let others = threads.components(separatedBy: "\nThread ")
                .filter { !$0.contains("/Watchdog.swift:") }.joined()
            let pattern = #"(?<= at )/\S*/Tests/\S*\.swift:\d+"#
            guard let range = others.range(of: pattern, options: .regularExpression) else { return nil }
            let parts = others[range].components(separatedBy: ":")
            return Line(file: parts[0], number: Int(parts[1]) ?? 1)
        }

        struct Line: Hashable {
            let file: String
            let number: Int

            var isOfTest: Bool { file.contains("/Tests/") }

            /// What stands there.
            var text: String {
                let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.components(
                    separatedBy: "\n")
                return lines?.dropFirst(number - 1).first?.trimmingCharacters(in: .whitespaces) ?? ""
            }
        }

        /// Where the functions of the test's task go on after what they wait for, innermost first.
        private static func lines() -> [Line] {
            var addresses = [UInt](repeating: 0, count: 50)
            let count = testTaskAddresses(&addresses, addresses.count)
            let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            let arguments = addresses.prefix(count).map { "0x" + String($0, radix: 16) }
            let output = (try? Tool.run("llvm-symbolizer", ["--obj=\(program)"] + arguments)) ?? Data()
            return String(decoding: output, as: UTF8.self).components(separatedBy: "\n").compactMap { text in
                let parts = text.components(separatedBy: ":")
                guard parts.count == 3, parts[0].hasSuffix(".swift"), !parts[0].contains("/.build/"),
                    let number = Int(parts[1]), number > 0
                else { return nil }
                return Line(file: parts[0], number: number)
            }
        }
    }
#endif
