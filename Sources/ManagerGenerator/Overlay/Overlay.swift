import DiscreteNetworkingJSON

/// Corrections of a description that a team cannot edit (OpenAPI Overlay 1.0).
///
///     overlay: 1.0.0
///     info: { title: What the server really sends, version: 1.0.0 }
///     actions:
///       - target: $.components.schemas.Pet.properties.tag
///         update: { nullable: true }
///       - target: $.paths['/debug']
///         remove: true
struct Overlay {
    private struct Action {
        let target: String
        let query: JSONQuery
        let update: JSONValue?
        let removes: Bool
        let place: Place
    }

    private let actions: [Action]

    /// - Parameter node: The document.
    init(_ node: Node) throws(GeneratorError) {
        guard let version = node["overlay"]?.value, version.string?.hasPrefix("1.") ?? false else {
            throw GeneratorError(
                "An overlay has the member overlay, such as \"1.0.0\".", at: node.place)
        }
        guard let list = node["actions"] else {
            throw GeneratorError("An overlay has the member actions.", at: node.place)
        }
        var actions: [Action] = []
        for action in list.elements {
            guard let target = action.string("target") else {
                throw GeneratorError("An action has a target, a JSONPath.", at: action.place)
            }
            let removes = action["remove"]?.value.bool ?? false
            let update = action["update"]?.value
            guard removes || update != nil else {
                throw GeneratorError("An action has the member update, or remove: true.", at: action.place)
            }
            actions.append(
                Action(
                    target: target, query: try JSONQueryParser.parse(target), update: update,
                    removes: removes, place: action.place))
        }
        self.actions = actions
    }

    /// Applies the actions, one after the other.
    /// - Returns: The actions that select nothing.
    func apply(to description: inout JSONValue) throws(GeneratorError) -> [Note] {
        var notes: [Note] = []
        for action in actions {
            let places = try action.query.places(in: description)
            if places.isEmpty {
                notes.append(
                    Note(place: action.place, text: "selects nothing: \(VisibleText.line(action.target))"))
            }
            // The last elements first, so that the indexes of the others stay; each once.
            for place in Set(places).sorted(by: JSONQuery.isAfter) {
                do throws(OverlayFault) {
                    description = try Self.changed(description, place[...], action)
                } catch {
                    throw GeneratorError(
                        "The target \(action.target) is \(error.kind); an update is for objects and arrays.",
                        at: action.place)
                }
            }
        }
        return notes
    }

    private struct OverlayFault: Error { let kind: String }

    private static func changed(
        _ value: JSONValue, _ place: ArraySlice<JSONQuery.Step>, _ action: Action
    ) throws(OverlayFault) -> JSONValue {
        guard let step = place.first else {
            guard let update = action.update else { return value }
            switch value {
            case .object, .array: return merged(value, update, isTarget: true)
            default: throw OverlayFault(kind: value.kindText)
            }
        }
        let isLast = place.count == 1 && action.removes
        switch (step, value) {
        case (.key(let key), .object(var members)):
            members[key] =
                try isLast
                ? nil
                : members[key].map { inner throws(OverlayFault) in
                    try changed(inner, place.dropFirst(), action)
                }
            return .object(members)
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            if isLast {
                elements.remove(at: index)
            } else {
                elements[index] = try changed(elements[index], place.dropFirst(), action)
            }
            return .array(elements)
        default: return value
        }
    }

    /// Objects are merged, a target array gets an element more, arrays below are joined, other values are replaced.
    private static func merged(_ old: JSONValue, _ new: JSONValue, isTarget: Bool = false) -> JSONValue {
        switch (old, new) {
        case (.array(let elements), _) where isTarget: return .array(elements + [new])
        case (.object(let members), .object(let others)):
            return .object(members.merging(others) { merged($0, $1) })
        case (.array(let elements), .array(let others)): return .array(elements + others)
        default: return new
        }
    }
}
