import DiscreteNetworkingCore

extension Contract {
    /// Returns a described contract, completed by the fields of responses.
    ///
    /// The description knows which fields may be missing, `null` or of several values. No sample shows this. Responses
    /// show which optional fields exist, and which fields the description leaves out or describes wrongly.
    ///
    /// Only the description gives a field an enumeration or a format: a few responses would give other ones from day to
    /// day. Strings of the responses are added to an enumeration. A format is removed if a string of the responses does
    /// not have it.
    func completed(by samples: [JSONValue]) -> Contract {
        let recorded = ShapeRecorder(samples)
        var completed = self
        for path in fields.keys { completed.fields[path]?.isSeen = false }
        for (path, tally) in recorded.tallies where fields[path] != nil || !isFree(path) {
            guard var field = fields[path] else {
                completed.fields[path] = Field(
                    tally.types, isOptional: recorded.isMissingSomewhere(path), isSeen: true)
                continue
            }
            field.types = field.types.union(tally.types).simplified
            field.isOptional = field.isOptional || recorded.isMissingSomewhere(path)
            field.isSeen = field.isOptional
            if case .listed(let values)? = field.values {
                field.values = .listed(values.union(tally.strings.keys))
            }
            if let format = field.format, !tally.strings.keys.allSatisfy({ StringFormat(of: $0) == format }) {
                field.format = nil
            }
            completed.fields[path] = field
        }
        for path in fields.keys where recorded.tallies[path] == nil && recorded.isMissingSomewhere(path) {
            completed.fields[path]?.isOptional = true
        }
        return completed
    }
}
