import Foundation
import XCTest

@testable import ManagerGenerator

/// The lines of a manifest that a user pastes, and the manifest that is written for one.
final class PackageFileTests: XCTestCase {
    func testTheLinesNeedNothingElse() {
        XCTAssertEqual(
            PackageFile.targets(ModuleLayout(GeneratorOptions(module: "ShopAPI")), hasContracts: true).joined(
                separator: "\n"),
            """
            .target(
                name: "ShopAPI",
                dependencies: [
                    .product(name: "DiscreteNetworking", package: "DiscreteNetworking")
                ],
                path: "ShopAPI"),
            .testTarget(
                name: "ShopAPITests",
                dependencies: [
                    "ShopAPI",
                    .product(name: "DiscreteNetworkingTesting", package: "DiscreteNetworking"),
                ],
                path: "ShopAPITests"),
            .executableTarget(
                name: "ShopAPIContracts",
                dependencies: [
                    "ShopAPI",
                    .product(name: "DiscreteNetworkingContracts", package: "DiscreteNetworking"),
                ],
                path: "ShopAPIContracts", exclude: ["Contracts"]),
            """)
    }

    func testThePackageOfAURLHasItsName() {
        let file = PackageFile(
            layout: ModuleLayout(GeneratorOptions(module: "ShopAPI")),
            dependency: "https://example.com/team/Networking.git", hasContracts: false
        ).file
        XCTAssertTrue(file.text.contains(#".package(url: "https://example.com/team/Networking.git""#))
        XCTAssertTrue(file.text.contains(#".product(name: "DiscreteNetworking", package: "Networking")"#))
        XCTAssertFalse(file.text.contains("product(\""))
    }
}
