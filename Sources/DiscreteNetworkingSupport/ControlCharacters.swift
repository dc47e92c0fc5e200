extension String {
    /// Returns this text with its control characters written as escape sequences of Swift, such as `\u{1B}`.
    ///
    /// A text of a server can then neither forge a line of a log, nor command a terminal (ECMA-48), nor show its characters in
    /// another order than that in which they stand. Escaped are control characters, separators of lines and paragraphs, and the
    /// characters that control the direction of text (UAX #9).
    /// - Parameter kept: The characters that stay, as `\n` where a text has several lines.
    package func escapingControlCharacters(except kept: Set<Unicode.Scalar> = []) -> String {
        guard unicodeScalars.contains(where: { $0.controlsText && !kept.contains($0) }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.controlsText, !kept.contains(scalar) {
                text += scalar.escaped(asASCII: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var controlsText: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: properties.isBidiControl
        default: false
        }
    }
}
