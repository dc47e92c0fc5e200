/// Names as Swift has them: identifiers, in camel case, never a reserved word.
enum SwiftName {
    /// A property, an argument or a case.
    static func member(_ text: String) -> String {
        let name = identifier(Words.lowerCamel(Words.split(text)), fallback: "value")
        return reservedMembers[name] ?? name
    }

    /// A case of a union. In a script without capitals it must not have the name of its type.
    static func caseName(ofType type: String) -> String {
        let name = member(type)
        guard name == type else { return name }
        return type.hasSuffix("Model") ? String(type.dropLast(5)) : type + "Value"
    }

    /// A type. What Swift, Foundation, XCTest or the framework has gets `Model` at its end.
    static func type(_ text: String) -> String { type(words: Words.split(text)) }

    static func type(words: [String]) -> String {
        let name = identifier(Words.upperCamel(words), fallback: "Value")
        return isType(name) ? name : name + "Model"
    }

    /// In a script without capitals a type may have the name of a property, unless a word such as `Manager` follows.
    private static func isType(_ name: String) -> Bool {
        guard let first = name.first, !ReservedTypes.names.contains(name) else { return false }
        return first.isUppercase || (!first.isCased && name.contains(where: \.isUppercase))
    }

    /// The beginning of types such as `ShopService`.
    static func typePrefix(words: [String]) -> String {
        let name = type(words: words)
        let isForeign = name.first?.isCased == false && name.hasSuffix("Model")
        return isForeign ? String(name.dropLast(5)) : name
    }

    /// In backticks where it is a keyword.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The label of an argument in a call: the only keyword that cannot be one is `inout`.
    static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    private static func identifier(_ name: String, fallback: String) -> String {
        let letters = String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter {
                    $0.properties.isXIDContinue && !$0.properties.isDefaultIgnorableCodePoint
                }))
        guard let first = letters.unicodeScalars.first else { return fallback }
        return first.properties.isXIDStart ? letters : fallback + letters
    }

    /// Names that a member cannot have, even in backticks, and those that the generated code needs.
    private static let reservedMembers: [String: String] = [
        "self": "selfValue", "init": "initValue", "type": "type", "rawValue": "rawValueField",
        "params": "paramsField",
        "jsonValue": "jsonValueField", "encoder": "encoderField", "decoder": "decoderField",
        "additionalProperties": "additionalPropertiesField", "container": "containerField",
        "hashValue": "hashValueField",
        "description": "description", "_": "underscore", "codingKeys": "codingKeysField",
        "allCases": "allCasesField",
        // Optional has them.
        "none": "noneValue", "some": "someValue",
    ]

    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout",
        "internal",
        "let", "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static",
        "struct",
        "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
        "else",
        "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while",
        "as", "false",
        "is", "nil", "super", "throws", "true", "try", "Any", "Self", "self", "init",
    ]
}
