import XCTest

@testable import DiscreteNetworkingCommands

final class CommandArgumentsTests: XCTestCase {
    private let help = """
        Usage: shop [--colour NAME] [options]

        Sells.

          --json FILE    write it (also -j, --json-lines)
          --help         show this
        """

    func testOptionsValuesAndOperands() throws {
        var arguments = CommandArguments(
            ["a", "--json", "b=c", "--colour=red=blue", "-v", "x=y"], help: help)
        XCTAssertEqual(arguments.next(), "a")
        XCTAssertEqual(arguments.next(), "--json")
        XCTAssertEqual(try arguments.value(), "b=c")
        XCTAssertEqual(arguments.next(), "--colour")
        XCTAssertEqual(try arguments.value(), "red=blue")
        XCTAssertEqual(arguments.remaining(), ["-v", "x=y"])
        XCTAssertNil(arguments.next())
    }

    func testAValueThatIsMissing() {
        for rest in [[], ["--help"], [""]] {
            var arguments = CommandArguments(["--json"] + rest, help: help)
            _ = arguments.next()
            XCTAssertThrowsError(try arguments.value()) {
                XCTAssertEqual("\($0)", "--json needs a value.")
            }
        }
        var empty = CommandArguments(["--json="], help: help)
        _ = empty.next()
        XCTAssertThrowsError(try empty.value())
    }

    func testTheOptionThatWasMeantIsNamed() {
        for (typed, hint) in [
            ("--jsn", " Did you mean --json?"), ("--color", " Did you mean --colour?"),
            ("--hlep", " Did you mean --help?"), ("--json-line", " Did you mean --json-lines?"),
            ("--frobnicate", ""),
        ] {
            var arguments = CommandArguments([typed], help: help)
            _ = arguments.next()
            XCTAssertEqual(arguments.unknown().message, "Unknown option \(typed).\(hint)")
        }
    }

    func testAReportHasTheUsageOnly() {
        XCTAssertEqual(
            UsageError("No.").report(help),
            "error: No.\n\nUsage: shop [--colour NAME] [options]\n--help shows all options.")
    }
}
