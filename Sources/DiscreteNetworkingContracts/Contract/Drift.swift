import DiscreteNetworkingCore

/// A deviation of a response from its contract.
public struct Drift: Sendable, Equatable {
    /// The kind of deviation.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public enum Kind: Sendable, Equatable {
        /// A new field with its types.
        case added(Set<JSONType>)
        /// A field missing in all objects.
        case removed(was: Contract.Field)
        /// A field missing in some objects for the first time.
        case newlyAbsent
        /// A field that is `null` for the first time.
        case becameNull
        /// A field with another type.
        case typeChanged(from: Set<JSONType>, to: Set<JSONType>)
        /// An enumeration with new values.
        case newValues(Set<String>)
        /// A string field of which some values no longer have their format.
        case formatChanged(from: StringFormat)
    }

    /// The severity of a drift.
    public enum Severity: String, Sendable, Comparable, CaseIterable {
        /// No action is needed.
        case news
        /// The output can still be decoded; its meaning needs review.
        case warning
        /// The output can no longer be decoded.
        case breaking

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        public static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }
    }

    /// The field.
    public let path: FieldPath
    /// What has changed.
    public let kind: Kind
    /// What that means for apps in use.
    public var severity: Severity
    /// Why the output cannot be decoded, for a breaking drift.
    public var reason: String?

    init(_ kind: Kind, at path: FieldPath) {
        self.path = path
        self.kind = kind
        if case .added = kind { severity = .news } else { severity = .warning }
    }
}

extension Drift.Kind {
    /// The kind as a word, for machine-readable reports.
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
    /// The kind in words.
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

    /// Returns a value in quotes, shortened.
    private static func quoted(_ text: String) -> String {
        JSONValue.string(text.count > 60 ? text.prefix(60) + "…" : text).canonicalText
    }
}
