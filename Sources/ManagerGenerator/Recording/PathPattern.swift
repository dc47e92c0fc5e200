import Foundation

/// A path with places for what changes from call to call.
struct PathPattern: Hashable {
    let text: String
    let names: [String]
    /// The path as the user wrote it; `nil` if it is made from a call.
    private var template: PathTemplate?

    /// - Parameter endsInSlash: Whether a slash follows the last segment, which some servers insist on.
    init(_ segments: [String], endsInSlash: Bool) {
        var names: [String] = []
        var registry = NameRegistry()
        var before = ""
        let path = segments.map { segment -> String in
            guard Self.isIdentifier(segment) else {
                before = segment
                return "/" + segment
            }
            let words =
                before.isEmpty ? ["id"] : Words.singular(Words.split(before)).filter { $0 != "item" } + ["id"]
            let name = registry.unique(Words.lowerCamel(words))
            names.append(name)
            return "/{\(name)}"
        }
        .joined()
        text = path + (endsInSlash || path.isEmpty ? "/" : "")
        self.names = names
    }

    init(_ template: PathTemplate) {
        text = template.text
        names = template.names
        self.template = template
    }

    /// What stands at the places.
    func values(in segments: [String]) -> [String] {
        template.map { $0.values(in: segments) ?? [] } ?? segments.filter(Self.isIdentifier)
    }

    /// Whether a text is the number of a thing rather than a word: digits, a UUID, a long hexadecimal number.
    static func isIdentifier(_ text: String) -> Bool {
        if !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            return true
        }
        if UUID(uuidString: text) != nil { return true }
        return text.count >= 16 && text.allSatisfy(\.isHexDigit) && text.contains(where: \.isNumber)
    }
}

/// A path of recorded calls that the user names: `/contents/{path}`, and with `{path+}` for any number of segments.
struct PathTemplate: Hashable {
    fileprivate enum Segment: Hashable {
        case literal(String)
        case one(String)
        case several(String)
    }

    private let segments: [Segment]

    /// - Throws: ``GeneratorError`` if it is no such path.
    init(_ text: String) throws(GeneratorError) {
        func fault() -> GeneratorError {
            GeneratorError("--path needs a path such as /contents/{path} or /files/{path+}, not \(text).")
        }
        guard text.hasPrefix("/") else { throw fault() }
        var segments: [Segment] = []
        for part in text.split(separator: "/") {
            guard part.hasPrefix("{"), part.hasSuffix("}") else {
                guard !part.contains(where: { "{}?#".contains($0) }) else { throw fault() }
                segments.append(.literal(String(part).removingPercentEncoding ?? String(part)))
                continue
            }
            let isSeveral = part.hasSuffix("+}")
            let name = String(part.dropFirst().dropLast(isSeveral ? 2 : 1))
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) }) else {
                throw fault()
            }
            segments.append(isSeveral ? .several(name) : .one(name))
        }
        self.segments = segments
        guard Set(names).count == names.count, segments.dropLast().allSatisfy({ !$0.isSeveral }) else {
            throw fault()
        }
    }

    var names: [String] { segments.compactMap(\.name) }

    var text: String {
        segments.isEmpty
            ? "/"
            : segments.map { segment in
                switch segment {
                case .literal(let text): "/" + text
                case .one(let name), .several(let name): "/{\(name)}"
                }
            }
            .joined()
    }

    /// The values of a path; `nil` if it is another one.
    func values(in path: [String]) -> [String]? {
        var rest = path[...]
        var values: [String] = []
        for segment in segments {
            guard let first = rest.first else { return nil }
            switch segment {
            case .literal(let text): guard text == first else { return nil }
            case .one: values.append(first)
            case .several:
                values.append(rest.joined(separator: "/"))
                return values
            }
            rest.removeFirst()
        }
        return rest.isEmpty ? values : nil
    }
}

extension PathTemplate.Segment {
    fileprivate var name: String? {
        switch self {
        case .literal: nil
        case .one(let name), .several(let name): name
        }
    }

    fileprivate var isSeveral: Bool { if case .several = self { true } else { false } }
}
