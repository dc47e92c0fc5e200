import DiscreteNetworkingJSON
import Foundation

/// What recorded responses say against the schemas of a description.
final class Evidence {
    /// What was seen at one schema.
    struct Finding {
        let node: Node
        /// The calls, such as `GET /pets`, in the order of the recording.
        private(set) var endpoints: [String] = []
        var isNull = false
        var hasWrongFormat = false
        /// Required properties that were absent, by the schema that requires them.
        var absent: [Place: Set<String>] = [:]
        /// Members that the description does not have, with their values.
        var unknown: [String: [JSONValue]] = [:]
        /// The types of the values, and those that the schema allows.
        var kinds: Set<JSONKind> = []
        var allowed: Set<JSONKind>?
        var values: [JSONValue] = []

        init(node: Node) { self.node = node }

        /// The types that the schema does not allow.
        var wrongKinds: Set<JSONKind> {
            guard let allowed else { return [] }
            return kinds.filter { !$0.fits(allowed) }
        }

        var faults: Int {
            (isNull ? 1 : 0) + (hasWrongFormat ? 1 : 0) + absent.values.map(\.count).reduce(0, +)
                + wrongKinds.count
        }

        mutating func note(_ endpoint: String) {
            if endpoints.last != endpoint, !endpoints.contains(endpoint) { endpoints.append(endpoint) }
        }
    }

    private(set) var findings: [Place: Finding] = [:]
    private let description: Description
    private let shapes: Shapes
    /// Values that are of none of an `enum`'s or other than a `const`; they only tell alternatives apart.
    private var strangers = 0

    init(_ description: Description) {
        self.description = description
        shapes = Shapes(description)
    }

    private init(like other: Evidence) {
        (description, shapes) = (other.description, other.shapes)
    }

    private func record(_ node: Node, _ endpoint: String, _ change: (inout Finding) -> Void) {
        var finding = findings[node.place] ?? Finding(node: node)
        change(&finding)
        finding.note(endpoint)
        findings[node.place] = finding
    }

    /// Compares a value with a schema.
    /// - Parameters:
    ///   - site: The schema where it is used, which may be a reference.
    ///   - endpoint: The call that the value is from.
    ///   - seen: The unions that lead to the schema; one may lead to itself.
    func see(
        _ value: JSONValue?, at site: Node, _ endpoint: String, through seen: Set<Place> = []
    ) throws(GeneratorError) {
        try description.work.add(at: site.place)
        guard let value, !value.isNull else {
            if try !description.isNullable(site) { record(site, endpoint) { $0.isNull = true } }
            return
        }
        let schema = try description.resolve(site)
        guard schema.value.object?.isEmpty == false else { return }
        if let allowed = schema["enum"]?.value.array ?? schema["const"].map({ [$0.value] }),
            !allowed.contains(value)
        {
            strangers += 1
        }
        if let alternatives = Self.alternatives(of: schema) {
            guard !seen.contains(schema.place) else { return }
            try choose(among: alternatives, value, endpoint, through: seen.union([schema.place]))
            if schema["properties"] == nil, schema["allOf"] == nil { return }
        }
        let shape = try shapes.shape(of: schema)
        let kind = JSONKind(value)
        if !shape.kinds.isEmpty {
            record(schema, endpoint) {
                $0.allowed = shape.kinds
                $0.kinds.insert(kind)
                if $0.values.count < 100 { $0.values.append(value) }
                if !Self.hasFormat(value, schema.string("format")) { $0.hasWrongFormat = true }
            }
            guard kind.fits(shape.kinds) else { return }
        }
        if let members = value.object { try see(members, shape, schema, endpoint) }
        if let elements = value.array, let items = shape.items {
            for element in elements { try see(element, at: items, endpoint) }
        }
    }

    private func see(
        _ members: [String: JSONValue], _ shape: Shape, _ schema: Node, _ endpoint: String
    ) throws(GeneratorError) {
        for (name, place) in shape.required where members[name] == nil {
            guard let property = shape.properties[name],
                try !description.resolve(property).flag("writeOnly"), !property.flag("writeOnly")
            else { continue }
            record(schema, endpoint) { $0.absent[place, default: []].insert(name) }
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let property = shape.properties[name] {
                // A property that may be absent may be null: both are nil in Swift.
                if !value.isNull || shape.required[name] != nil { try see(value, at: property, endpoint) }
            } else if let additional = shape.additional {
                try see(value, at: additional, endpoint)
            } else if !shape.isOpen, !shape.properties.isEmpty {
                record(schema, endpoint) { finding in
                    if finding.unknown[name, default: []].count < 100 {
                        finding.unknown[name, default: []].append(value)
                    }
                }
            }
        }
    }

    private static func alternatives(of schema: Node) -> [Node]? {
        let nodes = ["oneOf", "anyOf"].compactMap { schema[$0]?.elements }.first
        return nodes?.filter { $0.string("type") != "null" }
    }

    /// Goes on with the alternative that the value contradicts least.
    private func choose(
        among alternatives: [Node], _ value: JSONValue, _ endpoint: String, through seen: Set<Place>
    ) throws(GeneratorError) {
        guard var best = alternatives.first else { return }
        if alternatives.count > 1 {
            var least = (Int.max, Int.max)
            for alternative in alternatives {
                let trial = Evidence(like: self)
                try trial.see(value, at: alternative, endpoint, through: seen)
                let faults = trial.findings.values.map(\.faults).reduce(0, +) + trial.strangers
                let cost = (faults, trial.findings.values.map(\.unknown.count).reduce(0, +))
                if cost < least { (least, best) = (cost, alternative) }
            }
        }
        try see(value, at: best, endpoint, through: seen)
    }

    /// Whether a text is what the generated model reads.
    private static func hasFormat(_ value: JSONValue, _ format: String?) -> Bool {
        guard let text = value.string else { return true }
        return switch format {
        case "date-time": RFC3339.date(from: text) != nil
        case "date": FullDate(text) != nil
        case "uuid": UUID(uuidString: text) != nil
        case "byte": Data(base64Encoded: text) != nil
        default: true
        }
    }
}
