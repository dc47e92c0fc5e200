import DiscreteNetworkingCore
public import Foundation

/// A contract with its endpoint, as a JSON file for review.
///
///     {
///       "endpoint": "GET products/{id}",
///       "fields": {
///         "$": {"types": ["object"]},
///         "content.state": {"types": ["string"], "values": ["packed", "shipped"]},
///         "content.tags": {"optional": true, "types": ["array", "null"]}
///       },
///       "format": 1,
///       "name": "ProductManager",
///       "service": "storefront"
///     }
///
/// It may be edited: `"open": true` leaves out what is in a value, `"values": "any"` permanently ends an enumeration, `"values": [...]` starts one.
public struct ContractFile: Sendable, Equatable {
    /// The name of the contract, and of its file.
    public var name: String
    /// The HTTP method and method name.
    public var endpoint: String
    /// The identifier of the service.
    public var service: String
    /// The fields.
    public var contract: Contract
    /// Where the fields are from.
    public var origin: Origin

    /// Where the fields of a contract are from.
    public enum Origin: String, Sendable, Hashable {
        /// Responses.
        case responses
        /// The description of the backend. The first response completes them.
        case description
        /// The description of the backend, completed by responses.
        case both
    }

    /// Creates the file of a contract; see the properties for each value.
    public init(
        name: String, endpoint: String = "", service: String = "", contract: Contract,
        origin: Origin = .responses
    ) {
        self.name = name
        self.endpoint = endpoint
        self.service = service
        self.contract = contract
        self.origin = origin
    }

    private static let format = 1

    /// The text of the file: sorted, one line per field.
    public var text: String {
        let fields = contract.fields.map { ($0.key.description, Self.json($0.value)) }
        var members: [String: JSONValue] = [
            "name": .string(name), "endpoint": .string(endpoint), "service": .string(service),
            "format": .number(JSONNumber(Self.format)),
            "fields": .object(Dictionary(fields) { $1 }),
        ]
        if origin != .responses { members["origin"] = .string(origin.rawValue) }
        return PrettyJSON.text(.object(members))
    }

    /// Parses a file.
    /// - Throws: ``ContractError`` with the error and its position.
    public init(parsing text: Data) throws(ContractError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: text)
        } catch {
            throw ContractError("This is not a contract: \(error)")
        }
        guard let format = json["format"]?.int, format == Self.format else {
            throw ContractError(
                "This is not a contract, or another version wrote it: \"format\" is not \(Self.format). Record it again."
            )
        }
        guard let members = json["fields"]?.object else {
            throw ContractError("The contract has no \"fields\". Record it again.")
        }
        var fields: [FieldPath: Contract.Field] = [:]
        for (text, value) in members {
            guard let path = FieldPath(text) else {
                throw ContractError(
                    "\(JSONValue.string(text)) is not a path such as \"content.products[].id\"; put keys with dots, brackets or quotes in quotes."
                )
            }
            fields[path] = try Self.field(value, at: text)
        }
        self.init(
            name: json["name"]?.string ?? "", endpoint: json["endpoint"]?.string ?? "",
            service: json["service"]?.string ?? "", contract: Contract(fields: fields),
            origin: json["origin"]?.string.flatMap(Origin.init) ?? .responses)
    }

    private static func json(_ field: Contract.Field) -> JSONValue {
        var members: [String: JSONValue] = [
            "types": .array(JSONType.allCases.filter(field.types.contains).map { .string($0.rawValue) })
        ]
        if field.isOptional { members["optional"] = true }
        if field.isSeen { members["seen"] = true }
        if field.isOpen { members["open"] = true }
        members["format"] = field.format.map { .string($0.rawValue) }
        switch field.values {
        case .any?: members["values"] = "any"
        case .listed(let values)?: members["values"] = .array(values.sorted().map(JSONValue.string))
        case nil: break
        }
        return .object(members)
    }

    private static func field(_ json: JSONValue, at path: String) throws(ContractError) -> Contract.Field {
        let known = ["types", "optional", "seen", "open", "format", "values"]
        guard let members = json.object, members.keys.allSatisfy(known.contains),
            let names = members["types"]?.array, !names.isEmpty
        else {
            throw ContractError(
                "The field \(path) needs \"types\" and may have only \(known.joined(separator: ", ")).")
        }
        var types: Set<JSONType> = []
        for name in names {
            guard let type = name.string.flatMap(JSONType.init) else {
                throw ContractError(
                    "The field \(path) has the type \(name), which is none of \(JSONType.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            types.insert(type)
        }
        var field = Contract.Field(types)
        func flag(_ name: String) throws(ContractError) -> Bool {
            guard let value = members[name] else { return false }
            guard let flag = value.bool else {
                throw ContractError("\"\(name)\" of the field \(path) is not true or false.")
            }
            return flag
        }
        field.isOptional = try flag("optional")
        field.isSeen = try flag("seen")
        field.isOpen = try flag("open")
        if let format = members["format"] {
            guard let known = format.string.flatMap(StringFormat.init(rawValue:)) else {
                throw ContractError(
                    "The field \(path) has the format \(format), which is none of \(StringFormat.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            field.format = known
        }
        switch members["values"] {
        case nil: break
        case "any"?: field.values = .any
        case .array(let values)? where values.allSatisfy({ $0.string != nil }):
            field.values = .listed(Set(values.compactMap(\.string)))
        default:
            throw ContractError("\"values\" of the field \(path) is neither a list of strings nor \"any\".")
        }
        return field
    }
}

/// Why a contract cannot be read, written or checked, for developers.
public struct ContractError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let message: String

    /// Creates an error.
    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
