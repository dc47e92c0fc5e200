package import Foundation

/// A JSON text with an index of its tokens.
///
/// The text is read once, however many of its values are located, parsed and decoded. The index refers to the bytes by
/// their offsets, and takes at most twice their memory.
///
/// ```swift
/// // {"code":0,"msg":"","content":{…}}
/// let document = try JSONDocument(data)
/// if let content = document.value(at: "content") {
///     let range = document.range(of: content)
/// }
/// ```
package final class JSONDocument: Sendable {
    /// A value of a document.
    package struct Value: Sendable {
        let index: Int
    }

    package let data: Data
    let tape: JSONTape

    /// Indexes a text. All of it is validated with the grammar of ``JSONValue/init(parsing:)-(Data)``.
    /// - Throws: ``JSONError`` if it is not JSON.
    package init(_ data: Data) throws(JSONError) {
        self.data = data
        var found: JSONTape?
        var failure: JSONError?
        data.withUnsafeBytes { buffer in
            do throws(JSONError) {
                found = try JSONWalker.tape(of: JSONBytes(buffer))
            } catch {
                failure = error
            }
        }
        guard let tape = found.take() else {
            throw failure
                ?? JSONError(
                    in: JSONBytes(UnsafeRawBufferPointer(start: nil, count: 0)), at: 0, expected: "a value")
        }
        self.tape = tape
    }

    /// The outermost value.
    package var top: Value { Value(index: 0) }

    /// Returns the value at a path; `nil` if there is none.
    ///
    /// The last of equal keys counts, and keys are compared as Swift strings.
    package func value(at path: JSONPath, in value: Value? = nil) -> Value? {
        let start = value ?? top
        guard !path.components.isEmpty else { return start }
        return data.withUnsafeBytes { buffer in
            let bytes = JSONBytes(buffer)
            var index = start.index
            for component in path.components {
                guard let next = child(of: index, component, bytes) else { return nil }
                index = next
            }
            return Value(index: index)
        }
    }

    /// Returns the members of an object in the order of the text, equal keys included; `nil` for other values.
    package func members(of value: Value) -> [(key: String, value: Value)]? {
        let object = tape[value.index]
        guard object.isKind(.object) else { return nil }
        return data.withUnsafeBytes { buffer in
            let bytes = JSONBytes(buffer)
            var members: [(key: String, value: Value)] = []
            var next = value.index + 1
            while next < object.payload {
                let key = tape[next]
                members.append((bytes.string(at: key.payload, key.kind), Value(index: next + 1)))
                next = tape.after(next + 1)
            }
            return members
        }
    }

    /// Returns the range of a value in the text, without surrounding whitespace. The indices belong to the `Data`,
    /// which may be a slice.
    package func range(of value: Value) -> Range<Int> {
        data.withUnsafeBytes { buffer in
            let bytes = JSONBytes(buffer)
            let start = start(of: value.index, bytes)
            let end = end(of: value.index, from: start, bytes)
            return data.startIndex + start..<data.startIndex + end
        }
    }

    // MARK: Paths

    private func child(of index: Int, _ component: String, _ bytes: JSONBytes) -> Int? {
        let word = tape[index]
        var next = index + 1
        if word.isKind(.object) {
            var found: Int?
            while next < word.payload {
                if isKey(component, at: next, bytes) { found = next + 1 }
                next = tape.after(next + 1)
            }
            return found
        }
        guard word.isKind(.array), var number = JSONPath.index(component) else { return nil }
        while next < word.payload, number > 0 {
            next = tape.after(next)
            number -= 1
        }
        return next < word.payload ? next : nil
    }

    private func isKey(_ name: String, at index: Int, _ bytes: JSONBytes) -> Bool {
        var name = name
        let word = tape[index]
        let isSame = name.withUTF8 { utf8 in
            // A name with a quotation mark would match the bytes behind the end of a key.
            bytes.hasPrefix(utf8, at: word.payload) && bytes[word.payload + utf8.count] == UInt8(ascii: "\"")
                && !utf8.contains(UInt8(ascii: "\""))
        }
        if word.isKind(.plain) {
            // Only a name that is not ASCII can equal it with other bytes.
            return isSame
                || (!name.utf8.allSatisfy { $0 < 0x80 } && bytes.string(at: word.payload, .plain) == name)
        }
        // Equal strings may differ in bytes, by escapes or by Unicode normalization.
        return isSame && word.isKind(.unicode) || bytes.string(at: word.payload, word.kind) == name
    }

    // MARK: Ranges

    // A container's word holds no offset. Between two other tokens are only brackets, commas, colons and whitespace, so
    // that its brackets are found from the token before.

    private func start(of index: Int, _ bytes: JSONBytes) -> Int {
        let word = tape[index]
        guard word.isContainer else { return word.isString ? word.payload - 1 : word.payload }
        var token = index - 1
        while token >= 0, tape[token].isContainer { token -= 1 }
        var position = token >= 0 ? end(of: token, from: start(of: token, bytes), bytes) : 0
        var brackets = index - token
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "[") { brackets -= 1 }
            if brackets == 0 { return position }
            position += 1
        }
        return position
    }

    private func end(of index: Int, from start: Int, _ bytes: JSONBytes) -> Int {
        let word = tape[index]
        switch word.kind {
        case .plain, .unicode, .escaped: return bytes.endOfString(at: word.payload, word.kind) + 1
        case .integer, .number: return bytes.endOfNumber(at: start)
        case .yes, .null: return start + 4
        case .no: return start + 5
        case .object, .array: break
        }
        var token = word.payload - 1
        while token > index, tape[token].isContainer { token -= 1 }
        var position = start
        var depth = 0
        if token > index {
            position = end(of: token, from: self.start(of: token, bytes), bytes)
            depth = (index..<token).reduce(0) {
                $0 + (tape[$1].isContainer && tape[$1].payload > token ? 1 : 0)
            }
        }
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { break }
        }
        return position
    }
}
