#if os(Linux)
    import Foundation

    /// A response as it comes in: its head, then its body without framing, still encoded.
    struct IncomingResponse: ~Copyable {
        /// The maximum total size of header lines of an exchange, in bytes: interim responses, head and
        /// trailers.
        private static let headLimit = 512 * 1024

        private(set) var head = CurlHead()
        /// The content codings of the body, the last applied one last.
        private(set) var codings: [Int32] = []
        /// The body in memory. Empty for a stream.
        private var body = CurlBody()
        private var framedBody = FramedBody()
        /// The total size of all heads and trailers, in bytes.
        private var headSize = 0
        private let isForHead: Bool
        private let isStream: Bool
        /// The maximum size of the body in memory, decoded, in bytes.
        private let limit: Int

        init(to method: HTTPMethod, _ destination: ResponseDestination) {
            isForHead = method == .head
            isStream = destination == .stream
            limit = if case .memory(let limit) = destination { limit } else { .max }
        }

        // MARK: Head

        /// - Returns: Whether the line completes a head. A final one may follow an interim one.
        mutating func append(headerLine line: UnsafeRawBufferPointer) throws(TransportError) -> Bool {
            headSize += line.count
            guard headSize <= Self.headLimit else {
                throw TransportError(
                    .badResponse, message: "The response has more than 512 KB of header and trailer lines.")
            }
            let wasComplete = head.isComplete
            head.append(line)
            guard head.isComplete, !wasComplete else { return false }
            try begin()
            return true
        }

        private mutating func begin() throws(TransportError) {
            body = CurlBody()
            framedBody = FramedBody()
            codings = []
            let fields = head.bodyFields
            let framing = try head.framing(fields)
            guard !isForHead, ![101, 204, 304].contains(head.status) else { return }
            codings = try ContentCoding.kinds(of: fields)
            if case .length(let length) = framing, !isStream {
                guard length <= wireLimit else { throw .tooLarge(limit) }
                body.reserve(Int(clamping: length))
            }
            framedBody = FramedBody(framing, trailerLimit: Self.headLimit - headSize)
        }

        // MARK: Body

        /// The maximum number of body bytes to receive, before decoding.
        private var wireLimit: Int { codings.isEmpty ? limit : ContentCoding.codedLimit(limit) }

        /// Returns the next content in received bytes; `nil` if there is none. Extensions of chunks and trailers are no content.
        mutating func content(
            in bytes: inout UnsafeRawBufferPointer
        ) throws(TransportError) -> UnsafeRawBufferPointer? {
            try framedBody.next(in: &bytes)
        }

        /// Keeps content in memory.
        mutating func keep(_ content: UnsafeRawBufferPointer) throws(TransportError) {
            guard content.count <= wireLimit - body.count else { throw .tooLarge(limit) }
            body.append(content)
        }

        /// Why the response is not complete; `nil` if it is.
        var incompleteness: TransportError? {
            guard head.isComplete else {
                return head.hasBegun
                    ? .interrupted
                    : TransportError(.badResponse, message: "The server's response is malformed or missing.")
            }
            return framedBody.error
        }

        mutating func takeBody() -> Data { body.take() }
    }
#endif
