/// Text as a Swift literal.
enum Literal {
    static func string(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.isInvisible: literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// JSON between `#"` and `"#`, or more of them where it needs that.
    static func raw(_ json: String) -> String {
        let text = visible(json)
        var marks = "#"
        while text.contains("\"" + marks) || text.contains("\\" + marks) { marks += "#" }
        return marks + "\"" + text + "\"" + marks
    }

    /// Escapes invisible characters in JSON (RFC 8259, section 7).
    static func visible(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: { $0.isInvisible && $0 != "\n" }) else { return json }
        return json.unicodeScalars.map { scalar in
            guard scalar.isInvisible, scalar != "\n" else { return String(scalar) }
            return String(scalar).utf16.map { unit in
                let hex = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }
            .joined()
        }
        .joined()
    }
}

extension Unicode.Scalar {
    /// Whether it is invisible, or controls the direction of text.
    var isInvisible: Bool {
        // Most characters are of these, and the tables of Unicode cost more.
        if value < 0xA0 { return value < 0x20 || value >= 0x7F }
        return properties.isBidiControl || properties.isDefaultIgnorableCodePoint
            || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
            // Interlinear annotations, and no character at all.
            || 0xFFF9...0xFFFB ~= value || properties.isNoncharacterCodePoint
    }

    /// Whether it joins visible characters, in an emoji or in a Persian or Hindi word.
    var joinsCharacters: Bool { ["\u{200C}", "\u{200D}", "\u{FE0E}", "\u{FE0F}"].contains(self) }
}
