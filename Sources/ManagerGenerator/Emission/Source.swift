/// Swift text as `swift format` leaves it: four spaces, 110 columns.
struct Source {
    static let width = 110

    private var lines: [String] = []
    private var depth: Int

    init(depth: Int = 0) { self.depth = depth }

    var text: String { lines.joined(separator: "\n") + "\n" }

    private var indentation: String { String(repeating: " ", count: depth * 4) }

    /// The number of lines.
    var count: Int { lines.count }
    /// The number of bytes.
    var size: Int { lines.reduce(0) { $0 + $1.utf8.count + 1 } }

    mutating func add(_ other: Source) { lines += other.lines }

    func followed(by other: Source) -> Source {
        var both = self
        both.space()
        both.add(other)
        return both
    }

    /// One line, as it is.
    mutating func add(_ line: String) { lines.append(line.isEmpty ? "" : indentation + line) }

    /// An empty line, but never two, and none after an opening brace.
    mutating func space() {
        if let last = lines.last, !last.isEmpty, !last.hasSuffix("{") { lines.append("") }
    }

    mutating func block(_ head: String, _ content: (inout Source) -> Void) {
        add(head + " {")
        depth += 1
        content(&self)
        depth -= 1
        add("}")
    }

    /// Lines that stand farther to the right.
    mutating func indented(_ content: (inout Source) -> Void) {
        depth += 1
        content(&self)
        depth -= 1
    }

    /// `case 1, 2:`, in several lines where one is too long.
    mutating func cases(_ patterns: [String]) {
        var line = indentation + "case"
        for (index, pattern) in patterns.enumerated() {
            let word = pattern + (index < patterns.count - 1 ? "," : ":")
            if index > 0, line.count + 1 + word.count > Self.width {
                lines.append(line)
                line = indentation + "    " + word
            } else {
                line += " " + word
            }
        }
        lines.append(line)
    }

    /// `head(item, item)tail`, or an item a line where that is too long.
    mutating func list(_ head: String, _ items: [Item], _ tail: String) {
        let line = head + items.map(\.text).joined(separator: ", ") + tail
        if fits(line) || items.isEmpty { return add(line) }
        // The last element of a collection has a comma, too; the last argument has none.
        let isCollection = head.hasSuffix("[") && items.count > 1
        add(head)
        for (index, item) in items.enumerated() {
            let comma = index < items.count - 1 || isCollection ? "," : ""
            if item.elements.isEmpty || indentation.count + 4 + item.text.count + comma.count <= Self.width {
                lines.append(indentation + "    " + item.text + comma)
            } else {
                lines.append(indentation + "    " + item.head)
                let separator = item.elements.count == 1 ? "" : ","
                lines += item.elements.map { indentation + "        " + $0 + separator }
                lines.append(indentation + "    " + item.tail + comma)
            }
        }
        add(tail)
    }

    /// Something between commas; a collection may be broken into its elements.
    struct Item: ExpressibleByStringInterpolation {
        let head: String
        var elements: [String] = []
        var tail = ""

        init(stringLiteral value: String) { head = value }
        init(_ text: String) { head = text }
        init(_ head: String, _ elements: [String], _ tail: String) {
            self.head = head
            self.elements = elements
            self.tail = tail
        }

        var text: String { head + elements.joined(separator: ", ") + tail }
    }

    mutating func list(_ head: String, _ items: [String], _ tail: String) {
        list(head, items.map { Item($0) }, tail)
    }

    /// Whether a line is short enough here.
    func fits(_ line: String) -> Bool { indentation.count + line.count <= Self.width }

    /// A type: what it conforms to goes on in the next line where that is too long.
    mutating func type(_ head: String, _ conformances: [String], _ content: (inout Source) -> Void) {
        let line = "\(head): \(conformances.joined(separator: ", "))"
        if fits(line + " {") {
            add(line + " {")
        } else {
            var line = indentation + head + ":"
            for (index, name) in conformances.enumerated() {
                let word = index < conformances.count - 1 ? name + "," : name
                if line.count + 1 + word.count > Self.width {
                    lines.append(line)
                    line = indentation + "    " + word
                } else {
                    line += (line.last == " " ? "" : " ") + word
                }
            }
            lines.append(line)
            add("{")
        }
        depth += 1
        content(&self)
        depth -= 1
        add("}")
    }

    /// A block whose head is a list.
    mutating func block(_ head: String, _ items: [String], _ tail: String, _ content: (inout Source) -> Void)
    {
        list(head, items, tail + " {")
        depth += 1
        content(&self)
        depth -= 1
        add("}")
    }

    /// A constant with JSON of several lines.
    mutating func multiline(_ head: String, _ json: String) {
        let text = Literal.visible(json)
        var marks = "#"
        while text.contains("\"\"\"" + marks) || text.contains("\\" + marks) { marks += "#" }
        add(head + " = " + marks + "\"\"\"")
        for line in text.split(separator: "\n") { add("    " + line) }
        add("    \"\"\"" + marks)
    }

    /// A documentation comment, broken into lines.
    mutating func documentation(_ text: String?) {
        guard let text else { return }
        for line in Self.wrapped(text, width: Self.width - indentation.count - 4) {
            add(line.isEmpty ? "///" : "/// " + line)
        }
    }

    /// A comment, broken into lines.
    mutating func comment(_ text: String) {
        for line in Self.wrapped(text, width: Self.width - indentation.count - 3) {
            add(line.isEmpty ? "//" : "// " + line)
        }
    }

    /// Removes invisible and bidirectional control characters, so that a reviewer sees what the compiler reads.
    static func visible(_ text: some StringProtocol) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value ? " " : scalar
                }
                .filter { !$0.isInvisible || $0.joinsCharacters }))
    }

    /// Lines of at most this width, without empty ones at the ends.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = visible(paragraph).split(whereSeparator: \.isWhitespace)
            var line = ""
            var count = 0
            for word in words {
                if !line.isEmpty, count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                    count = 0
                }
                count += line.isEmpty ? word.count : 1 + word.count
                line += line.isEmpty ? String(word) : " " + word
            }
            if !line.isEmpty || lines.last?.isEmpty == false { lines.append(line) }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
