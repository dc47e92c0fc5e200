import Foundation
import LoopbackServer

/// The signature of a request that came to the club.
///
/// A backend has its own code for it: nothing here comes from the client's.
struct ReceivedSignature {
    let sign: String
    let fields: [String: String]

    /// `nil` where there is none, or where a field comes twice.
    init?(of request: LoopbackRequest) {
        var fields: [String: String] = [:]
        for (name, value) in request.query {
            guard fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        guard let sign = fields.removeValue(forKey: "sign") else { return nil }
        self.sign = sign
        self.fields = fields
    }

    func isRight(secret: String) -> Bool {
        let pairs = fields.filter { !$0.value.isEmpty }.map { Array("\($0.key)=\($0.value)".utf8) }
        let sorted = pairs.sorted { $0.lexicographicallyPrecedes($1) }
        let text = sorted.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ";")
        let digest = Self.md5(Array((text + secret).utf8))
        var expected = ""
        for word in 0..<4 {
            var number: Int64 = 0
            for byte in digest[(word * 4)..<(word * 4 + 4)] { number = number * 256 + Int64(byte) }
            if number >= 1 << 31 { number -= 1 << 32 }
            // C: what is less than 0 is taken from 0, in 32 bits.
            expected += String(number == -(1 << 31) ? number : abs(number))
        }
        return Set(fields.keys).isSubset(of: ["cid", "q", "uid"]) && sign == expected
    }

    /// RFC 1321, as it stands there.
    private static func md5(_ message: [UInt8]) -> [UInt8] {
        let table = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
        let turns: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        for shift in 0..<8 { padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> (shift * 8))) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for block in stride(from: 0, to: padded.count, by: 64) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (mixed, word): (UInt32, Int) =
                    switch step / 16 {
                    case 0: (b & c | ~b & d, step)
                    case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), 7 * step % 16)
                    }
                let input = (0..<4).reduce(UInt32(0)) {
                    $0 | UInt32(padded[block + word * 4 + $1]) << ($1 * 8)
                }
                let sum = a &+ mixed &+ table[step] &+ input
                let turn = turns[step / 16][step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
            }
            state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }
}
