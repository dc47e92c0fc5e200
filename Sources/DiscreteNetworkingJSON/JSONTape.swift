import Foundation

/// The tokens of a JSON text, one word of 32 bits for each, in the order of the text.
///
/// A word has four bits for the kind. The others hold the offset of the first byte of a string or number, or, for a
/// container, the index after its last word, so that a container can be skipped. In an object, keys and values
/// alternate. No token of a text is shorter than a byte and its separator, so that the words take at most twice the
/// memory of the text.
struct JSONTape: ~Copyable, @unchecked Sendable {
    /// What a word stands for. Strings come first, and containers last.
    enum Kind: UInt32 {
        /// A string without escapes that equals no string with other bytes: ASCII, and ideographs of U+4000 to U+9FFF,
        /// which have no canonical decomposition.
        case plain
        /// Another string without escapes.
        case unicode
        case escaped
        /// A number without fraction and exponent.
        case integer
        case number
        case yes
        case no
        case null
        case object
        case array
    }

    struct Word {
        let bits: UInt32

        @inline(__always) var kind: Kind { Kind(rawValue: bits >> 28) ?? .null }
        @inline(__always) var isString: Bool { bits < Kind.integer.rawValue << 28 }
        @inline(__always) var isContainer: Bool { bits >= Kind.object.rawValue << 28 }
        /// The offset in the text, or the index of the next word.
        @inline(__always) var payload: Int { Int(bits & 0x0FFF_FFFF) }
        @inline(__always) func isKind(_ kind: Kind) -> Bool { bits >> 28 == kind.rawValue }
    }

    /// The largest text, in bytes: what 28 bits can count.
    static let sizeLimit = 0x0FFF_FFFF

    private var words: UnsafeMutablePointer<UInt32>
    private var capacity: Int
    private(set) var count = 0

    init(textSize: Int) {
        capacity = textSize <= 1024 ? textSize / 2 + 4 : textSize / 8 + 64
        words = Self.resized(nil, to: capacity)
    }

    deinit { free(words) }

    /// Returns the token at an index, which must be in bounds.
    subscript(index: Int) -> Word {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            // In bounds: checked in the line above, and `count` is at most `capacity`.
            return Word(bits: words[index])
        }
    }

    @inline(__always)
    mutating func append(_ kind: Kind, _ payload: Int) {
        if count == capacity { grow() }
        // In bounds: `count` is less than `capacity`.
        words[count] = kind.rawValue << 28 | UInt32(truncatingIfNeeded: payload) & 0x0FFF_FFFF
        count += 1
    }

    @inline(__always)
    mutating func replace(_ index: Int, _ kind: Kind, _ payload: Int) {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        // In bounds: checked in the line above.
        words[index] = kind.rawValue << 28 | UInt32(truncatingIfNeeded: payload) & 0x0FFF_FFFF
    }

    /// The index after a value.
    @inline(__always)
    func after(_ index: Int) -> Int {
        let word = self[index]
        return word.isContainer ? word.payload : index + 1
    }

    // Large blocks are moved by the kernel without a copy.
    @inline(never)
    private mutating func grow() {
        capacity += capacity / 2 + 8
        words = Self.resized(words, to: capacity)
    }

    private static func resized(
        _ words: UnsafeMutablePointer<UInt32>?, to capacity: Int
    ) -> UnsafeMutablePointer<UInt32> {
        guard let block = realloc(words, capacity * MemoryLayout<UInt32>.stride) else {
            fatalError("No memory for the index of a JSON text.")
        }
        return block.bindMemory(to: UInt32.self, capacity: capacity)
    }
}
