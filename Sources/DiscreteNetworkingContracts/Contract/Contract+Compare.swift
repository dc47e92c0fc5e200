public import DiscreteNetworkingCore

extension Contract {
    /// Returns the drifts of a response, in the order of their paths.
    ///
    /// Only the outermost added or removed object is reported. Additions are news and all other drifts
    /// warnings; ``ContractSubject`` determines by decoding which ones break a manager's output.
    public func compare(_ response: JSONValue) -> [Drift] { compare([response]) }

    /// Returns the drifts of several responses, each drift once.
    public func compare(_ responses: [JSONValue]) -> [Drift] {
        let seen = ShapeRecorder(responses)
        var drifts: [Drift] = []
        for path in Set(fields.keys).union(seen.tallies.keys) {
            switch (fields[path], seen.tallies[path]) {
            case (let field?, let tally?): drifts += drift(of: field, in: tally, seen, at: path)
            case (let field?, nil):
                if !field.isOptional || field.isSeen, seen.isMissingSomewhere(path) {
                    drifts.append(Drift(.removed(was: field), at: path))
                }
            case (nil, let tally?):
                if isAddition(path), !isFree(path) {
                    drifts.append(Drift(.added(tally.types.simplified), at: path))
                }
            case (nil, nil): break
            }
        }
        return drifts.sorted { Self.precedes($0, $1) }
    }

    private func drift(
        of field: Field, in tally: ShapeRecorder.Tally, _ seen: ShapeRecorder, at path: FieldPath
    ) -> [Drift] {
        var drifts: [Drift] = []
        if !field.isOptional, seen.isMissingSomewhere(path) { drifts.append(Drift(.newlyAbsent, at: path)) }
        let others = tally.types.filter { !field.types.admits($0) }
        if others.contains(.null) { drifts.append(Drift(.becameNull, at: path)) }
        let changed = others.subtracting([.null])
        if !changed.isEmpty {
            drifts.append(Drift(.typeChanged(from: field.types, to: changed.simplified), at: path))
        }
        guard field.types.contains(.string) else { return drifts }
        if case .listed(let values)? = field.values {
            let new = Set(tally.strings.keys).subtracting(values)
            if !new.isEmpty { drifts.append(Drift(.newValues(new), at: path)) }
        } else if let format = field.format,
            tally.strings.keys.contains(where: { StringFormat(of: $0) != format })
        {
            drifts.append(Drift(.formatChanged(from: format), at: path))
        }
        return drifts
    }

    /// Whether the parent is known to contain such values; otherwise the parent is reported.
    private func isAddition(_ path: FieldPath) -> Bool {
        guard let parent = path.parent else { return true }
        return fields[parent]?.types.contains(path.key == nil ? .array : .object) == true
    }

    /// Whether a path is inside a value with undescribed members.
    func isFree(_ path: FieldPath) -> Bool {
        var parent = path.parent
        while let place = parent {
            if fields[place]?.isOpen == true { return true }
            parent = place.parent
        }
        return false
    }

    private static func precedes(_ left: Drift, _ right: Drift) -> Bool {
        let (leftText, rightText) = (left.path.description, right.path.description)
        return leftText == rightText ? left.kind.name < right.kind.name : leftText < rightText
    }
}
