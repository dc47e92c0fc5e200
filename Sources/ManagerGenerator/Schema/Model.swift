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

    var path: [String] { scope + [name] }
    var qualifiedName: String { path.joined(separator: ".") }
}

/// An object with known properties.
struct Structure: Sendable {
    struct Property: Sendable {
        let wireName: String
        let name: String
        /// Optional where `null` is allowed.
        let type: SwiftType
        let isRequired: Bool
        let isReadOnly: Bool
        let isWriteOnly: Bool
        let documentation: String?
        let schema: Node
    }

    var properties: [Property] = []
    /// The type of additional properties; `nil` where there are none.
    var additional: SwiftType?
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
        let type: SwiftType
        /// The values of the discriminator that mean it.
        let tags: [String]
    }

    let cases: [Case]
    /// The discriminator property.
    let discriminator: String?
    var isIndirect = false
}
