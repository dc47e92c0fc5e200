import DiscreteNetworking

/// One way in which a response is not what its contract says.
public struct Drift: Sendable, Equatable {
    /// What happened to a field.
    public enum Kind: Sendable, Equatable {
        /// It is new, and of this type.
        case added(Set<JSONType>)
        /// It is gone, from every object that had it.
        case removed(was: Contract.Field)
        /// It is missing in some objects, and never was.
        case newlyAbsent
        /// It is `null`, and never was.
        case becameNull
        /// It has values of another type.
        case typeChanged(from: Set<JSONType>, to: Set<JSONType>)
        /// Its enumeration has values that were never seen.
        case newValues(Set<String>)
        /// Its strings had a form, and some have it no longer.
        case formatChanged(from: StringFormat)
    }

    /// How bad it is.
    public enum Severity: String, Sendable, Comparable, CaseIterable {
        /// Nobody has to do anything.
        case news
        /// The output can still be made; whether it says the same is for a person to judge.
        case warning
        /// The output can no longer be made: the app fails.
        case breaking

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        public static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }
    }

    public let path: FieldPath
    public let kind: Kind
    public var severity: Severity
    /// Why the output cannot be made, where the drift is breaking.
    public var reason: String?

    init(_ kind: Kind, at path: FieldPath) {
        self.path = path
        self.kind = kind
        if case .added = kind { severity = .news } else { severity = .warning }
    }
}

extension Drift.Kind {
    /// The kind as a word, for machines.
    public var name: String {
        switch self {
        case .added: "added"
        case .removed: "removed"
        case .newlyAbsent: "newly-absent"
        case .becameNull: "became-null"
        case .typeChanged: "type-changed"
        case .newValues: "new-enum-value"
        case .formatChanged: "format-changed"
        }
    }
}

extension Drift: CustomStringConvertible {
    /// What happened, in words.
    public var summary: String {
        switch kind {
        case .added(let types): "added (\(types.text))"
        case .removed(let field):
            "removed (was \(field.types.text)\(field.isOptional ? ", optional" : ""))"
        case .newlyAbsent: "missing in some objects, was in all"
        case .becameNull: "became null"
        case .typeChanged(let old, let new): "type changed from \(old.text) to \(new.text)"
        case .newValues(let values):
            "new enum value\(values.count == 1 ? "" : "s") "
                + values.sorted().prefix(5).map(Self.quoted).joined(separator: ", ")
                + (values.count > 5 ? " and \(values.count - 5) more" : "")
        case .formatChanged(let format): "no longer a \(format.rawValue)"
        }
    }

    /// For example `breaking content.fee: removed (was integer). The output cannot be made: …`
    public var description: String {
        "\(severity.rawValue) \(path): \(summary)"
            + (reason.map { ". The output cannot be made: \($0)" } ?? "")
    }

    /// A value can be anything; a report is no place for a novel.
    private static func quoted(_ text: String) -> String {
        JSONValue.string(text.count > 60 ? text.prefix(60) + "…" : text).canonicalText
    }
}
