import Foundation

extension APIError.DecodingFailure {
    /// The path as a reader writes it: `content.items[2].name`.
    var place: String {
        guard !path.isEmpty else { return "the top" }
        return path.reduce(into: "") { text, key in
            if !key.isEmpty, key.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
                text += "[\(key)]"
            } else {
                text += text.isEmpty ? key : ".\(key)"
            }
        }
    }

    /// What decoding a payload has thrown.
    /// - Parameters:
    ///   - place: where the payload is in the body.
    ///   - keys: the keys of the payload as the server sent them.
    init(_ error: any Error, at place: JSONPath, keys: SentKeys) {
        func path(_ context: DecodingError.Context) -> [String] {
            place.components + keys.path(context.codingPath)
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            let (sent, note) = keys.missing(key, at: context.codingPath)
            self.init(path: place.components + sent, reason: "the key is missing\(note).")
        case DecodingError.valueNotFound(let type, let context):
            self.init(path: path(context), reason: "expected \(type), found null.")
        case DecodingError.typeMismatch(let type, let context):
            self.init(path: path(context), reason: "expected \(type). \(context.debugDescription)")
        case DecodingError.dataCorrupted(let context):
            let cause = context.underlyingError.map { " (\(($0 as NSError).localizedDescription))" } ?? ""
            self.init(path: path(context), reason: context.debugDescription + cause, mayQuote: true)
        case let error as JSONError:
            self.init(path: place.components, reason: "this is not JSON: \(error)")
        default:
            self.init(path: place.components, reason: String(describing: error), mayQuote: true)
        }
    }
}

/// The keys of a payload as the server sent them, found again from those that a decoder made of them by its
/// `keyDecodingStrategy`.
struct SentKeys {
    private let strategy: JSONDecoder.KeyDecodingStrategy
    private let payload: JSONValue?

    init(_ decoder: JSONDecoder, _ payload: Data) {
        strategy = decoder.keyDecodingStrategy
        self.payload = try? JSONValue(parsing: payload)
    }

    /// A coding path with the keys that the server sent.
    func path(_ codingPath: [any CodingKey]) -> [String] { walk(codingPath).path }

    /// The path of a key that the decoder did not find, and what the server sent instead, where that is much the
    /// same: a key that the strategy turns into another one than the coding key, for one.
    func missing(_ key: any CodingKey, at codingPath: [any CodingKey]) -> (path: [String], note: String) {
        let (path, parent) = walk(codingPath)
        let name = key.stringValue
        guard case .object(let members)? = parent,
            let sent = members.keys.sorted().first(where: { Self.normal($0) == Self.normal(name) })
        else { return (path + [unconverted(name, at: codingPath)], "") }
        let read = converted(sent, at: codingPath)
        let cause =
            read == sent
            ? "" : #", which the decoder's keyDecodingStrategy turns into "\#(read)""#
        return (
            path + [sent],
            #": the server sent "\#(sent)"\#(cause); the property or its coding key has to be called "\#(read)", not "\#(name)""#
        )
    }

    private func walk(_ codingPath: [any CodingKey]) -> (path: [String], value: JSONValue?) {
        var path: [String] = []
        var value = payload
        for (depth, key) in codingPath.enumerated() {
            if let index = key.intValue, case .array(let elements)? = value {
                path.append(String(index))
                value = elements.indices.contains(index) ? elements[index] : nil
                continue
            }
            var sent = key.stringValue
            if case .object(let members)? = value {
                let prefix = Array(codingPath[..<depth])
                sent =
                    members.keys.sorted().first { converted($0, at: prefix) == key.stringValue } ?? sent
                value = members[sent]
            } else {
                value = nil
            }
            path.append(key.intValue.map(String.init) ?? sent)
        }
        return (path, value)
    }

    /// What the decoder makes of a key of the server.
    private func converted(_ key: String, at codingPath: [any CodingKey]) -> String {
        switch strategy {
        case .convertFromSnakeCase: Self.camelCase(key)
        case .custom(let convert): convert(codingPath + [SentKey(stringValue: key)]).stringValue
        default: key
        }
    }

    /// What the server would have to send, where that is known.
    private func unconverted(_ name: String, at codingPath: [any CodingKey]) -> String {
        let candidate = name.reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
        return converted(candidate, at: codingPath) == name ? candidate : name
    }

    /// As `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase` is documented: the letter after each underscore
    /// becomes a capital, and underscores go, but for those at the beginning and at the end.
    private static func camelCase(_ key: String) -> String {
        let head = key.prefix { $0 == "_" }
        let tail = key.dropFirst(head.count).reversed().prefix { $0 == "_" }.count
        let words = key.dropFirst(head.count).dropLast(tail).split(separator: "_")
        guard words.count > 1 else { return key }
        return head + words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
            + String(repeating: "_", count: tail)
    }

    private static func normal(_ key: String) -> String { key.lowercased().filter { $0 != "_" && $0 != "-" } }
}

private struct SentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
