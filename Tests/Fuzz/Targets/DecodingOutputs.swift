import Foundation

@testable import DiscreteNetworkingJSON

extension DecodingComparison {
    static let outputs: [DecodingComparison] = [
        .init(Model.self), .init(DecoderScript.self), .init([Model].self), .init(Derived.self),
        .init(Wrapped.self),
        .init([Choice].self), .init([Lossy<Int>].self), .init([String: Int].self),
        .init([String: Model].self),
        .init([Int: String].self), .init([Int].self), .init([Double].self), .init([String].self),
        .init([[Int?]].self), .init([Either].self), .init(JSONValue.self), .init([JSONValue].self),
        .init([JSONNumber].self), .init(Scalars.self), .init([Level].self), .init([Date].self),
        .init([Decimal].self),
        .init([URL?].self), .init([Data].self), .init(Set<Int>.self), .init(Int.self), .init(String?.self),
        .init([Float].self), .init([UInt64].self), .init([Int8].self), .init(Keeper.self),
        .init([String: [Double?]].self),
        .init(Flat.self),
    ]

    /// Everything that a compiler makes.
    struct Model: Decodable {
        let id: Int
        let name: String
        let price: Double?
        let isNew: Bool?
        let kind: Kind?
        let tags: [String]?
        let child: [Model]?
        let userName: String?
        let counts: [String: Int]?
        let date: Date?
        let link: URL?
    }

    enum Kind: String, Decodable { case a, b, c }
    enum Level: Int, Decodable {
        case low = 1
        case high = 2
    }

    /// With associated values.
    enum Choice: Decodable {
        case id(Int)
        case name(first: String, last: String?)
    }

    class Base: Decodable {
        let id: Int
        enum CodingKeys: String, CodingKey {
            case id
            case kelvin = "\u{212A}"
            case accent = "é"
        }
        let kelvin: Int?
        let accent: Int?
    }

    final class Derived: Base, Traced {
        let name: String
        enum CodingKeys: String, CodingKey { case name }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            let parent = try container.superDecoder()
            if parent.codingPath.isEmpty { throw CocoaError(.coderInvalidValue) }
            try super.init(from: parent)
        }
        var trace: String { "\(id) \(name) \(kelvin as Any) \(accent as Any)" }
    }

    /// A value that hides its errors.
    struct Lossy<Value: Decodable>: Decodable {
        let value: Value?
        init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
    }

    @propertyWrapper
    struct Default: Decodable {
        var wrappedValue: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do {
                wrappedValue = try container.decode(Int.self)
            } catch DecodingError.typeMismatch {
                wrappedValue = Int(try container.decode(String.self)) ?? -1
            } catch DecodingError.valueNotFound {
                wrappedValue = -2
            }
        }
    }

    struct Wrapped: Decodable {
        @Default var id: Int
        let name: Lossy<String>?
        let tags: [Lossy<Int>]?
    }

    enum Either: Decodable {
        case number(Double)
        case text(String)
        case others([Either])
        case error(String)
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                do {
                    self = .others(try container.decode([Either].self))
                } catch {
                    self = .error("\(error)")
                }
            }
        }
    }

    struct Scalars: Decodable, Traced {
        let trace: String
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            var texts: [String] = []
            // An element that nothing decodes would be asked for forever.
            for _ in 0..<50 where !container.isAtEnd {
                texts.append("\((try? container.decode(UInt8.self)) as Any)")
                if container.isAtEnd { break }
                texts.append("\((try? container.decodeIfPresent(Float.self)) as Any)")
                if container.isAtEnd { break }
                texts.append("\((try? container.decode(Bool.self)) as Any) \(container.currentIndex)")
                if container.isAtEnd { break }
                texts.append("\((try? container.decode(JSONValue.self)).map(plainText) as Any)")
            }
            trace = texts.joined(separator: "; ")
        }
    }

    /// Keeps its decoder, which stands for something else later on.
    struct Keeper: Decodable, Traced {
        struct Part: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let trace: String
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            let first = try container.decode(Part.self)
            trace =
                "\((try? first.decoder.singleValueContainer().decode(Int.self)) as Any) \(first.decoder.codingPath.count)"
        }
    }

    /// Reads several levels at once.
    struct Flat: Decodable, Traced {
        enum Key: String, CodingKey { case child, tags, counts, id, name }
        let trace: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var tags = try container.nestedUnkeyedContainer(forKey: .tags)
            let counts = try? container.nestedContainer(keyedBy: Key.self, forKey: .counts)
            var text = "\(container.allKeys.map(\.rawValue).sorted()) \(tags.count as Any)"
            while !tags.isAtEnd, let tag = try tags.decodeIfPresent(String.self) { text += tag }
            text += "\(counts?.codingPath.map(\.stringValue) as Any) \(container.contains(.id))"
            text += "\(try counts?.decodeIfPresent(Int.self, forKey: .id) as Any)"
            trace = text
        }
    }
}
