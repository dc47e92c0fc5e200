import Foundation

/// A tag of XML or HTML: `<name a="1" b='2'>`.
struct XMLTag {
    struct Attribute {
        let name: String
        /// Where its value is, without quotes.
        let value: Range<Int>
    }

    /// The name with its prefix, as bytes.
    let name: ArraySlice<UInt8>
    let attributes: [Attribute]
    /// The index after `>`.
    let end: Int
    /// Whether this is `</name>`.
    let isEnd: Bool
    /// Whether this is `<name/>`.
    let isEmpty: Bool

    /// The name without its prefix.
    var localName: String {
        String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
    }

    /// Parses a tag; returns `nil` where there is none. As XML does not allow `<` in a tag, no byte is looked at for two tags.
    /// - Parameter start: The index of `<`.
    init?(at start: Int, in bytes: [UInt8]) {
        var index = start + 1
        isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
        if isEnd { index += 1 }
        name = bytes[min(index, bytes.count)...].prefix(while: Self.isName)
        guard let first = name.first, first | 0x20 >= 0x61 || first == UInt8(ascii: "_") else { return nil }
        index = name.endIndex
        guard index < bytes.count, " \t\r\n/>".utf8.contains(bytes[index]) else { return nil }
        var attributes: [Attribute] = []
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): return nil
            case UInt8(ascii: ">"):
                isEmpty = bytes[index - 1] == UInt8(ascii: "/")
                self.attributes = attributes
                end = index + 1
                return
            case let byte where Self.isName(byte):
                guard let attribute = Self.attribute(&index, bytes) else { continue }
                attributes.append(attribute)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): index += 1
            case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ">"):
                index += 1
            default: return nil
            }
        }
        return nil
    }

    /// Parses a name, and a value if there is one, which HTML allows without quotes.
    private static func attribute(_ index: inout Int, _ bytes: [UInt8]) -> Attribute? {
        let name = bytes[index...].prefix(while: isName)
        index = name.endIndex
        let equals = bytes[index...].prefix(while: isSpace).endIndex
        guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { return nil }
        index = bytes[(equals + 1)...].prefix(while: isSpace).endIndex
        let quote = index < bytes.count && "\"'".utf8.contains(bytes[index]) ? bytes[index] : nil
        if quote != nil { index += 1 }
        let value = bytes[index...].prefix { byte in
            byte != UInt8(ascii: "<")
                && (quote.map { byte != $0 } ?? !(isSpace(byte) || byte == UInt8(ascii: ">")))
        }
        index = value.endIndex
        if quote != nil, index < bytes.count, bytes[index] == quote { index += 1 }
        return Attribute(
            name: String(decoding: name, as: UTF8.self), value: value.startIndex..<value.endIndex)
    }

    /// Returns the index of the end tag of an element; `nil` if there is none.
    /// - Parameter start: The index after its start tag.
    static func endOfElement(_ name: ArraySlice<UInt8>, from start: Int, in bytes: [UInt8]) -> Int? {
        var depth = 1
        var index = start
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            if bytes[open...].starts(with: cdata.utf8) {
                index = ByteSearch(Array("]]>".utf8)).end(in: bytes, from: index) ?? bytes.count
                continue
            }
            let isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
            let rest = bytes[(isEnd ? index + 1 : index)...]
            guard rest.starts(with: name), !(rest.dropFirst(name.count).first.map(isName) ?? true) else {
                continue
            }
            if isEnd {
                depth -= 1
                if depth == 0 { return open }
            } else if XMLTag(at: open, in: bytes)?.isEmpty != true {
                depth += 1
            }
        }
        return nil
    }

    static let cdata = "<![CDATA["

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func isName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || 0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "_-.:@#".utf8.contains(byte)
    }
}

/// The predefined entities of XML, and character references of ASCII.
enum XMLEntities {
    static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
        var output: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&"), let end = rest.prefix(8).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: rest[..<end], as: UTF8.self))
            else {
                output.append(byte)
                continue
            }
            output.append(character)
            rest = rest[(end + 1)...]
        }
        return output
    }

    static func encode(_ text: String) -> String {
        text.utf8.reduce(into: [UInt8]()) { output, byte in
            switch byte {
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            default: output.append(byte)
            }
        }.withText
    }

    private static func character(_ name: String) -> UInt8? {
        switch name {
        case "lt": UInt8(ascii: "<")
        case "gt": UInt8(ascii: ">")
        case "amp": UInt8(ascii: "&")
        case "quot": UInt8(ascii: "\"")
        case "apos": UInt8(ascii: "'")
        case _ where name.hasPrefix("#x"):
            UInt8(name.dropFirst(2), radix: 16).flatMap { $0 < 0x80 ? $0 : nil }
        case _ where name.hasPrefix("#"): UInt8(name.dropFirst()).flatMap { $0 < 0x80 ? $0 : nil }
        default: nil
        }
    }
}

extension [UInt8] {
    fileprivate var withText: String { String(decoding: self, as: UTF8.self) }
}
