import DiscreteNetworkingJSON
import Foundation

/// Corrections of a description by what its server really sent.
struct LearnedOverlay {
    /// The actions, in their order.
    private(set) var actions: [JSONValue] = []
    /// What no overlay can say, and what was not compared.
    private(set) var notes: [String] = []
    private(set) var responseCount = 0
    private(set) var endpointCount = 0

    /// Corrections of a correction: a value may only be compared once what is around it is right.
    private static let roundLimit = 10

    /// - Parameter make: reads the description, as a document already corrected.
    init(
        _ calls: [RecordedCall], document: JSONValue, selection: Selection,
        read: (JSONValue) throws(GeneratorError) -> Description
    ) throws(GeneratorError) {
        var corrected = document
        for round in 0..<Self.roundLimit {
            let description = try read(corrected)
            let evidence = Evidence(description)
            let undescribed = try compare(
                calls, with: description, selection, evidence, isFirst: round == 0)
            var new =
                corrections(of: evidence, description, isFirst: round == 0)
                + undescribed.actions(for: description.root.place.document, description.version)
            let known = Set(actions)
            new.removeAll(where: known.contains)
            guard !new.isEmpty else { return }
            actions += new
            let overlay: JSONValue = ["overlay": "1.0.0", "actions": .array(new)]
            _ = try Overlay(Node(value: overlay, place: Place(document: "learned", pointer: []))).apply(
                to: &corrected)
        }
    }

    private mutating func corrections(
        of evidence: Evidence, _ description: Description, isFirst: Bool
    ) -> [JSONValue] {
        let corrections = evidence.findings.values.filter { !Self.isUsual($0) }
            .map { Correction(finding: $0, version: description.version) }
            .sorted { $0.place.jsonPath < $1.place.jsonPath }
        let replaced = Set(corrections.filter(\.replacesSchema).map(\.place.pointer))
        var actions: [JSONValue] = []
        for correction in corrections {
            let place = correction.place
            // What is in a schema that is replaced is compared with the new one.
            guard !place.pointer.indices.contains(where: { replaced.contains(Array(place.pointer[..<$0])) })
            else { continue }
            if place.document == description.root.place.document {
                actions += correction.actions
            } else if isFirst, !correction.actions.isEmpty {
                notes.append(
                    "\(place) is not what the server sends, and overlays do not reach this document.")
            }
        }
        return actions
    }

    private static func isUsual(_ finding: Evidence.Finding) -> Bool {
        finding.faults == 0 && finding.unknown.isEmpty
    }

    private mutating func compare(
        _ calls: [RecordedCall], with description: Description, _ selection: Selection, _ evidence: Evidence,
        isFirst: Bool
    ) throws(GeneratorError) -> UndescribedContent {
        var undescribed = UndescribedContent()
        let index = try OperationIndex(description, selection)
        var seen: Set<String> = []
        var strangers: Set<String> = []
        for call in calls where 200..<300 ~= call.status {
            guard let entry = index.entry(for: call) else {
                strangers.insert("\(call.method.uppercased()) \(call.components.percentEncodedPath)")
                continue
            }
            seen.insert(entry.endpoint)
            guard let schema = try Self.schema(of: entry.node, status: call.status, description) else {
                if try undescribed.see(call, entry), isFirst { responseCount += 1 }
                continue
            }
            if isFirst { responseCount += 1 }
            let value = RecordedCall.json(call.content)
            if value == nil, !call.isEmpty {
                if isFirst { notes.append("\(entry.endpoint) has a recorded response that is not JSON.") }
                continue
            }
            try evidence.see(value, at: schema, entry.endpoint)
        }
        guard isFirst else { return undescribed }
        endpointCount = seen.count
        notes += strangers.sorted().map { "\($0) is not described." }
        notes += index.all.filter { !seen.contains($0.endpoint) }.map {
            "\($0.endpoint) has no recorded success."
        }
        return undescribed
    }

    /// The schema with which the manager decodes a response; `nil` if it decodes none.
    private static func schema(
        of operation: Node, status: Int, _ description: Description
    ) throws(GeneratorError) -> Node? {
        var first: Node?
        for (name, node) in try operation.object("responses")?.members ?? []
        where name.hasPrefix("2") || name == "default" {
            let response = try description.resolve(node)
            guard let schema = try jsonSchema(of: response, description) else { continue }
            if name == String(status) { return schema }
            if first == nil || name.hasPrefix("2") { first = first ?? schema }
        }
        return first
    }

    private static func jsonSchema(
        of response: Node, _ description: Description
    ) throws(GeneratorError) -> Node? {
        guard description.version != .swagger2 else {
            guard let schema = response["schema"] else { return nil }
            return try description.resolve(schema).string("type") == "file" ? nil : schema
        }
        guard let content = try response.object("content"), let (type, media) = MediaType.preferred(content),
            MediaType.kind(MediaType.sent(as: type, media["schema"])) == .json
        else { return nil }
        return media["schema"]
    }
}
