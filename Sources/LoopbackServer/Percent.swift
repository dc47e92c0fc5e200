import Foundation

/// Percent coding as it comes in on the wire; broken escapes stay as they are.
///
/// It works on bytes: a `?` or `&` followed by a combining character is no longer that character.
enum Percent {
    static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String {
        var decoded: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = hex(rest[rest.startIndex]),
                let low = hex(rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// The pairs of `a=1&b=2`, in order.
    static func pairs(_ text: some Collection<UInt8>) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { piece in
            let halves = piece.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (
                decode(halves[0], plusIsSpace: true),
                halves.count > 1 ? decode(halves[1], plusIsSpace: true) : ""
            )
        }
    }

    static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
