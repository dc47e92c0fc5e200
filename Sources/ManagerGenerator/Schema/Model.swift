import DiscreteNetworkingJSON

/// A type that is generated.
struct Model: Sendable {
    /// The kind; set once the schema has been read.
    enum Kind: Sendable {
        case pending
        case structure(Structure)
        case openEnum(OpenEnum)
        case union(Union)
        /// Another type: the schema turned out to need no model.
        case alias(SwiftType)
    }

    /// The enclosing types, outermost first.
    let scope: [String]
    let name: String
    let place: Place
    var documentation: String?
    var isDeprecated = false
    var kind = Kind.pending
    /// Whether calls send it, and whether they are answered with it.
    var isSent = false
    var isReceived = false
    /// What is received of the same schema, if calls send less of it; by its index.
    var received: Int?
    /// The meaning of an inline schema: the name of its property, or `response`; `nil` for a schema with a name of its own.
    var context: [String]?
    /// Its kind before it became an alias of the model that it is the same as, with the names that its own place has.
    var ownKind: Kind?
    /// The model that it is the same as; by its index. Its own name is a type alias.
    var same: Int? { if ownKind != nil, case .alias(.model(let index)) = kind { index } else { nil } }

    var path: [String] { scope + [name] }
    var qualifiedName: String { path.joined(separator: ".") }
}

/// An object with known properties.
struct Structure: Sendable {
    struct Property: Sendable {
        let wireName: String
        let name: String
        /// Optional where `null` is allowed.
        var type: SwiftType
        let isRequired: Bool
        var isReadOnly: Bool
        let isWriteOnly: Bool
        let documentation: String?
        let schema: Node
    }

    var properties: [Property] = []
    /// The type of additional properties; `nil` where there are none.
    var additional: SwiftType?
    /// The object in the description.
    var schema: Node?
}

/// Strings or integers with known values, and room for new ones.
struct OpenEnum: Sendable {
    let isString: Bool
    let cases: [(name: String, value: JSONValue)]
}

/// One of several types.
struct Union: Sendable {
    struct Case: Sendable {
        let name: String
        var type: SwiftType
        /// The values of the discriminator that mean it; other cases may have them, too.
        var tags: [JSONValue] = []
        /// Whether a value always has the discriminator.
        var isTagRequired = true
        /// The values of the second property; none where the first is enough.
        var secondTags: [JSONValue] = []
        /// Types that fit fewer values are tried first.
        let rank: Int
        /// The alternative in the description.
        let schema: Node
    }

    var cases: [Case]
    /// The discriminator property; a case without tags is read by its own properties.
    let discriminator: String?
    /// The property that tells cases apart whose value of the discriminator is the same.
    var second: String?
    /// The union in the description.
    let schema: Node

    /// The values of the discriminator, with the cases that each of them may mean.
    var groups: [(tags: [JSONValue], cases: [Case])] {
        var positions: [JSONValue: [Int]] = [:]
        var order: [JSONValue] = []
        for (position, one) in cases.enumerated() {
            for tag in one.tags where positions[tag]?.last != position {
                if positions[tag] == nil { order.append(tag) }
                positions[tag, default: []].append(position)
            }
        }
        var groups: [(tags: [JSONValue], positions: [Int])] = []
        for tag in order {
            let positions = positions[tag] ?? []
            if let same = groups.firstIndex(where: { $0.positions == positions }) {
                groups[same].tags.append(tag)
            } else {
                groups.append(([tag], positions))
            }
        }
        return groups.map { group in (group.tags, Self.tried(group.positions.map { cases[$0] })) }
    }

    var untagged: [Case] { Self.tried(cases.filter(\.tags.isEmpty)) }

    /// The cases that a value without the discriminator may be.
    var withoutTag: [Case] { Self.tried(cases.filter { $0.tags.isEmpty || !$0.isTagRequired }) }

    /// Cases in the order in which they are tried.
    private static func tried(_ cases: [Case]) -> [Case] {
        cases.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element)
    }
}
