import Foundation

extension CodingUserInfoKey {
    static let scriptSeed = CodingUserInfoKey(rawValue: "scriptSeed")!
}

/// Does something else with its decoder at each place, and notes what it got: values, errors, paths and indices.
struct DecoderScript: Decodable, Traced {
    struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?
        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = Int(stringValue)
        }
        init(intValue: Int) { self.init(stringValue: "\(intValue)") }
    }

    private static let keys = [
        "id", "name", "tags", "child", "userName", "super", "1", "é", "\u{212A}", "none", "K",
    ]
    .map(Key.init(stringValue:))

    let trace: String

    init(from decoder: any Decoder) throws {
        let depth = decoder.codingPath.count
        let seed = (decoder.userInfo[.scriptSeed] as? Int ?? 0) &+ depth &* 31
        var notes = Notes(seed: seed)
        notes.note { "\(decoder.codingPath) \(try decoder.singleValueContainer().decodeNil())" }
        if depth < (seed % 16 == 0 ? 2 : 1) {
            notes.note { try Self.keyed(decoder, seed) }
            notes.note { try Self.unkeyed(decoder, seed) }
        }
        notes.note { try Self.single(decoder, seed) }
        trace = notes.text
    }

    private static func single(_ decoder: any Decoder, _ seed: Int) throws -> String {
        let container = try decoder.singleValueContainer()
        switch seed % 7 {
        case 0: return "\(try container.decode(Int.self))"
        case 1: return "\(try container.decode(String.self))"
        case 2: return "\(try container.decode(Bool.self)) \(container.codingPath.count)"
        case 3: return "\(try container.decode(Double.self))"
        case 4: return "\(try container.decode([Int].self))"
        case 5: return "\(try container.decode(UInt16?.self) as Any)"
        // Which of its errors comes first is chance.
        default: return (try? container.decode([String: Double].self)).map(plainText) ?? "none"
        }
    }

    private static func keyed(_ decoder: any Decoder, _ seed: Int) throws -> String {
        let container = try decoder.container(keyedBy: Key.self)
        var notes = Notes(seed: seed)
        notes.note {
            "\(container.allKeys.map { Array($0.stringValue.utf8).description }.sorted()) \(container.codingPath)"
        }
        for (number, key) in keys.enumerated() {
            notes.note {
                "\(key.stringValue) \(container.contains(key)) \(try container.decodeNil(forKey: key))"
            }
            switch (seed + number) % 9 {
            case 0: notes.note { "\(try container.decode(Int.self, forKey: key))" }
            case 1: notes.note { "\(try container.decodeIfPresent(String.self, forKey: key) as Any)" }
            case 2: notes.note { try container.decode(DecoderScript.self, forKey: key).trace }
            case 3: notes.note { try DecoderScript(from: container.superDecoder(forKey: key)).trace }
            case 4: notes.note { try DecoderScript(from: container.superDecoder()).trace }
            case 5:
                notes.note {
                    let nested = try container.nestedContainer(keyedBy: Key.self, forKey: key)
                    return "\(nested.codingPath) \(try nested.decode(Bool.self, forKey: keys[0]))"
                }
            case 6:
                notes.note {
                    var nested = try container.nestedUnkeyedContainer(forKey: key)
                    return "\(nested.codingPath) \(try nested.decode(String.self)) \(nested.currentIndex)"
                }
            case 7: notes.note { "\(try container.decodeIfPresent([Double].self, forKey: key) as Any)" }
            default:
                notes.note {
                    "\(try container.decodeIfPresent(Date.self, forKey: key)?.timeIntervalSince1970 as Any)"
                }
            }
        }
        return notes.text
    }

    private static func unkeyed(_ decoder: any Decoder, _ seed: Int) throws -> String {
        var container = try decoder.unkeyedContainer()
        var notes = Notes(seed: seed)
        for number in 0..<8 {
            switch (seed + number) % 9 {
            case 0: notes.note { "\(try container.decode(Int.self))" }
            case 1: notes.note { "\(try container.decodeIfPresent(Int.self) as Any)" }
            case 2: notes.note { try container.decode(DecoderScript.self).trace }
            case 3: notes.note { try DecoderScript(from: container.superDecoder()).trace }
            case 4: notes.note { "\(try container.nestedContainer(keyedBy: Key.self).codingPath)" }
            case 5: notes.note { "\(try container.nestedUnkeyedContainer().count as Any)" }
            case 6: notes.note { "\(try container.decodeNil())" }
            case 7: notes.note { "\(try container.decode(String.self))" }
            default: notes.note { "\(try container.decodeIfPresent([Int].self) as Any)" }
            }
            let state = "\(container.currentIndex) \(container.isAtEnd) \(container.count as Any)"
            notes.note { state }
        }
        return notes.text
    }

    private struct Notes {
        let seed: Int
        var text = ""

        mutating func note(_ make: () throws -> String) {
            do {
                text += try make() + "\n"
            } catch {
                text += "\(error)\n"
            }
        }
    }
}
