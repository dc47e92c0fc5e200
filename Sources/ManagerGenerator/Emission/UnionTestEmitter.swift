import DiscreteNetworkingJSON

/// Writes a test for each union: which case a value of each alternative is decoded to.
struct UnionTestEmitter {
    let names: TypeNames
    let module: String
    let samples: [Int: [UnionSample]]
    /// The managers whose nested types may be used in deprecated code only.
    let deprecated: Set<String>

    func emit(to source: inout Source) {
        source.add("import DiscreteNetworking")
        source.add("import Foundation")
        source.add("import XCTest")
        source.space()
        source.add("@testable import \(module)")
        source.space()
        source.documentation(
            "Values that are made from the description, and the cases that they are decoded to.")
        source.block("final class UnionTests: XCTestCase") { source in
            for (index, samples) in samples.sorted(by: { $0.key < $1.key }) {
                let model = names.models[index]
                source.space()
                if let outermost = model.scope.first, deprecated.contains(outermost) {
                    source.add("@available(*, deprecated)")
                }
                source.block("func test\(model.path.joined(separator: "_"))() throws") { source in
                    for sample in samples { emit(sample, model, to: &source) }
                }
            }
        }
    }

    private func emit(_ sample: UnionSample, _ model: Model, to source: inout Source) {
        let json = Literal.raw(sample.value.canonicalText)
        source.list(
            "XCTAssertEqual(",
            [
                "try caseName(of: \(json), as: \(model.qualifiedName).self)",
                Literal.string(sample.caseName),
            ], ")")
        guard model.isSent else { return }
        source.list(
            "XCTAssertEqual(",
            [
                "(try decoded(\(json)) as \(model.qualifiedName)).jsonValue",
                "try decoded(\(Literal.raw(sample.sent.canonicalText)))",
            ], ")")
    }

    static func emitSupport(to source: inout Source) {
        source.documentation("The name of the case that JSON text is decoded to.")
        source.block(
            "func caseName<Value: Decodable>(of json: String, as type: Value.Type) throws -> String?"
        ) {
            $0.add("Mirror(reflecting: try decoded(json) as Value).children.first?.label")
        }
    }
}
