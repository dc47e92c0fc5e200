import Foundation
import XCTest

/// Tests with many rounds, and tests that start many compilers, take minutes at full length. `swift test` runs a part of
/// them, and `.ci/run` all of it, in a step of its own, for each file that names this type.
enum FullLength {
    static let isOn = ProcessInfo.processInfo.environment["CI_FULL_LENGTH"] == "1"

    /// Skips a test that runs only at full length.
    static func require() throws { try XCTSkipUnless(isOn, "CI_FULL_LENGTH is not 1.") }

    /// How many rounds to run.
    static func rounds(_ part: Int, of whole: Int) -> Int { isOn ? whole : part }
}
