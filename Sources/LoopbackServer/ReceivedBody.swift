import Foundation

/// The body of a request: always counted and compared, optionally kept.
struct ReceivedBody {
    let isKept: Bool
    private(set) var data = Data()
    private(set) var count = 0
    private(set) var isPattern = true

    init(isKept: Bool) { self.isKept = isKept }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        isPattern = isPattern && BytePattern.matches(bytes, at: count)
        count += bytes.count
        if isKept { data.append(contentsOf: bytes) }
    }
}
