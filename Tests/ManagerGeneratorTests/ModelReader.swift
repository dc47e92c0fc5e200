import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Reads and writes values as the generated models do, without compiling them.
struct ModelReader {
    let type: SwiftType
    private let names: TypeNames
    let notes: [Note]
    /// The types of the alternatives of the root.
    private(set) var alternatives: [SwiftType] = []

    /// - Parameter schema: The value at `#/components/schemas/Root`.
    init(_ components: [String: JSONValue], root schema: JSONValue) throws {
        let all = components.merging(["Root": schema]) { $1 }
        let description = try describe(#""components": {"schemas": \#(JSONValue.object(all).canonicalText)}"#)
        let report = Report()
        let schemas = Schemas(description, report: report, reserved: [])
        let root = try XCTUnwrap(description.root["components"]?["schemas"]?["Root"])
        type = try schemas.type(of: root, Schemas.Name(words: ["root"]))
        for node in ["oneOf", "anyOf"].flatMap({ root[$0]?.elements ?? [] }) {
            alternatives.append(try schemas.type(of: node, Schemas.Name(words: ["alternative"])).wrapped)
        }
        names = TypeNames(models: schemas.models)
        notes = report.notes + description.merging.notes
    }

    /// The type of the alternative that a value is read as; `nil` if the root is no union, or no alternative fits.
    func chosen(_ value: JSONValue) -> SwiftType?? {
        guard case .model(let index) = names.resolved(type), case .union(let union) = names.models[index].kind
        else { return nil }
        return .some(UnionReading(names: names).chosen(union, value)?.type)
    }

    /// What is written of a value that was read; `nil` if it is not read.
    func copy(_ value: JSONValue) -> JSONValue? { UnionReading(names: names).copy(value, as: type)?.value }
}

extension JSONValue {
    /// The same value without members that are `null`: optionals do not tell them from absent ones.
    var withoutNulls: JSONValue {
        switch self {
        case .object(let members): .object(members.filter { !$0.value.isNull }.mapValues(\.withoutNulls))
        case .array(let elements): .array(elements.map(\.withoutNulls))
        default: self
        }
    }
}
