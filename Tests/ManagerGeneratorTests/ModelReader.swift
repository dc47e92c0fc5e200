import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Reads and writes values as the generated models do, without compiling them.
struct ModelReader {
    let type: SwiftType
    private let names: TypeNames
    let notes: [Note]

    /// - Parameter schema: The value at `#/components/schemas/Root`.
    init(_ components: [String: JSONValue], root schema: JSONValue) throws {
        let all = components.merging(["Root": schema]) { $1 }
        let description = try describe(#""components": {"schemas": \#(JSONValue.object(all).canonicalText)}"#)
        let report = Report()
        let schemas = Schemas(description, report: report, reserved: [])
        let root = try XCTUnwrap(description.root["components"]?["schemas"]?["Root"])
        type = try schemas.type(of: root, Schemas.Name(words: ["root"]))
        names = TypeNames(models: schemas.models)
        notes = report.notes + description.merging.notes
    }

    /// What is written of a value that was read; `nil` if it is not read.
    func copy(_ value: JSONValue) -> JSONValue? { copy(value, type) }

    private func copy(_ value: JSONValue, _ type: SwiftType) -> JSONValue? {
        func all(_ values: [JSONValue], _ type: SwiftType) -> [JSONValue]? {
            let copies = values.compactMap { copy($0, type) }
            return copies.count == values.count ? copies : nil
        }
        switch names.resolved(type) {
        case .json: return value
        case .optional(let wrapped): return value.isNull ? .null : copy(value, wrapped)
        case .array(let element):
            return value.array.flatMap { all($0, element) }.map(JSONValue.array)
        case .dictionary(let element):
            guard let members = value.object?.sorted(by: { $0.key < $1.key }),
                let copies = all(members.map(\.value), element)
            else { return nil }
            return .object(Dictionary(uniqueKeysWithValues: zip(members.map(\.key), copies)))
        case .model(let index):
            switch names.models[index].kind {
            case .structure(let structure): return copy(value, structure)
            case .union(let union):
                guard let one = UnionReading(names: names).chosen(union, value) else { return value }
                return copy(value, one.type)
            case .openEnum(let open):
                return (open.isString ? value.string != nil : value.int != nil) ? value : nil
            case .alias, .pending: return nil
            }
        case .bool: return value.bool.map { _ in value }
        case .int, .int64, .uint64: return value.int.map { _ in value }
        case .double, .decimal: return value.number.map { _ in value }
        default: return value.string.map { _ in value }
        }
    }

    private func copy(_ value: JSONValue, _ structure: Structure) -> JSONValue? {
        guard var rest = value.object else { return nil }
        var members: [String: JSONValue] = [:]
        for property in structure.properties {
            let member = rest.removeValue(forKey: property.wireName)
            guard let member, !member.isNull else {
                if property.isRequired, property.type == .json { members[property.wireName] = member }
                guard
                    !property.isRequired || property.type.isOptional
                        || member != nil && property.type == .json
                else { return nil }
                continue
            }
            guard let copy = copy(member, property.type) else { return nil }
            members[property.wireName] = copy
        }
        for (name, member) in rest {
            guard let additional = structure.additional else { continue }
            guard let copy = copy(member, additional) else { return nil }
            members[name] = copy
        }
        return .object(members)
    }
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
