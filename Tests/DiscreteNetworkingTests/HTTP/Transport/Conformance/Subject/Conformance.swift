import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// The one suite for every transport.
///
/// The cases are methods in extensions of a subclass for each folder, here over `URLSessionTransport`, which exists on every
/// platform. Another transport runs all of them in subclasses of these, which name it as their subject; see
/// `CurlConformanceTests.swift`. So a failure names transport and case, and `swift test --filter 'Curl.*ConformanceTests'` runs one
/// transport. The compiler takes ten seconds for the list of tests of one class that has all of them.
class Conformance: XCTestCase {
    class var subject: TransportUnderTest { .urlSession }

    /// The transport of this one case.
    private(set) var transport: any Transport = ClosureTransport(json: "")

    private static let descriptorsBefore = Locked(0)

    override class func setUp() {
        super.setUp()
        descriptorsBefore.current = Descriptors.count
        #if os(Linux)
            beginChildRuns()
        #endif
    }

    override func setUpWithError() throws {
        try super.setUpWithError()
        let left = Descriptors.count - Self.descriptorsBefore.current
        XCTAssertLessThan(left, 100, "the cases before have left \(left) descriptors open")
        transport = try Self.subject.make(.init())
    }

    override func tearDown() {
        // XCTest keeps every test until the end of the run, and with it the sockets of what it holds.
        transport = ClosureTransport(json: "")
        super.tearDown()
    }

    /// Every name on the list of shortcomings is the name of a case, of this class or another one.
    func checkShortcomings(file: StaticString = #filePath, line: UInt = #line) {
        let names = Self.subject.shortcomings.map(\.test)
        XCTAssertEqual(names.count, Set(names).count, "a case is listed twice", file: file, line: line)
        #if os(Linux)
            guard !ChildRun.isChild else { return }
            for name in names {
                XCTAssertTrue(ChildRun.knows(name), "\(name) is no case", file: file, line: line)
            }
        #endif
    }

    #if os(Linux)
        /// The runs of the cases that are listed, by class and case.
        private static let childRuns = Locked<[String: Ahead<ChildRun>]>([:])

        private class func childRun(_ shortcoming: Shortcoming) -> Ahead<ChildRun> {
            let suite = self
            return childRuns.withLock { runs in
                let name = "\(suite).\(shortcoming.test)"
                let run =
                    runs[name]
                    ?? Ahead { ChildRun(shortcoming.test, of: suite, expecting: shortcoming.outcome) }
                runs[name] = run
                return run
            }
        }

        /// Runs the listed cases, in the order of the tests, while the other cases run here.
        private class func beginChildRuns() {
            guard !ChildRun.isChild else { return }
            let cases = subject.shortcomings.filter {
                TestSelection.contains($0.test, of: self) && ChildRun.knows($0.test, of: self)
            }
            IdleCore.begin(cases.sorted { $0.test < $1.test }.map { childRun($0).finish })
        }

        override func invokeTest() {
            let test = String(name.split(separator: ".").last ?? "")
            guard !ChildRun.isChild,
                let shortcoming = Self.subject.shortcomings.first(where: { $0.test == test })
            else { return super.invokeTest() }
            let run: ChildRun
            do { run = try Self.childRun(shortcoming).value() } catch { return XCTFail("\(error)") }
            switch run.outcome {
            case shortcoming.outcome: break
            case _ where shortcoming.outcome == .isUnreliable || run.isSkipped: break
            // Under a sanitizer, which keeps what is freed, a case that looks at the memory sees nothing.
            case nil where Memory.resident == nil: break
            case nil:
                XCTFail("\(name) passes now: take it off the list (\(shortcoming.reason))")
            case let outcome?:
                XCTFail(
                    "\(name) \(outcome.rawValue), but is listed as one that \(shortcoming.outcome.rawValue)\n\(run.log)"
                )
            }
        }
    #else
        /// Without processes of their own: the case runs here, its failures are expected, and one that would hang
        /// is left out. Where it passes after all, and was not said to be unreliable, it has to come off the list.
        override func invokeTest() {
            // -[Class testMethod], where Objective-C may have added what a method that throws or waits has there.
            var test = String(name.split(separator: " ").last ?? "").filter { $0 != "]" && $0 != ":" }
            for suffix in ["AndReturnError", "WithCompletionHandler"] where test.hasSuffix(suffix) {
                test.removeLast(suffix.count)
            }
            guard let shortcoming = Self.subject.shortcomings.first(where: { $0.test == test }) else {
                return super.invokeTest()
            }
            guard shortcoming.outcome != .hangs, shortcoming.outcome != .killsTheProcess else { return }
            let options = XCTExpectedFailure.Options()
            options.isStrict = shortcoming.outcome == .fails
            XCTExpectFailure(shortcoming.reason, options: options) { super.invokeTest() }
        }
    #endif
}
