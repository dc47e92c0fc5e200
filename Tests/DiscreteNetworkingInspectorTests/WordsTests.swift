import Foundation
import XCTest

@testable import DiscreteNetworkingInspector

/// The inspector's words for what can fail.
final class WordsTests: XCTestCase {
    func testEveryKindOfErrorHasAChineseName() throws {
        let words = String(decoding: PackageResources.words_js, as: UTF8.self)
        let chinese = try XCTUnwrap(words.components(separatedBy: "  zh: {").last)
        let kinds = try XCTUnwrap(chinese.components(separatedBy: "kinds: {").last?.prefix { $0 != "}" })
        let names = try Set(
            caseNames(in: "DiscreteNetworking/Call/APIError.swift")
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

    /// Returns the cases of the enumeration in a file of the sources.
    private func caseNames(in file: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let source = try String(contentsOf: root.appendingPathComponent("Sources/\(file)"), encoding: .utf8)
        let enumeration = try XCTUnwrap(source.components(separatedBy: "public enum Kind").last)
        return enumeration.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard line.hasPrefix("        case "), words.count > 1 else { return nil }
            return String(words[1].prefix { $0.isLetter })
        }
    }
}
