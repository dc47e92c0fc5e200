/// The `token` of RFC 9110 section 5.6.2: what a method or a header's name is made of.
enum HTTPToken {
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { allowed[Int($0)] }
    }

    private static let allowed: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in "!#$%&'*+-.^_`|~".utf8 { table[Int(byte)] = true }
        for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { table[Int(byte)] = true }
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { table[Int(byte)] = true }
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { table[Int(byte)] = true }
        return table
    }()
}
