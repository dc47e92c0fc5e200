import Foundation

/// Refuses property lists that `PropertyListDecoder` must not see: it reads them by recursion, so that one that is nested deeply
/// enough, or contains itself, ends the process.
struct PropertyListNesting {
    /// As for JSON.
    private static let limit = JSONWalker.depthLimit

    private struct Failure: Error { let reason: String }

    /// - Throws: `DecodingError`.
    static func check(_ data: Data) throws {
        do {
            if data.starts(with: Array("bplist0".utf8)) {
                try BinaryList(data).check()
            } else {
                try checkXML(data)
            }
        } catch let failure as Failure {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: failure.reason))
        }
    }

    private static func tooDeep() -> Failure {
        Failure(reason: "The property list is nested more than \(limit) levels deep.")
    }

    // MARK: XML

    private static func checkXML(_ data: Data) throws {
        // UTF-16 has zeros between the letters of tags.
        var bytes = data.lazy.filter { $0 != 0 }.makeIterator()
        var (depth, isXML) = (0, false)
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "<") else { continue }
            isXML = true
            var tag: [UInt8] = []
            var last: UInt8 = 0
            while let next = bytes.next(), next != UInt8(ascii: ">") {
                if tag.count < 7 { tag.append(next) }
                last = next
            }
            let name = String(
                decoding: tag.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            switch name {
            case "array", "dict": depth += last == UInt8(ascii: "/") ? 0 : 1
            case "/array", "/dict": depth -= 1
            default: break
            }
            guard depth <= limit else { throw tooDeep() }
        }
        // The oldest form, of NeXT, is nested by brackets, and no server sends it.
        guard isXML else { throw Failure(reason: "The data is neither an XML nor a binary property list.") }
    }

    // MARK: Binary

    /// The objects of a binary property list: a table of offsets, and for each container the numbers of its elements.
    private struct BinaryList {
        private let bytes: [UInt8]
        private let offsets: Int
        private let (offsetSize, referenceSize, count, top): (Int, Int, Int, Int)
        /// The nesting of an object, once known; -1 while it is looked at.
        private var heights: [Int: Int] = [:]
        /// References so far. Containers may lie over one another, so that few bytes would have any number of them.
        private var references = 0

        init(_ data: Data) throws {
            let bytes = Array(data)
            self.bytes = bytes
            let trailer = bytes.count - 32
            guard trailer >= 8 else { throw Self.damaged }
            (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
            func number(_ place: Int) throws -> Int { try Self.number(bytes, trailer + place, 8) }
            (count, top, offsets) = (try number(8), try number(16), try number(24))
            guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, top < count, count <= bytes.count,
                offsets <= trailer, count <= (trailer - offsets) / offsetSize
            else { throw Self.damaged }
        }

        private static let damaged = Failure(reason: "The binary property list is damaged.")

        /// Returns a big-endian number.
        private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) throws -> Int {
            guard place >= 0, size <= bytes.count, place <= bytes.count - size else { throw damaged }
            let value = bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard value < UInt64(Int32.max) else { throw damaged }
            return Int(value)
        }

        func check() throws {
            var walk = self
            _ = try walk.height(of: top, at: 1)
        }

        private mutating func height(of object: Int, at depth: Int) throws -> Int {
            guard depth <= limit else { throw tooDeep() }
            if let height = heights[object] {
                guard height >= 0 else { throw Failure(reason: "The property list contains itself.") }
                guard depth + height <= limit else { throw tooDeep() }
                return height
            }
            heights[object] = -1
            var height = 0
            for element in try elements(of: object) {
                height = max(height, try self.height(of: element, at: depth + 1) + 1)
            }
            heights[object] = height
            return height
        }

        private mutating func elements(of object: Int) throws -> [Int] {
            guard object < count else { throw Self.damaged }
            var place = try Self.number(bytes, offsets + object * offsetSize, offsetSize)
            guard place < bytes.count else { throw Self.damaged }
            let marker = bytes[place]
            place += 1
            guard [0xA, 0xB, 0xC, 0xD].contains(marker >> 4) else { return [] }
            var length = Int(marker & 15)
            if length == 15 {
                guard place < bytes.count, bytes[place] >> 4 == 1, bytes[place] & 15 <= 3 else {
                    throw Self.damaged
                }
                let size = 1 << Int(bytes[place] & 15)
                length = try Self.number(bytes, place + 1, size)
                place += 1 + size
            }
            if marker >> 4 == 0xD { length *= 2 }
            references += length
            guard references <= bytes.count else { throw Self.damaged }
            return try (0..<length).map { try Self.number(bytes, place + $0 * referenceSize, referenceSize) }
        }
    }
}
