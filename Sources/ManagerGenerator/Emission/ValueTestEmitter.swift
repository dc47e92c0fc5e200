import DiscreteNetworkingJSON

/// Writes a test for each model with properties that may be `null` or are points in time: what it reads of values that
/// are made from the description, with no regard to the types of the model.
struct ValueTestEmitter {
    let names: TypeNames
    let module: String
    /// The managers whose nested types may be used in deprecated code only.
    let deprecated: Set<String>
    let samples: [Sample]

    struct Sample {
        let model: Int
        var nulls: JSONValue?
        var nullProperties: [String] = []
        var dates: JSONValue?
        var dateProperties: [(name: String, seconds: String)] = []
    }

    /// What servers send as a `date-time`, and the seconds since 1970 (of GNU date): of RFC 3339, and of Python without
    /// a zone, which is UTC.
    private static let forms: [(text: String, seconds: String)] = [
        ("2024-02-29T12:30:00Z", "1_709_209_800"), ("2024-02-29T12:30:00.250000+02:00", "1_709_202_600.25"),
        ("2024-02-29T12:30:15", "1_709_209_815"), ("2024-02-29T12:30Z", "1_709_209_800"),
    ]

    /// More models would make the tests slow to compile.
    private static let limit = 200

    init(
        names: TypeNames, module: String, deprecated: Set<String>, used: Set<Int>, sampler: SchemaSampler
    ) {
        self.names = names
        self.module = module
        self.deprecated = deprecated
        samples = Array(
            used.sorted().lazy.compactMap { Self.sample(of: $0, names, sampler) }.prefix(Self.limit))
    }

    private static func sample(of index: Int, _ names: TypeNames, _ sampler: SchemaSampler) -> Sample? {
        guard case .structure(let structure) = names.models[index].kind, let schema = structure.schema,
            names.models[index].isReceived
        else { return nil }
        let (nulls, dates) = sampler.nullsAndDates(of: schema)
        guard !nulls.isEmpty || !dates.isEmpty, case .object(let members)? = sampler.value(schema),
            JSONValue.object(members).canonicalText.utf8.count < 4_000
        else { return nil }
        var sample = Sample(model: index)
        var (withNulls, withDates) = (members, members)
        for property in structure.properties {
            if nulls.contains(property.wireName) {
                withNulls[property.wireName] = .null
                // The null of anything is a value.
                if names.resolved(property.type.wrapped) != .json {
                    sample.nullProperties.append(property.name)
                }
            }
            if dates.contains(property.wireName) {
                let form = forms[sample.dateProperties.count % forms.count]
                withDates[property.wireName] = .string(form.text)
                sample.dateProperties.append((property.name, form.seconds))
            }
        }
        if !nulls.isEmpty { sample.nulls = .object(withNulls) }
        if !sample.dateProperties.isEmpty { sample.dates = .object(withDates) }
        return sample
    }

    func emit(to source: inout Source) {
        source.add("import DiscreteNetworking")
        source.add("import Foundation")
        source.add("import XCTest")
        source.space()
        source.add("@testable import \(module)")
        source.space()
        source.documentation(
            "What the models read of null and of dates, in values that are made from the description.")
        source.block("final class ValueTests: XCTestCase") { source in
            for sample in samples {
                let model = names.models[sample.model]
                source.space()
                if let outermost = model.scope.first, deprecated.contains(outermost) {
                    source.add("@available(*, deprecated)")
                }
                source.block("func test\(model.path.joined(separator: "_"))() throws") { source in
                    emit(sample, model, to: &source)
                }
            }
        }
    }

    private func emit(_ sample: Sample, _ model: Model, to source: inout Source) {
        if let value = sample.nulls {
            let isRead = !sample.nullProperties.isEmpty
            source.list(
                isRead ? "let nulls: \(model.qualifiedName) = try decoded(" : "_ = try decoded(",
                [Literal.raw(value.canonicalText)], isRead ? ")" : ") as \(model.qualifiedName)")
            for name in sample.nullProperties { source.add("XCTAssertNil(nulls.\(SwiftName.escaped(name)))") }
        }
        guard let value = sample.dates else { return }
        source.list(
            "let dates: \(model.qualifiedName) = try decoded(", [Literal.raw(value.canonicalText)], ")")
        for (name, seconds) in sample.dateProperties {
            source.list("XCTAssertEqual(", ["seconds(dates.\(SwiftName.escaped(name)))", seconds], ")")
        }
    }

    static func emitSupport(to source: inout Source) {
        source.documentation("The seconds since 1970.")
        source.block("func seconds(_ date: Date?) -> TimeInterval?") {
            $0.add("date?.timeIntervalSince1970")
        }
    }
}
