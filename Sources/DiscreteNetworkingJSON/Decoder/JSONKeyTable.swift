/// The members of an object by their keys. The first of equal keys counts.
final class JSONKeyTable {
    private enum Members {
        /// The words of keys that equal no key with other bytes, by a hash of their bytes; -1 in places without one. Hashed
        /// with the seed of the process, so that no text can make keys collide.
        case hashed([Int32])
        /// The words of keys, by the keys as strings.
        case named([String: Int32])
    }

    /// Up to this number of keys, comparing them is faster than hashing.
    private static let linearLimit = 16

    private let members: Members

    /// Returns `nil` for an object with few keys, if none of them equals a key with other bytes.
    static func table(of index: Int, _ source: JSONDecodingSource) -> JSONKeyTable? {
        let end = source.document.tape[index].payload
        var next = index + 1
        var count = 0
        var isPlain = !source.options.convertsSnakeCase
        while next < end {
            isPlain = isPlain && source.document.tape[next].isKind(.plain)
            count += 1
            next = source.document.tape.after(next + 1)
        }
        if isPlain, count <= linearLimit { return nil }
        return JSONKeyTable(isPlain ? hashed(index, count, source) : named(index, count, source))
    }

    private init(_ members: Members) { self.members = members }

    private static func named(_ index: Int, _ count: Int, _ source: JSONDecodingSource) -> Members {
        let end = source.document.tape[index].payload
        var next = index + 1
        var members = [String: Int32](minimumCapacity: count)
        while next < end {
            let word = source.document.tape[next]
            let key = source.bytes.string(at: word.payload, word.kind)
            let name = source.options.convertsSnakeCase ? source.camelCase(key) : key
            if members[name] == nil { members[name] = Int32(next) }
            next = source.document.tape.after(next + 1)
        }
        return .named(members)
    }

    private static func hashed(_ index: Int, _ count: Int, _ source: JSONDecodingSource) -> Members {
        let end = source.document.tape[index].payload
        var next = index + 1
        let mask = (1 << (Int.bitWidth - (count * 2 - 1).leadingZeroBitCount)) - 1
        var slots = [Int32](repeating: -1, count: mask + 1)
        while next < end {
            let start = source.document.tape[next].payload
            let key = source.bytes.buffer(start..<source.bytes.endOfString(at: start, .plain))
            key.withMemoryRebound(to: UInt8.self) { key in
                let slot = slot(of: key, slots, mask, source)
                if slots[slot] < 0 { slots[slot] = Int32(next) }
            }
            next = source.document.tape.after(next + 1)
        }
        return .hashed(slots)
    }

    /// Returns the place of a key, which is empty if there is no such key.
    private static func slot(
        of key: UnsafeBufferPointer<UInt8>, _ slots: [Int32], _ mask: Int, _ source: JSONDecodingSource
    ) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(key))
        var slot = hasher.finalize() & mask
        // Ends, because at least half of the places are empty.
        while slots[slot] >= 0 {
            if source.bytes.isKey(key, at: source.document.tape[Int(slots[slot])].payload) { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    /// Returns the index of a value in the tape.
    func find(_ key: UnsafeBufferPointer<UInt8>, _ source: JSONDecodingSource) -> Int? {
        switch members {
        case .named(let members):
            return members[String(decoding: key, as: UTF8.self)].map { Int($0) + 1 }
        case .hashed(let slots):
            let found = slots[Self.slot(of: key, slots, slots.count - 1, source)]
            return found >= 0 ? Int(found) + 1 : nil
        }
    }

    /// The keys, if they may differ from the keys in the text; otherwise `nil`.
    var names: [String]? {
        if case .named(let members) = members { return Array(members.keys) }
        return nil
    }
}

extension JSONBytes {
    /// Whether a name is the whole key, without escapes, at an index.
    @inline(__always)
    func isKey(_ name: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        // A name with a quotation mark would match the bytes behind the end of a key.
        self[index + name.count] == UInt8(ascii: "\"") && hasPrefix(name, at: index)
            && !name.contains(UInt8(ascii: "\""))
    }
}
