import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

@MainActor
final class StoredUserInfoTests: XCTestCase {
    /// A type that is encoded and decoded with what the app has put into its decoder.
    private struct Sealed: Codable, Sendable {
        static let key = CodingUserInfoKey(rawValue: "seal")!
        let text: String

        init(text: String) { self.text = text }

        private static func seal(_ info: [CodingUserInfoKey: Any]) throws -> String {
            guard let seal = info[key] as? String else { throw CancellationError() }
            return seal
        }

        init(from decoder: any Decoder) throws {
            let sealed = try decoder.singleValueContainer().decode([String].self)
            text = String(sealed[0].dropLast(try Self.seal(decoder.userInfo).count))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode([text + Self.seal(encoder.userInfo)])
        }
    }

    func testTheEncoderKnowsWhatTheAppHasPutIntoItsDecoder() async throws {
        let manager = Stack(ClosureTransport(json: "[]")).manager(TestManager<Sealed>())
        let decoder = JSONDecoder()
        decoder.userInfo[Sealed.key] = "-seal"
        manager.ownResponseRules.jsonDecoder = decoder
        manager.ownCache = .memory
        try await manager.cache.store(Sealed(text: "tea"), for: [:])
        let output = try await manager.cache.output(with: [:])
        XCTAssertEqual(output?.text, "tea")
    }
}
