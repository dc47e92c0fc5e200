/// Takes the content out of a response's body, and checks that the body ends as its framing says.
///
/// libcurl checks it too, but reads malformed lengths and chunks as it sees fit.
struct FramedBody {
    /// How the end is found; `nil` if the response has no body.
    private let framing: ResponseFraming?
    private var chunks: ChunkedCoding
    /// The number of content bytes so far.
    private var size: Int64 = 0

    /// - Parameter trailerLimit: The maximum size of the trailers in bytes.
    init(_ framing: ResponseFraming? = nil, trailerLimit: Int = 0) {
        self.framing = framing
        chunks = ChunkedCoding(trailerLimit: trailerLimit)
    }

    /// Returns the next bytes of content, and removes what it has read from the input.
    /// - Returns: `nil` if there is no more; what is left of the input does not belong to the response.
    /// - Throws: ``TransportError`` of kind `.badResponse` if the chunks are malformed.
    mutating func next(in input: inout UnsafeRawBufferPointer) throws(TransportError)
        -> UnsafeRawBufferPointer?
    {
        if framing == .chunked { return try chunks.next(in: &input) }
        guard !input.isEmpty else { return nil }
        defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
        size += Int64(input.count)
        return input
    }

    /// The error of a body that has ended too early or too late; `nil` if it is complete.
    var error: TransportError? {
        switch framing {
        case nil, .untilClose: return nil
        case .chunked: if chunks.isComplete { return nil }
        case .length(let length):
            if size == length { return nil }
            if size > length {
                return TransportError(.badResponse, message: "The body is longer than its declared length.")
            }
        }
        return .interrupted
    }
}
