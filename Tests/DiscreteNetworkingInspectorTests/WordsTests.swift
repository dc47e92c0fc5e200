import Foundation
import XCTest

@testable import DiscreteNetworkingInspector

/// The inspector's words for what can fail.
final class WordsTests: XCTestCase {
    func testEveryKindOfErrorHasAChineseName() throws {
        let words = InspectorPage.words
        let chinese = try XCTUnwrap(words.components(separatedBy: "  zh: {").last)
        let kinds = try XCTUnwrap(chinese.components(separatedBy: "kinds: {").last?.prefix { $0 != "}" })
        let names = try Set(
            caseNames(in: "DiscreteNetworkingCore/Call/APIError.swift")
                + caseNames(in: "DiscreteNetworkingHTTP/Transport/TransportError.swift"))
        XCTAssertTrue(names.isSuperset(of: ["http", "connectionLost", "responseTooLarge"]), "\(names)")
        for name in names {
            XCTAssertNotNil(
                kinds.range(
                    of: #"\b\#(name): "\p{Han}|\b\#(name): "(TLS|Service|HTTP) \p{Han}"#,
                    options: .regularExpression),
                "\(name) has no Chinese name.")
        }
    }

    func testEveryStepHasANameAndADurationInBothLanguages() throws {
        let steps = try XCTUnwrap(
            source("DiscreteNetworkingTraffic/RecordedCall.swift").components(
                separatedBy: "extension RecordedCall.Step {"
            ).last)
        let quoted = try NSRegularExpression(pattern: #""([a-z][A-Za-z]+)""#)
        let found = quoted.matches(in: steps, range: NSRange(steps.startIndex..., in: steps))
        let names = Set(found.compactMap { Range($0.range(at: 1), in: steps).map { String(steps[$0]) } })
        XCTAssertTrue(names.isSuperset(of: ["delayed", "failedUntilLoggedIn", "refused"]), "\(names)")
        let languages = InspectorPage.words.components(
            separatedBy: "  zh: {")
        XCTAssertEqual(languages.count, 2)
        for (index, text) in languages.enumerated() {
            let letters = index == 0 ? "[A-Za-z]" : #"[^"`]*\p{Han}"#
            for (list, last) in [("stepNames", []), ("spans", ["finished", "refused"])] {
                let words = try XCTUnwrap(
                    text.components(separatedBy: "\(list): {").last?.components(separatedBy: "\n    },").first
                )
                // The default step is named after its event.
                for name in names.union(["started"]).subtracting(last) {
                    XCTAssertNotNil(
                        words.range(
                            of: #"\b\#(name): (\w+ => )?["`]\#(letters)"#, options: .regularExpression),
                        "\(list) of language \(index): \(name)")
                }
            }
        }
    }

    /// Returns the text of a file of the sources.
    private func source(_ file: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Sources/\(file)"), encoding: .utf8)
    }

    /// Returns the cases of the enumeration in a file of the sources.
    private func caseNames(in file: String) throws -> [String] {
        let source = try source(file)
        let enumeration = try XCTUnwrap(source.components(separatedBy: "public enum Kind").last)
        return enumeration.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard line.hasPrefix("        case "), words.count > 1 else { return nil }
            return String(words[1].prefix { $0.isLetter })
        }
    }
}
