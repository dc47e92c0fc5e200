package import Foundation

/// Locates values in a JSON text without building them.
///
/// It opens an envelope so that only the content is decoded, with any decoder:
///
/// ```swift
/// // {"code":0,"msg":"","content":{…}}
/// if let range = try JSONLocator(data).locate("content") {
///     let content = try JSONDecoder().decode(Content.self, from: data[range])
/// }
/// ```
///
/// The whole text is validated with the same grammar as ``JSONValue/init(parsing:)-(Data)``, with the same
/// result: the last of equal keys counts, and keys are compared as Swift strings.
package struct JSONLocator: Sendable {
    private let bytes: [UInt8]
    private let firstIndex: Int

    /// Creates a locator for data. The ranges found are indices of this `Data`, which may be a slice.
    package init(_ data: Data) {
        bytes = [UInt8](data)
        firstIndex = data.startIndex
    }

    /// Creates a locator for bytes. The ranges found are indices of the array.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        firstIndex = 0
    }

    /// Returns the range of the value at a path, without surrounding whitespace; `nil` if there is none.
    /// - Throws: ``JSONError`` if the text is not JSON, before or after the value.
    package func locate(_ path: JSONPath) throws(JSONError) -> Range<Int>? {
        try locate(all: [path])[0]
    }

    /// Returns the ranges of the values at several paths, in one pass; `nil` for each that is absent.
    /// - Throws: ``JSONError`` if the text is not JSON.
    package func locate(all paths: [JSONPath]) throws(JSONError) -> [Range<Int>?] {
        var search = JSONSearch(bytes, paths)
        try search.run()
        return search.found.map { range in
            range.map { $0.lowerBound + firstIndex..<$0.upperBound + firstIndex }
        }
    }
}

/// One pass of a ``JSONLocator``.
private struct JSONSearch {
    private struct Component {
        let text: String
        let bytes: [UInt8]
        let isASCII: Bool
        let index: Int?

        init(_ text: String) {
            self.text = text
            bytes = [UInt8](text.utf8)
            isASCII = bytes.allSatisfy { $0 < 0x80 }
            index = JSONPath.index(text)
        }
    }

    /// An open container that is part of a path. Other containers are skipped without a frame, so the
    /// number of frames equals the number of matched components.
    private struct Frame {
        let start: Int
        /// The paths that end at this container.
        let ending: [Int]
        /// The paths that continue inside it.
        let inside: [Int]
        let isObject: Bool
        var nextIndex = 0
    }

    private(set) var found: [Range<Int>?]
    private let paths: [[Component]]
    private var walker: JSONWalker
    private var frames: [Frame] = []

    init(_ bytes: [UInt8], _ paths: [JSONPath]) {
        walker = JSONWalker(bytes)
        self.paths = paths.map { $0.components.map(Component.init) }
        found = Array(repeating: nil, count: paths.count)
    }

    mutating func run() throws(JSONError) {
        var matching = Array(paths.indices)
        while true {
            let event = try walker.next()
            switch event {
            case .end: return
            case .endObject, .endArray:
                let frame = frames.removeLast()
                for path in frame.ending { found[path] = frame.start..<walker.lexer.position }
            case .key(let token):
                let depth = frames.count - 1
                matching = frames[depth].inside.filter { isKey(token, paths[$0][depth]) }
            case .beginObject, .beginArray, .string, .number, .bool, .null:
                if let last = frames.indices.last, !frames[last].isObject {
                    let index = frames[last].nextIndex
                    frames[last].nextIndex += 1
                    matching = frames[last].inside.filter { paths[$0][last].index == index }
                }
                try visit(event, matching)
            }
        }
    }

    private mutating func visit(_ event: JSONEvent, _ matching: [Int]) throws(JSONError) {
        let start = walker.start
        // Discards the match of an earlier duplicate key.
        for path in matching { found[path] = nil }
        let ending = matching.filter { paths[$0].count == frames.count }
        let inside = matching.filter { paths[$0].count > frames.count }
        switch event {
        case .beginObject, .beginArray:
            if inside.isEmpty {
                try skipContainer()
            } else {
                let isObject = if case .beginObject = event { true } else { false }
                frames.append(Frame(start: start, ending: ending, inside: inside, isObject: isObject))
                return
            }
        default: break
        }
        for path in ending { found[path] = start..<walker.lexer.position }
    }

    private mutating func skipContainer() throws(JSONError) {
        var depth = 1
        while depth > 0 {
            switch try walker.next() {
            case .beginObject, .beginArray: depth += 1
            case .endObject, .endArray: depth -= 1
            default: break
            }
        }
    }

    private func isKey(_ token: JSONLexer.StringToken, _ component: Component) -> Bool {
        if !token.isEscaped {
            if walker.lexer.bytes[token.content].elementsEqual(component.bytes) { return true }
            if token.isASCII && component.isASCII { return false }
        }
        // Equal strings may differ in bytes, by escapes or by Unicode normalization.
        return walker.lexer.text(of: token) == component.text
    }
}
