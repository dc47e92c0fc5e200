import DiscreteNetworking
import DiscreteNetworkingContracts
import EverythingAPI
import Foundation
import XCTest

/// What the generated contract of a list of shapes says of a server that changes them, by the models of the app.
@MainActor
final class UnionContractTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    override func setUp() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() async throws { try FileManager.default.removeItem(at: folder) }

    /// The verdict on a response, after one that the contract was completed by, and the lines of the report.
    private func verdict(_ main: String, _ more: String = "[]") throws -> (ContractReport.Verdict, [String]) {
        let contracts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../EverythingAPIContracts/Contracts/ListShapesManager.json")
        let file = folder.appendingPathComponent("ListShapesManager.json")
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: contracts, to: file)
        let manager = ListShapesManager()
        manager.proxy = ApiProxy(services: factory)
        let subject = ContractSubject(manager)
        func check(_ text: String) -> ContractReport {
            subject.check(response: Data(text.utf8), against: ContractFolder(folder), mode: .compare)
        }
        let first = check(
            #"{"main": {"type": "circle", "radius": 1.5}, "more": [{"type": "quad", "side": 2}, {"type": "circle", "radius": 1}]}"#
        )
        XCTAssertEqual(first.verdict, .recorded, first.text)
        let report = check(#"{"main": \#(main), "more": \#(more)}"#)
        return (report.verdict, report.lines)
    }

    private let factory: ServiceFactory = {
        let factory = ServiceFactory()
        factory.register([.everything: EverythingService.self])
        factory.keepInMemory()
        return factory
    }()

    private static let circle = #"{"type": "circle", "radius": 1.5}"#

    func testWhatAnAppReadsIsNoChange() async throws {
        let same = try verdict(Self.circle, #"[{"type": "square", "side": 3}, \#(Self.circle)]"#)
        XCTAssertEqual(same.0, .unchanged, same.1.joined())
    }

    func testAnUnknownOrMissingDiscriminatorIsAWarning() async throws {
        let unknown = try verdict(#"{"type": "hexagon", "side": 3}"#)
        XCTAssertEqual(unknown.0, .warning)
        XCTAssertTrue(unknown.1.contains(#"warning main.type: new enum value "hexagon""#), unknown.1.joined())
        let missing = try verdict(#"{"side": 3}"#)
        XCTAssertEqual(missing.0, .warning)
        XCTAssertTrue(missing.1.contains("warning main.type: removed (was string)"), missing.1.joined())
    }

    func testAnAlternativeThatIsNotDecodedBreaksTheApp() async throws {
        for main in [#"{"type": "circle"}"#, #"{"type": "circle", "radius": "1.5"}"#] {
            let broken = try verdict(main)
            XCTAssertEqual(broken.0, .breaking, main)
            XCTAssertTrue(broken.1.joined().contains("main.radius"), broken.1.joined(separator: "\n"))
        }
    }
}
