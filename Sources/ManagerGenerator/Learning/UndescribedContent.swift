import DiscreteNetworkingJSON

/// JSON that a server sends where its description has a response without content. The managers read nothing of it.
struct UndescribedContent {
    private var found: [(place: Place, endpoint: String, values: [JSONValue])] = []

    /// Keeps the JSON of a call if its response is described without content.
    /// - Returns: Whether it is.
    mutating func see(_ call: RecordedCall, _ entry: OperationIndex.Entry) throws(GeneratorError) -> Bool {
        // What a reference leads to belongs to other operations, too.
        guard let response = try entry.node.object("responses")?[String(call.status)],
            response["$ref"] == nil, response["content"] == nil, response["schema"] == nil,
            let value = RecordedCall.json(call.content), !value.isNull
        else { return false }
        if let index = found.firstIndex(where: { $0.place == response.place }) {
            found[index].values.append(value)
        } else {
            found.append((response.place, entry.endpoint, [value]))
        }
        return true
    }

    /// The actions that add the schemas of the recorded values to the document.
    func actions(for document: String, _ version: Description.Version) -> [JSONValue] {
        found.filter { $0.place.document == document }.map { place, endpoint, values in
            let schema = Correction.optional(SchemaInference.schema(of: values))
            return [
                "target": .string(place.jsonPath),
                "description": .string("\(endpoint): a response with JSON is described without content."),
                "update": version == .swagger2
                    ? ["schema": schema] : ["content": ["application/json": ["schema": schema]]],
            ]
        }
    }
}
