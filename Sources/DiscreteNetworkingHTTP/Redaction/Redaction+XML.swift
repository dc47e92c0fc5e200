import Foundation

// Elements and attributes of XML and HTML whose names are secret, also where a name is in one place and the value in the
// next: `<string name="token">…</string>`, `<key>token</key><string>…</string>`, `<meta name="csrf-token" content="…">`.

extension SecretScanner {
    /// Scans what begins with `<`: a tag, and the element if its name is secret.
    mutating func tag() {
        let start = position
        guard let tag = XMLTag(at: start, in: bytes) else { return copy(to: start + 1) }
        let isNamed = attributes(of: tag)
        copy(to: tag.end)
        if !tag.isEnd, !tag.isEmpty {
            let name = tag.localName
            if ["key", "name"].contains(name.lowercased()), let end = endOfSecretName() {
                hidesNextText = true
                return copy(to: end)
            }
            if redaction.isSecret(param: name) {
                hidesNextText = false
                return element(tag, isInWord: start > 0 && Self.isWord(bytes[start - 1]))
            }
            if isNamed { hidesNextText = true }
        }
        if hidesNextText { nextText() }
    }

    /// Copies the attributes, the values of secret ones redacted.
    /// - Returns: Whether one of them gives the element's text the name of a secret.
    private mutating func attributes(of tag: XMLTag) -> Bool {
        func isNamed(_ attribute: XMLTag.Attribute, by names: Set<String>) -> Bool {
            names.contains(attribute.name.lowercased())
                && redaction.isSecret(param: String(decoding: bytes[attribute.value], as: UTF8.self))
        }
        let names: Set = ["name", "key"]
        let values: Set = ["value", "content"]
        let others = names.union(["id", "type", "property", "field"])
        let isValueSecret = tag.attributes.contains { isNamed($0, by: others) }
        for attribute in tag.attributes {
            let name = attribute.name.lowercased()
            let isName = isNamed(attribute, by: names)
            copy(to: attribute.value.lowerBound)
            guard !attribute.value.isEmpty else { continue }
            if redaction.isSecret(param: attribute.name) && !isName
                || isValueSecret && values.contains(name)
            {
                hideValue(to: attribute.value.upperBound, with: Redaction.mark)
            } else if let inside = redactedInside(XMLEntities.decoded(bytes[attribute.value])) {
                hide(to: attribute.value.upperBound, with: XMLEntities.encode(inside))
            }
        }
        return tag.attributes.contains { isNamed($0, by: names) }
            && !tag.attributes.contains { values.contains($0.name.lowercased()) }
    }

    /// Redacts the content of an element, as far as the text goes if it is cut.
    private mutating func element(_ tag: XMLTag, isInWord: Bool) {
        // `List<Token>` is no element, nor is `<token>` in a sentence.
        let mayBeProse = isSentence || isInWord
        guard !(mayBeProse && lacksEndTag) else { return }
        let end = XMLTag.endOfElement(tag.name, from: position, in: bytes)
        if end == nil {
            lacksEndTag = true
            guard !mayBeProse else { return }
        }
        let stop = end ?? bytes.count
        if stop > position { hideValue(to: stop, with: Redaction.mark) }
    }

    /// The end of the text here, if it is the name of a secret.
    private func endOfSecretName() -> Int? {
        let text = bytes[position...].prefix(129).prefix { $0 != UInt8(ascii: "<") }
        let name = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.count <= 128 && redaction.isSecret(param: name) ? text.endIndex : nil
    }

    /// Redacts the text up to the next tag, unless there is none.
    private mutating func nextText() {
        let begin = skippingSpace(from: position)
        guard begin < bytes.count else { return }
        var end = bytes[begin...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        if end == begin {
            guard bytes[begin...].starts(with: XMLTag.cdata.utf8) else { return }
            end = ByteSearch(Array("]]>".utf8)).end(in: bytes, from: begin) ?? bytes.count
        }
        hidesNextText = false
        copy(to: begin)
        hideValue(to: end, with: Redaction.mark)
    }

    /// Scans XML that is text of XML: `&lt;token&gt;`.
    mutating func escapedMarkup() {
        guard position >= escapedEnd, bytes[position...].starts(with: "&lt;".utf8) else {
            return copy(to: position + 1)
        }
        let text = bytes[position...].prefix { !"<\"\r\n".utf8.contains($0) }
        escapedEnd = text.endIndex
        let decoded = XMLEntities.decoded(text)
        guard let inside = redactedInside(decoded) else { return copy(to: position + 4) }
        hide(to: text.endIndex, with: XMLEntities.encode(inside))
    }
}

/// A value that was hidden, without what it was written in.
enum FoundSecret {
    static func values(_ raw: ArraySlice<UInt8>) -> [String] {
        let text = Array(raw)
        if let json = try? JSONValue(parsing: Data(text)),
            json.string != nil || json.array != nil || json.object != nil
        {
            return strings(in: json)
        }
        let quote = text.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
        let bare = quote == nil ? text[...] : text.dropFirst().dropLast(text.last == quote ? 1 : 0)
        let plain = String(decoding: bare, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        var inside = plain
        if inside.hasPrefix(XMLTag.cdata) {
            inside = String(inside.dropFirst(XMLTag.cdata.count).prefix { $0 != "]" })
        }
        let decoded = [
            String(decoding: PercentEncoding.decoded(inside.utf8), as: UTF8.self),
            String(decoding: XMLEntities.decoded(Array(inside.utf8)[...]), as: UTF8.self),
        ]
        return Array(Set([inside] + decoded))
    }

    private static func strings(in json: JSONValue) -> [String] {
        var (strings, rest) = ([String](), [json])
        while let value = rest.popLast() {
            switch value {
            case .string(let string): strings.append(string)
            case .number(let number): strings.append(number.literal)
            case .array(let elements): rest += elements
            case .object(let members): rest += members.values
            case .null, .bool: break
            }
        }
        return strings
    }
}
