package import Foundation

extension JSONDecoder {
    /// Decodes a text of somebody else: as `decode(_:from:)`, but for a number that would end the process.
    ///
    /// Where an integer of 64 bits or more is decoded from a number beyond 2^53, Foundation parses the number as a `Decimal`
    /// too, and stops the process if that fails. It fails where the point is moved by more than 128 places before the
    /// exponent moves it back: `0.000…1e146`, 128 zeros after the point.
    /// - Throws: `DecodingError.dataCorrupted` with the path of such a number, whether it is decoded or not; otherwise the
    ///   error of `decode(_:from:)`.
    package func decode<T: Decodable>(_ type: T.Type, fromUntrusted data: Data) throws -> T {
        try UnscannableNumbers.refuse(in: data)
        return try decode(type, from: data)
    }
}

/// The numbers that Foundation does not survive, and others of their length and size.
package enum UnscannableNumbers {
    /// The length of the shortest that ends the process is 135 characters.
    private static let length = 90
    /// What fits an integer of up to 128 bits and is no exact `Double`, with a bit to spare on either side.
    private static let magnitudes = 0x1p52..<0x1p129

    /// Checks a text.
    /// - Throws: `DecodingError.dataCorrupted` with the path of the first such number. The path is empty where the text is not
    ///   strict JSON in UTF-8, which a `JSONDecoder` may read all the same.
    package static func refuse(in data: Data) throws {
        guard data.withUnsafeBytes(hasLongRun) else { return }
        guard let document = try? JSONDocument(data) else {
            // The bytes of ASCII in UTF-16 and UTF-32, too.
            let text = data.filter { $0 != 0 }
            for run in text.split(whereSeparator: { !isOfNumber($0) })
            where isUnscannable(String(decoding: run, as: UTF8.self)) {
                throw failure(at: [])
            }
            return
        }
        if let place = document.firstNumber(longerThan: length, where: isUnscannable) {
            throw failure(at: place)
        }
    }

    private static func failure(at path: [any CodingKey]) -> DecodingError {
        DecodingError.dataCorrupted(
            .init(
                codingPath: path,
                debugDescription:
                    "The number has more than \(length) characters, of which Foundation cannot read an integer."
            ))
    }

    private static func isUnscannable(_ text: String) -> Bool {
        text.utf8.count > length && Double(text).map { magnitudes.contains($0.magnitude) } ?? true
    }

    /// Whether more than ``length`` bytes in a row may be of one number. Looks at few of the bytes: each such row has one of
    /// each ``length`` in it.
    private static func hasLongRun(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = length
        while index < bytes.count {
            if isOfNumber(bytes[index]) || bytes[index] == 0 {
                var start = index
                while start > 0, isOfNumber(bytes[start - 1]) || bytes[start - 1] == 0 { start -= 1 }
                var end = index
                while end < bytes.count, isOfNumber(bytes[end]) || bytes[end] == 0 { end += 1 }
                if end - start > length { return true }
                index = end
            }
            index += length
        }
        return false
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

extension JSONDocument {
    /// Returns the path of the first number that has a property.
    fileprivate func firstNumber(longerThan length: Int, where matches: (String) -> Bool) -> [any CodingKey]?
    {
        data.withUnsafeBytes { buffer in
            let bytes = JSONBytes(buffer)
            for index in 0..<tape.count where tape[index].isKind(.integer) || tape[index].isKind(.number) {
                let start = tape[index].payload
                let end = bytes.endOfNumber(at: start)
                if end - start > length, matches(bytes.text(start..<end)) { return path(to: index, bytes) }
            }
            return nil
        }
    }

    private func path(to index: Int, _ bytes: JSONBytes) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container != index {
            let isObject = tape[container].isKind(.object)
            var (child, count) = (container + 1, 0)
            while true {
                let value = isObject ? child + 1 : child
                if index < tape.after(value) {
                    let key = tape[child]
                    path.append(
                        isObject ? JSONCodingKey.name(bytes.string(at: key.payload, key.kind)) : .index(count)
                    )
                    container = value
                    break
                }
                child = tape.after(value)
                count += 1
            }
        }
        return path
    }
}
