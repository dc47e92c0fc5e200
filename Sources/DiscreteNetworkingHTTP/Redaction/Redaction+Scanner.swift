import Foundation

/// Redacts text byte by byte, so that secrets in malformed JSON are found too. When in doubt, it redacts.
struct SecretScanner {
    let bytes: [UInt8]
    let redaction: Redaction
    /// The remaining levels of quoting or percent-encoding to decode; deeper content is redacted entirely.
    private let layers: Int
    /// Whether the text is a sentence, without header lines.
    let isSentence: Bool
    private(set) var position = 0
    private var output: [UInt8] = []
    /// The hidden values, as they are written.
    private(set) var found: [ArraySlice<UInt8>] = []
    /// Whether the next text of an element is the value of a secret name before it.
    var hidesNextText = false
    /// The end of the escaped markup that was scanned last.
    var escapedEnd = 0
    /// Whether an element without an end was found: then the text is not XML.
    var lacksEndTag = false

    init(_ bytes: [UInt8], redaction: Redaction, layers: Int = 4, isSentence: Bool = false) {
        self.bytes = SecretShape.hidden(in: bytes)
        self.redaction = redaction
        self.layers = layers
        self.isSentence = isSentence
    }

    mutating func redacted() -> [UInt8] {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): quoted()
            case UInt8(ascii: "<"): tag()
            case UInt8(ascii: "&"): escapedMarkup()
            case UInt8(ascii: "-") where isLineStart(position):
                if let part = FormPart(at: position, in: bytes), redaction.isSecret(param: part.name) {
                    copy(to: part.start)
                    hideValue(to: part.end, with: Redaction.mark)
                } else {
                    word()
                }
            case let byte where Self.isWord(byte): word()
            default: copy(to: position + 1)
            }
        }
        return output
    }

    private func isLineStart(_ index: Int) -> Bool { index == 0 || bytes[index - 1] == UInt8(ascii: "\n") }

    /// Scans a JSON string: a name if a colon follows, otherwise a value that may contain secrets.
    private mutating func quoted() {
        let start = position
        let end = endOfString(from: start)
        let isClosed = end - start > 1 && bytes[end - 1] == UInt8(ascii: "\"")
        let text = Unescaping.json(bytes[(start + 1)..<(isClosed ? end - 1 : end)])
        let separator = skippingSpace(from: end)
        guard !isSeparator(at: separator) else {
            copy(to: skippingSpace(from: afterSeparator(at: separator)))
            if redaction.isSecret(param: text) {
                if !isProse(at: position) { hideValue() }
            } else if redaction.isCode(text), position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                let value = bytes[(position + 1)..<max(position + 1, endOfString(from: position) - 1)]
                if AuthorizationCode.isLike(value) { hideValue() }
            }
            return
        }
        if let inside = redactedInside(Array(text.utf8)) {
            let literal = JSONValue.string(inside).canonicalText
            hide(to: end, with: isClosed ? literal : String(literal.dropLast()))
        } else {
            copy(to: end)
        }
    }

    /// Scans a bare word: a name if `=` or `:` follows. A quote in between means that the name's opening
    /// quote was missed.
    private mutating func word() {
        let start = position
        let isInSentence = isSentence || follows(wordBefore: start)
        var end = start
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        var name = Array(bytes[start..<end])
        if name.contains(UInt8(ascii: "%")) {
            let decoded = PercentEncoding.decoded(name)
            if decoded != name, let inside = redactedInside(decoded) {
                hide(to: end, with: PercentEncoding.unreserved.encode(inside))
            }
            name = decoded
        }
        copy(to: end)
        var next = end
        while next < bytes.count, "\"'\\".utf8.contains(bytes[next]) { next += 1 }
        let separator = skippingSpace(from: next)
        let spaced = name.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard isSeparator(at: separator) else { return }
        let isPair = bytes[separator] == UInt8(ascii: "=")
        let text = String(decoding: spaced, as: UTF8.self)
        guard redaction.isSecret(param: text) else {
            if redaction.isCode(text) {
                let begin = afterSeparator(at: separator)
                code(from: begin, isPair: isPair && begin == separator + 1, named: start)
            }
            return
        }
        copy(to: afterSeparator(at: separator))
        while position < bytes.count, " \t".utf8.contains(bytes[position]) { copy(to: position + 1) }
        if next > end {
            copy(to: skippingSpace(from: position))
            hideValue()
        } else if isPair {
            hideRest(upTo: "& \t\r\n\"")
        } else if !isInSentence || !Prose.begins(at: position, in: bytes) {
            hideRest(upTo: "\r\n", isField: isLineStart(start))
        }
    }

    /// Hides an authorization code, which ends the pair of a query or form.
    private mutating func code(from start: Int, isPair: Bool, named name: Int) {
        let begin = isPair ? start : skippingSpace(from: start)
        // What ends a name ends a value, so that no byte is looked at for more than one name of a kind.
        let stops = isPair ? "& \t\r\n\"';,}#<=" : "& \t\r\n\"';,}#<=:"
        let value = bytes[begin...].prefix { !stops.utf8.contains($0) }
        let (before, after) = (
            name > 0 ? bytes[name - 1] : nil, value.endIndex < bytes.count ? bytes[value.endIndex] : nil
        )
        let follows = before.map { "?&#;".utf8.contains($0) } ?? (after == nil || after == UInt8(ascii: "&"))
        guard isPair && follows && AuthorizationCode.mayBe(value) || AuthorizationCode.isLike(value) else {
            return
        }
        copy(to: begin)
        hideValue(to: value.endIndex, with: Redaction.mark)
    }

    /// Whether a word or a path precedes on the same line: then a colon ends a clause instead of a header
    /// name.
    private func follows(wordBefore start: Int) -> Bool {
        var index = start
        while index > 0, " \t".utf8.contains(bytes[index - 1]) { index -= 1 }
        guard index > 0 else { return false }
        return bytes[index - 1] == UInt8(ascii: "/") || index < start && Self.isWord(bytes[index - 1])
    }

    private func isProse(at index: Int) -> Bool { isSentence && Prose.begins(at: index, in: bytes) }

    /// Redacts the value of a JSON member.
    private mutating func hideValue() {
        guard position < bytes.count else { return }
        hideValue(to: endOfValue(from: position), with: "\"\(Redaction.mark)\"")
    }

    /// Redacts the value of a pair or header line; a leading quoted string or JSON container is redacted as
    /// a whole.
    /// - Parameter isField: Whether lines that begin with a blank continue the value (RFC 9112 section 5.2).
    private mutating func hideRest(upTo stops: String, isField: Bool = false) {
        var stop = position
        if stop < bytes.count, "\"'{[".utf8.contains(bytes[stop]) { stop = endOfValue(from: stop) }
        while stop < bytes.count {
            if stops.utf8.contains(bytes[stop]) {
                guard isField, stop > position, let next = continuation(at: stop) else { break }
                stop = next
            }
            stop += 1
        }
        if stop > position { hideValue(to: stop, with: Redaction.mark) }
    }

    /// Returns the text with secrets redacted; `nil` if there are none. Content nested too deeply is
    /// redacted entirely.
    mutating func redactedInside(_ text: [UInt8]) -> String? {
        guard text.contains(where: { "=:%\\<".utf8.contains($0) }) || SecretShape.mayBeToken(text) else {
            return nil
        }
        guard layers > 0 else { return Redaction.mark }
        var scanner = SecretScanner(
            text, redaction: redaction, layers: layers - 1, isSentence: isSentence)
        let inside = scanner.redacted()
        found += scanner.found
        return inside == text ? nil : String(decoding: inside, as: UTF8.self)
    }

    /// Returns the index of the blank with which a line continues the field that ends here; `nil` if none does.
    private func continuation(at end: Int) -> Int? {
        let next = bytes[end...].prefix(2).starts(with: "\r\n".utf8) ? end + 2 : end + 1
        return next < bytes.count && " \t".utf8.contains(bytes[next]) ? next : nil
    }

    /// Returns the index after `:`, `=` or the arrow `=>` of PHP and Ruby.
    private func afterSeparator(at index: Int) -> Int {
        bytes[index...].starts(with: "=>".utf8) ? index + 2 : index + 1
    }

    private func isSeparator(at index: Int) -> Bool {
        index < bytes.count && (bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "="))
    }

    mutating func copy(to end: Int) {
        let end = min(end, bytes.count)
        guard end > position else { return }
        output += bytes[position..<end]
        position = end
    }

    mutating func hideValue(to end: Int, with mark: String) {
        if end > position { found.append(bytes[position..<end]) }
        hide(to: end, with: mark)
    }

    mutating func hide(to end: Int, with mark: String) {
        output += Array(mark.utf8)
        position = end
    }

    func skippingSpace(from start: Int) -> Int {
        var index = start
        while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
        return index
    }

    private func endOfString(from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
            } else if bytes[index] == bytes[start] {
                return index + 1
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// Returns the end of a JSON value, or of the text if the value is incomplete.
    private func endOfValue(from start: Int) -> Int {
        guard bytes[start] != UInt8(ascii: "'") else { return endOfString(from: start) }
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = endOfString(from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","): if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    static func isWord(_ byte: UInt8) -> Bool { words[Int(byte)] }

    private static let words: [Bool] = (0...255).map { (byte: UInt8) -> Bool in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: "_-.%+[]~!*$()@".utf8.contains(byte)
        }
    }
}
