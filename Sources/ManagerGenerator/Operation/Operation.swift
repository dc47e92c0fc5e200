import DiscreteNetworkingJSON

/// One endpoint as a manager will have it.
struct Operation: Sendable {
    let place: Place
    let service: ServiceDescription
    /// In capitals.
    let method: String
    /// As the description has it: `/pets/{petId}`.
    let path: String
    /// The manager's method name: the path without the slash it begins with.
    let methodName: String
    var managerName: String
    /// The folder of its files.
    let folder: String
    let tags: [String]
    let documentation: String?
    let isDeprecated: Bool
    var parameters: [Parameter]
    var body: Body?
    var output: Output
    let failures: [FailureBody]
    /// The alternatives of its `security`, in the order in which they are tried.
    let security: [[ServiceDescription.Scheme]]
    /// Whether it is the variant of an operation that is answered with events instead of JSON.
    var isStream = false

    /// What identifies it whatever its name: `GET /pets/{petId}`.
    var endpoint: String { "\(method) \(path)" + (isStream ? " (text/event-stream)" : "") }

    /// The same operation, answered with something else.
    func answered(with output: Output) -> Operation {
        var operation = self
        operation.output = output
        operation.isStream = true
        return operation
    }

    /// The types that its manager uses.
    var types: [SwiftType] {
        var types = parameters.map(\.type) + failures.map(\.type)
        if case .model(let type) = output.kind { types.append(type) }
        return types
    }

    var arguments: [Parameter] { parameters.filter(\.isRequired) + parameters.filter { !$0.isRequired } }
}

/// One argument of a call.
struct Parameter: Sendable {
    enum Location: Hashable, Sendable {
        case path
        case query(Style)
        case header, cookie
        case field(Style)
        case json(contentType: String)
        case text(contentType: String)
    }

    /// As ``ParamLocation`` has them.
    enum Style: String, Hashable, Sendable {
        case form, spaceDelimited, pipeDelimited, tabDelimited, deepObject, json
    }

    /// The key in the call's params.
    var key: String
    /// The Swift name.
    var name: String
    let wireName: String
    let location: Location
    let explodes: Bool
    /// Whether an array of objects in a form has no indexes.
    var hasBracketArrays = false
    /// What stands before the value in a path: `.` or `;id=`.
    var pathPrefix = ""
    /// Whether a value in a path may be the empty text.
    var mayBeEmpty = false
    var type: SwiftType
    let isRequired: Bool
    let documentation: String?
    let schema: Node
}

/// A body that is not made from params.
enum Body: Sendable {
    struct Part: Sendable {
        let wireName: String
        /// The label in the manager's initializer.
        let name: String
        let contentType: String
        let isRequired: Bool
        let isList: Bool
        let documentation: String?

        /// The manager's property; the suffix avoids members that a manager already has, such as `error` or `headers`.
        var property: String { name + "Part" }
    }

    case multipart([Part])
    case raw(contentType: String, isRequired: Bool)
}

/// The response of a successful call.
struct Output: Sendable {
    enum Kind: Hashable, Sendable {
        case model(SwiftType)
        case noContent, string, data, file, events
    }

    let kind: Kind
    let status: Int
    let contentType: String?
    let schema: Node?
    let example: JSONValue?
    /// Whether the response has the header `Link` (RFC 8288).
    var hasLink = false
}

/// The described body of an error response.
struct FailureBody: Sendable {
    /// `404`, `4XX` or `default`.
    let statuses: [String]
    let type: SwiftType
    /// The other described statuses, which `4XX` and `default` do not mean.
    var others: [String] = []
}
