/// An option with a value, by its name in a configuration file.
enum OptionName: String, CaseIterable, Sendable {
    case input, output, module, modelsModule, tagModule, service, include, exclude, path, paging, overlay,
        optional, nullable, type,
        mapFormat, mapUrl, rename, stripPrefix, hashable, access, formArrays, package

    /// The option on the command line, such as `--form-arrays`; the input has none.
    var flag: String? {
        guard self != .input else { return nil }
        return rawValue.reduce("--") { $0 + ($1.isUppercase ? "-\($1.lowercased())" : String($1)) }
    }

    /// Whether it may be given several times.
    var isList: Bool {
        isPairs
            || [.include, .exclude, .path, .paging, .overlay, .optional, .nullable, .stripPrefix, .hashable]
                .contains(self)
    }

    /// Whether its values are pairs, `NAME=VALUE`; an object in a configuration file.
    var isPairs: Bool { [.type, .mapFormat, .mapUrl, .rename, .tagModule].contains(self) }

    /// - Throws: ``GeneratorError`` for a text without a name or a value.
    func pairs(_ texts: [String]) throws(GeneratorError) -> [NamePair] {
        try texts.map { text throws(GeneratorError) in
            guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
                text.index(after: equals) < text.endIndex
            else { throw GeneratorError("\(flag ?? rawValue) needs NAME=VALUE, not \(text).") }
            return NamePair(
                name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
        }
    }
}

/// A value for a name, such as `Pet=Animal`.
struct NamePair: Sendable, Hashable {
    let name: String
    let value: String
}
