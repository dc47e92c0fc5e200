import DiscreteNetworkingCommands
import XCTest

@testable import Benchmarks

final class OptionsTests: XCTestCase {
    private func error(_ arguments: String...) -> String? {
        do throws(UsageError) {
            _ = try Options(arguments)
            return nil
        } catch {
            return error.description
        }
    }

    func testOptionsOfAMeasurement() throws {
        let options = try Options(["--quick", "--only", "memory-hit", "--json", "/a", "--compare", "/b"])
        XCTAssertEqual(options.job, .measure)
        XCTAssertTrue(options.isQuick)
        XCTAssertEqual(options.only, .memoryHit)
        XCTAssertEqual(options.json?.path, "/a")
        XCTAssertEqual(options.compare?.path, "/b")
        XCTAssertNil(options.plot)
        XCTAssertEqual(try Options(["--caches", "--quick"]).job, .caches)
        XCTAssertEqual(try Options(["--queue", "--quick"]).job, .queue)
        XCTAssertEqual(try Options(["--outbox", "--quick"]).job, .outbox)
        XCTAssertEqual(try Options(["--start", "--quick"]).job, .start)
        XCTAssertEqual(try Options(["--weight", "--beside", "/c"]).job, .weight)
        XCTAssertEqual(try Options(["--weight", "--beside", "/c"]).beside?.path, "/c")
        XCTAssertEqual(
            try Options(["--first-call", "manager", "http://a"]).job, .firstCall(["manager", "http://a"]))
    }

    func testHelpMeasuresNothing() throws {
        XCTAssertEqual(try Options(["--quick", "--help"]).job, .help)
        XCTAssertEqual(try Options(["-h"]).job, .help)
        for workload in Workload.allCases { XCTAssertTrue(Options.help.contains(workload.rawValue)) }
    }

    func testMistakesAreNamed() {
        XCTAssertEqual(error("--fast"), "Unknown option --fast.")
        XCTAssertEqual(error("quick"), "Unknown option quick. Did you mean --quick?")
        XCTAssertEqual(error("--only", "smal-get"), "Unknown workload smal-get. Did you mean small-get?")
        XCTAssertEqual(error("--only", "big-get"), "Unknown workload big-get.")
        XCTAssertEqual(error("--json"), "--json needs a value.")
        XCTAssertEqual(error("--json", "--quick"), "--json needs a value.")
    }

    func testTheArgumentsOfAChildAreItsOwn() throws {
        XCTAssertEqual(try Options(["--row", "stub", "manager"]).job, .row(["stub", "manager"]))
        XCTAssertEqual(try Options(["--serve", "7"]).job, .serve(largeBody: 7))
    }
}
