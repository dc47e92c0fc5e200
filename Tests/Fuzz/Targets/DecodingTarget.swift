import Foundation

@testable import DiscreteNetworkingJSON

extension FuzzTarget {
    /// What the fast decoder returns is what `JSONDecoder` returns. The first two bytes choose the output and the strategies.
    static let decoding = FuzzTarget(name: "decoding") { data in
        let bytes = [UInt8](data)
        guard bytes.count > 2 else { return }
        let outputs = DecodingComparison.outputs
        _ = try outputs[Int(bytes[0]) % outputs.count].compare(
            Data(bytes[2...]), DecodingStrategies(number: Int(bytes[1])))
    }
}

/// A combination of the strategies of a `JSONDecoder`.
struct DecodingStrategies {
    let number: Int

    var decoder: JSONDecoder {
        let decoder = number & 64 == 0 ? JSONDecoder() : JSONValue.makeDecoder()
        decoder.userInfo[.scriptSeed] = number
        if number & 1 != 0 { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        switch number >> 1 & 3 {
        case 0: break
        case 1: decoder.dateDecodingStrategy = .secondsSince1970
        case 2: decoder.dateDecodingStrategy = .millisecondsSince1970
        default: decoder.dateDecodingStrategy = .iso8601
        }
        switch number >> 3 & 3 {
        case 0, 1: break
        case 2: decoder.dataDecodingStrategy = .deferredToData
        default:
            decoder.dataDecodingStrategy = .custom {
                Data(try $0.singleValueContainer().decode(String.self).utf8)
            }
        }
        if number & 32 != 0 {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return decoder
    }
}

/// Decodes a text as one type by both decoders.
struct DecodingComparison: Sendable {
    let name: String
    /// Returns whether the fast decoder was certain.
    let compare: @Sendable (Data, DecodingStrategies) throws -> Bool

    init<T: Decodable & SendableMetatype>(_ type: T.Type) {
        name = "\(type)"
        compare = { data, strategies in
            let decoder = strategies.decoder
            let expected = Self.text { try decoder.decode(type, fromUntrusted: data) }
            // Dictionaries have another order each time: which of two errors comes first, or which of the keys "1" and "01" of
            // an `[Int: String]` counts, is chance.
            func expectSame(_ text: String, _ by: String) throws {
                if text == expected { return }
                let areErrors = text.hasPrefix("error") && expected.hasPrefix("error")
                if areErrors, "\(type)".hasPrefix("Dictionary") { return }
                // Foundation does not say which number does not fit.
                if areErrors, text.contains("does not fit in"), expected.contains("not valid JSON") { return }
                // The order depends on the address of the dictionary: memory that is kept makes each try get another.
                var kept: [[UInt8]] = []
                for _ in 0..<200 {
                    if Self.text({ try decoder.decode(type, fromUntrusted: data) }) == text { return }
                    for _ in 0..<8 { kept.append(.init(repeating: 0, count: .random(in: 16...1024))) }
                }
                throw FuzzFailure(
                    description: "\(type), \(strategies): \(by) \(text)\ninstead of \(expected)")
            }
            try expectSame(Self.text { try FastJSONDecoder(decoder).decode(type, from: data) }, "whole")
            guard let document = try? JSONDocument(data) else { return false }
            let fast = document.decode(type, at: document.top, like: decoder)
            if let fast { try expectSame("value " + plainText(fast), "fast") }
            // In an envelope, as a part of a text.
            let text = data.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
            let enveloped = try JSONDocument(Data(#"{"a":[{}],"d": "#.utf8) + text + Data(" }".utf8))
            guard let place = enveloped.value(at: "d") else { throw FuzzFailure(description: "no place") }
            if let part = enveloped.decode(type, at: place, like: decoder) {
                try expectSame("value " + plainText(part), "part")
            }
            return fast != nil
        }
    }

    private static func text<T>(_ decode: () throws -> T) -> String {
        do {
            return "value " + plainText(try decode())
        } catch {
            return "error \(error)"
        }
    }
}

/// The text of a value, the same for equal values: dictionaries have no order.
func plainText(_ value: Any) -> String {
    switch value {
    case let dictionary as [String: Any]:
        let members = dictionary.map { "\($0.debugDescription): \(plainText($1))" }.sorted()
        return "[\(members.joined(separator: ", "))]"
    case let dictionary as [Int: Any]:
        return "[\(dictionary.map { "\($0): \(plainText($1))" }.sorted().joined(separator: ", "))]"
    case let array as [Any]: return "[\(array.map(plainText).joined(separator: ", "))]"
    case let value as JSONValue:
        switch value {
        case .object(let members): return plainText(members)
        case .array(let elements): return plainText(elements)
        case .string(let text): return text.debugDescription
        case .number(let number): return number.literal
        case .bool, .null: return "\(value)"
        }
    case let data as Data: return data.base64EncodedString()
    case let traced as any Traced: return traced.trace
    // Foundation traps on the description of a date that is far away.
    case let date as Date: return "\(date.timeIntervalSinceReferenceDate)"
    case is URL, is Decimal, is String, is JSONNumber: return String(reflecting: value)
    case let set as Set<Int>: return "\(set.sorted())"
    default:
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return String(reflecting: value) }
        let parts = mirror.children.map { "\($0.label ?? ""): \(plainText($0.value))" }
        return "\(mirror.subjectType)(\(parts.joined(separator: ", ")))"
    }
}

/// An output that says what it was decoded from.
protocol Traced {
    var trace: String { get }
}
