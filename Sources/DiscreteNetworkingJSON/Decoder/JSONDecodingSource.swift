import Foundation

/// What all decoders and containers of one decoding share.
final class JSONDecodingSource {
    let document: JSONDocument
    let options: JSONDecodingOptions
    /// The bytes of the document, lent for as long as the decoding takes, or a copy. Unchecked, as the others below: one task
    /// decodes, and no access lasts while something else runs.
    @exclusivity(unchecked) private(set) var bytes: JSONBytes
    private var copy: UnsafeMutableRawBufferPointer?
    /// Whether something is not certain to be as `JSONDecoder` has it. Never reset: a `try?` hides the error, not the doubt.
    @exclusivity(unchecked) private(set) var isUnsure = false
    /// The number of values that were given to an `init(from:)`.
    @exclusivity(unchecked) var lastSerial: Int32 = 0
    private var camelCases: [String: String] = [:]
    /// The numbers of elements of the arrays that were counted, by their indexes in the tape.
    @exclusivity(unchecked) var elementCounts: [Int32: Int] = [:]
    @exclusivity(unchecked) var types = JSONTypeCache()

    init(_ document: JSONDocument, _ bytes: JSONBytes, _ options: JSONDecodingOptions) {
        self.document = document
        self.options = options
        self.bytes = bytes
    }

    deinit { copy?.deallocate() }

    /// Copies the bytes for a decoder that was kept beyond the decoding.
    func keepBytes() {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyMemory(from: bytes.buffer(0..<bytes.count))
        self.copy = copy
        bytes = JSONBytes(UnsafeRawBufferPointer(copy))
    }

    /// Returns an error to leave the decoding with.
    @inline(never)
    func unsure() -> any Error {
        isUnsure = true
        return JSONDecodingDoubt()
    }

    /// Returns an error to leave the decoding with at a number that does not fit its type.
    func misfit(_ number: String, _ type: any Any.Type, _ path: [any CodingKey]) -> any Error {
        isUnsure = true
        let text = number.utf8.count <= 40 ? number : "\(number.prefix(40))…"
        return JSONNumberMisfit(
            error: .dataCorrupted(
                .init(
                    codingPath: path,
                    debugDescription: "Parsed JSON number <\(text)> does not fit in \(type).")))
    }

    /// Returns a key as `.convertFromSnakeCase` converts it. A text has few different keys.
    func camelCase(_ key: String) -> String {
        if let known = camelCases[key] { return known }
        let converted = JSONDecoder.KeyDecodingStrategy.camelCase(key)
        if camelCases.count < 1000 { camelCases[key] = converted }
        return converted
    }
}

/// Never seen by a user: `JSONDecoder` decodes again.
private struct JSONDecodingDoubt: Error {}

/// What is thrown instead of the error of `JSONDecoder`, which says only that the text is not valid, where it throws one, too.
struct JSONNumberMisfit: Error {
    let error: DecodingError
}
