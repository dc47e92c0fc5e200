/// Finds a sequence of bytes in time linear in the text, for all texts (Knuth, Morris and Pratt, 1977).
struct ByteSearch {
    private let pattern: [UInt8]
    /// For each beginning of the pattern, the length of the longest beginning that is also its end.
    private let borders: [Int]

    /// - Parameter pattern: not empty.
    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        var borders = [0]
        borders.reserveCapacity(pattern.count)
        for index in pattern.indices.dropFirst() {
            var length = borders[index - 1]
            while length > 0, pattern[length] != pattern[index] { length = borders[length - 1] }
            borders.append(pattern[length] == pattern[index] ? length + 1 : 0)
        }
        self.borders = borders
    }

    /// Returns the length of the beginning of the pattern that ends with another byte.
    private func next(_ matched: Int, _ byte: UInt8) -> Int {
        var length = matched
        while length > 0, length == pattern.count || pattern[length] != byte { length = borders[length - 1] }
        return pattern[length] == byte ? length + 1 : 0
    }

    /// Returns where the pattern ends next; `nil` if it does not occur any more.
    func end(in text: [UInt8], from start: Int) -> Int? {
        var matched = 0
        var index = start
        while index < text.count {
            if matched == 0, text[index] != pattern[0] {
                index += 1
                continue
            }
            matched = next(matched, text[index])
            index += 1
            if matched == pattern.count { return index }
        }
        return nil
    }

    func contains(in text: [UInt8]) -> Bool { end(in: text, from: 0) != nil }

    /// Returns the number of bytes at the end of a text that are a beginning of the pattern.
    func lengthOfBeginning(endingIn text: [UInt8]) -> Int {
        text.suffix(pattern.count).reduce(0, next)
    }
}
