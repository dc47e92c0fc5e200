import Foundation

extension APIError.DecodingFailure {
    /// The path in JSON notation: `content.items[2].name`.
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

    /// Returns the failure with a sentence after its reason.
    func adding(_ sentence: String?) -> Self {
        guard let sentence else { return self }
        return Self(path: path, reason: "\(reason) \(sentence)", mayQuote: mayQuote)
    }

    /// Creates a failure from an error of decoding.
    /// - Parameters:
    ///   - error: The error thrown by the decoder.
    ///   - place: The path of the payload in the body.
    ///   - keys: The keys of the payload as sent.
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
            self.init(path: place.components, reason: "invalid JSON: \(error)")
        default:
            self.init(path: place.components, reason: String(describing: error), mayQuote: true)
        }
    }
}

/// Maps keys converted by a decoder's `keyDecodingStrategy` back to the keys that the server sent.
struct SentKeys {
    private let strategy: JSONDecoder.KeyDecodingStrategy
    private let payload: JSONDocument?

    init(_ decoder: JSONDecoder, _ payload: Data) {
        strategy = decoder.keyDecodingStrategy
        self.payload = try? JSONDocument(payload)
    }

    /// Returns a coding path in the keys that the server sent.
    func path(_ codingPath: [any CodingKey]) -> [String] { walk(codingPath).path }

    /// Returns the path of a missing key, and a note if the server sent a similar key, for example one that
    /// the key strategy converts to another name.
    func missing(_ key: any CodingKey, at codingPath: [any CodingKey]) -> (path: [String], note: String) {
        let (path, parent) = walk(codingPath)
        let name = key.stringValue
        guard let parent, let members = payload?.members(of: parent),
            let sent = members.first(where: { Self.normal($0.key) == Self.normal(name) })?.key
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

    private func walk(_ codingPath: [any CodingKey]) -> (path: [String], value: JSONDocument.Value?) {
        guard let payload else {
            return (codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }, nil)
        }
        var path: [String] = []
        var value: JSONDocument.Value? = payload.top
        for (depth, key) in codingPath.enumerated() {
            let place = value
            guard let place, let members = payload.members(of: place) else {
                let name = key.intValue.map(String.init) ?? key.stringValue
                path.append(name)
                value = place.flatMap { payload.value(at: [name], in: $0) }
                continue
            }
            // Of keys that are converted to the same one, decoders read the first.
            let prefix = Array(codingPath[..<depth])
            let member =
                members.first { converted($0.key, at: prefix) == key.stringValue }
                ?? members.first { $0.key == key.stringValue }
            path.append(key.intValue.map(String.init) ?? member?.key ?? key.stringValue)
            value = member?.value
        }
        return (path, value)
    }

    /// Returns a key as converted by the decoder.
    private func converted(_ key: String, at codingPath: [any CodingKey]) -> String {
        switch strategy {
        case .convertFromSnakeCase: JSONDecoder.KeyDecodingStrategy.camelCase(key)
        case .custom(let convert): convert(codingPath + [SentKey(stringValue: key)]).stringValue
        default: key
        }
    }

    /// Returns the key that the server would have to send, if it can be determined.
    private func unconverted(_ name: String, at codingPath: [any CodingKey]) -> String {
        let candidate = name.reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
        return converted(candidate, at: codingPath) == name ? candidate : name
    }

    private static func normal(_ key: String) -> String { key.lowercased().filter { $0 != "_" && $0 != "-" } }
}

private struct SentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
