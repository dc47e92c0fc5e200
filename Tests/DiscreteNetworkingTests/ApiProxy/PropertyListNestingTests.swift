import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Property lists that would end the process.
@MainActor
final class PropertyListNestingTests: XCTestCase {
    private struct Tree: Decodable, Sendable, Equatable {
        let children: [Tree]
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            var children: [Tree] = []
            while !container.isAtEnd { children.append(try container.decode(Tree.self)) }
            self.children = children
        }
        var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
    }

    private func load(_ body: Data) async -> Result<Tree, APIError> {
        let transport = ClosureTransport { request in
            TransportResponse(
                url: request.url, status: 200, headers: ["Content-Type": "application/x-plist"],
                body: .data(body))
        }
        let manager = Stack(transport).manager(TestManager<Tree>())
        do throws(APIError) { return .success(try await manager.load()) } catch { return .failure(error) }
    }

    private func xml(_ depth: Int, open: String = "<array>") -> String {
        #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">"#
            + String(repeating: open, count: depth) + String(repeating: "</array>", count: depth) + "</plist>"
    }

    /// Arrays by the numbers of their elements.
    private func binary(_ objects: [[Int]], top: Int = 0) -> Data {
        var data = Data("bplist00".utf8)
        var offsets: [Int] = []
        func big(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(value >> ($0 * 8) & 255) }
        }
        for elements in objects {
            offsets.append(data.count)
            data +=
                elements.count < 15 ? [0xA0 | UInt8(elements.count)] : [0xAF, 0x12] + big(elements.count, 4)
            for element in elements { data += big(element, 4) }
        }
        let table = data.count
        for offset in offsets { data += big(offset, 4) }
        return data + [0, 0, 0, 0, 0, 0, 4, 4] + big(objects.count, 8) + big(top, 8) + big(table, 8)
    }

    private func reason(_ result: Result<Tree, APIError>) -> String? {
        guard case .failure(let error) = result, case .decoding(let failure) = error.kind else { return nil }
        return failure.reason
    }

    func testAFewLevelsAreRead() async throws {
        let text = await load(Data(xml(100).utf8))
        XCTAssertEqual(try text.get().depth, 100)
        let chain = (0..<100).map { $0 < 99 ? [$0 + 1] : [] }
        let list = await load(binary(chain))
        XCTAssertEqual(try list.get().depth, 100)
        // An object that two others share is no cycle.
        let shared = await load(binary([[1, 2], [3], [3], []]))
        XCTAssertEqual(try shared.get().depth, 3)
        let empty = await load(Data(#"<plist version="1.0"><array><array/><array/></array></plist>"#.utf8))
        XCTAssertEqual(try empty.get().children.count, 2)
    }

    func testDeepListsAreRefused() async throws {
        for depth in [513, 10_000, 100_000] {
            for body in [
                Data(xml(depth).utf8), Data(xml(depth, open: "<array \n>").utf8),
                try XCTUnwrap(xml(depth).data(using: .utf16)),
                binary((0..<depth).map { $0 < depth - 1 ? [$0 + 1] : [] }),
            ] {
                let result = await load(body)
                XCTAssertEqual(reason(result)?.contains("512 levels"), true, "\(depth): \(result)")
            }
        }
    }

    func testAListThatContainsItselfIsRefused() async {
        for objects in [[[0]], [[1], [2], [0]], [[1, 2], [], [1, 2]]] {
            let result = await load(binary(objects))
            XCTAssertEqual(reason(result)?.contains("contains itself"), true, "\(result)")
        }
    }

    /// Few bytes must not take long to look at.
    func testContainersOverOneAnotherAreRefused() async {
        var data = Data("bplist00".utf8)
        data += [0xAF, 0x12, 0, 0, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFF)
        let table = data.count
        data += [UInt8](repeating: 0, count: 3) + [8]
        for _ in 0..<60_000 { data += [0, 0, 0, 8] }
        data += [0, 0, 0, 0, 0, 0, 4, 1] + [0, 0, 0, 0, 0, 0, 0xEA, 0x60] + [0, 0, 0, 0, 0, 0, 0, 0]
        data += (0..<8).reversed().map { UInt8(table >> ($0 * 8) & 255) }
        let result = await load(data)
        XCTAssertNotNil(reason(result), "\(result)")
    }

    func testNoneOfTheseEndsTheProcess() async {
        var random = FixedRandom(seed: 11)
        let whole = [Array(binary([[1, 2], [3], [3], []])), Array(xml(5).utf8)]
        for round in 0..<FullLength.rounds(200, of: 600) {
            var bytes = whole[round % 2]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if round % 7 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            _ = await load(Data(bytes))
        }
        for text in ["", "bplist00", "((((((((((", String(repeating: "(", count: 100_000), "<array>"] {
            if case .success(let tree) = await load(Data(text.utf8)) { XCTFail("\(tree)") }
        }
    }
}
