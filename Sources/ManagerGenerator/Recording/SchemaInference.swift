import DiscreteNetworkingJSON
import Foundation

/// A schema that admits all of some recorded values.
enum SchemaInference {
    static func schema(of values: [JSONValue]) -> JSONValue {
        let present = values.filter { !$0.isNull }
        guard !present.isEmpty else { return [:] }
        var alternatives: [[String: JSONValue]] = []
        let objects = present.compactMap(\.object)
        let arrays = present.compactMap(\.array)
        let strings = present.compactMap(\.string)
        let numbers = present.compactMap(\.number)
        if !objects.isEmpty { alternatives.append(object(objects)) }
        if !arrays.isEmpty {
            alternatives.append(["type": "array", "items": schema(of: arrays.flatMap(\.self))])
        }
        if !strings.isEmpty { alternatives.append(string(strings)) }
        if !numbers.isEmpty { alternatives.append(number(numbers)) }
        if present.contains(where: { $0.bool != nil }) { alternatives.append(["type": "boolean"]) }
        let isNullable = present.count < values.count
        guard alternatives.count == 1, var only = alternatives.first else {
            let null: [JSONValue] = isNullable ? [["type": "null"]] : []
            return ["anyOf": .array(alternatives.map(JSONValue.object) + null)]
        }
        if isNullable, let type = only["type"] { only["type"] = [type, "null"] }
        return .object(only)
    }

    private static func object(_ objects: [[String: JSONValue]]) -> [String: JSONValue] {
        let names = Set(objects.flatMap(\.keys))
        // Keys that are numbers of things make a dictionary, not a type.
        if names.count > 2, names.allSatisfy(PathPattern.isIdentifier) {
            return ["type": "object", "additionalProperties": schema(of: objects.flatMap(\.values))]
        }
        let properties = Dictionary(
            uniqueKeysWithValues: names.map { name in (name, Self.schema(of: objects.compactMap { $0[name] }))
            })
        let required = names.filter { name in objects.allSatisfy { $0[name] != nil } }
        var result: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { result["required"] = .array(required.sorted().map(JSONValue.string)) }
        return result
    }

    private static func number(_ numbers: [JSONNumber]) -> [String: JSONValue] {
        let areIntegers = numbers.allSatisfy {
            $0.int64 != nil && !$0.literal.contains { ".eE".contains($0) }
        }
        guard areIntegers else { return ["type": "number"] }
        let isLarge = numbers.contains { $0.int64.map { Int32(exactly: $0) == nil } ?? true }
        return isLarge ? ["type": "integer", "format": "int64"] : ["type": "integer"]
    }

    private static func string(_ strings: [String]) -> [String: JSONValue] {
        var schema: [String: JSONValue] = ["type": "string"]
        if strings.allSatisfy({ UUID(uuidString: $0) != nil }) {
            schema["format"] = "uuid"
        } else if strings.allSatisfy({ FullDate($0) != nil }) {
            schema["format"] = "date"
        } else if strings.allSatisfy(isDateTime) {
            schema["format"] = "date-time"
        }
        return schema
    }

    /// By its form (RFC 3339): a day, a time, and a zone.
    private static func isDateTime(_ text: String) -> Bool {
        guard text.utf8.count >= 20, FullDate(String(text.prefix(10))) != nil else { return false }
        let time = text.dropFirst(11)
        return time.prefix(8).split(separator: ":").count == 3
            && (time.hasSuffix("Z") || time.suffix(6).first.map { "+-".contains($0) } == true)
    }

    /// The type of texts in a query or a path.
    static func schema(ofTexts texts: [String]) -> JSONValue {
        if texts.allSatisfy({ Int64($0) != nil && ($0 == "0" || !$0.hasPrefix("0")) }) {
            return texts.allSatisfy { Int32($0) != nil }
                ? ["type": "integer"] : ["type": "integer", "format": "int64"]
        }
        if texts.allSatisfy({ $0 == "true" || $0 == "false" }) { return ["type": "boolean"] }
        return .object(string(texts))
    }
}
