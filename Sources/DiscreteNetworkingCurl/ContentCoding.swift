#if os(Linux)
    import CCodings
    import Foundation

    /// Decodes one content coding of a body (RFC 9110 section 8.4).
    final class ContentCoding {
        private static let kinds: [(name: String, kind: Int32)] = [
            ("gzip", Int32(CCODING_GZIP)), ("deflate", Int32(CCODING_DEFLATE)), ("br", Int32(CCODING_BROTLI)),
            ("zstd", Int32(CCODING_ZSTD)),
        ]

        static let field: HTTPFields.Name = "Content-Encoding"

        /// The value of `Accept-Encoding`; `nil` if no library is available.
        static let accepted: String? = {
            let names = kinds.filter { ccoding_is_available($0.kind) != 0 }.map(\.name)
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }()

        /// The maximum number of codings of a body. One is usual; each additional one multiplies the
        /// expansion of a decompression bomb.
        static let limit = 2

        /// Returns the codings of a `Content-Encoding` in decoding order; empty if one of them is unknown,
        /// in which case the body is passed through.
        /// - Throws: ``TransportError`` if there are more than ``limit``.
        static func kinds(of headers: HTTPFields) throws(TransportError) -> [Int32] {
            guard let value = headers[field] else { return [] }
            var kinds: [Int32] = []
            for part in value.split(separator: ",") {
                var name = part.trimmingCharacters(in: .whitespaces).lowercased()
                if name.hasPrefix("x-") { name.removeFirst(2) }
                if name.isEmpty || name == "identity" { continue }
                guard let kind = Self.kinds.first(where: { $0.name == name })?.kind,
                    ccoding_is_available(kind) != 0
                else { return [] }
                guard kinds.count < limit else {
                    throw TransportError(
                        .badResponse, message: "The body has more than \(limit) content codings.")
                }
                kinds.append(kind)
            }
            return kinds.reversed()
        }

        /// Returns the maximum encoded size of a body that decodes to a limit: a coding adds little
        /// overhead.
        static func codedLimit(_ limit: Int) -> Int {
            let (sum, isEndless) = limit.addingReportingOverflow(limit / 64 + 64 * 1024)
            return isEndless ? .max : sum
        }

        /// Decodes all codings of a body in memory, in pieces, yielding to other tasks.
        /// - Throws: ``TransportError``: `.responseTooLarge` if the body exceeds `limit`, or an
        ///   intermediate coding far exceeds it; `.cancelled` if the task is canceled; the errors of
        ///   ``decode(_:)``.
        static func decode(
            _ body: Data, _ kinds: [Int32], limit: Int
        ) async throws(TransportError) -> Data {
            var body = body
            for (index, kind) in kinds.enumerated() {
                let coding = try ContentCoding(kind)
                let isLast = index == kinds.count - 1
                let most = isLast ? limit : codedLimit(limit)
                var (rest, decoded, pieces) = (body, Data(), 0)
                while let piece = try coding.decode(&rest) {
                    guard piece.count <= most - decoded.count else { throw .tooLarge(limit) }
                    decoded.append(piece)
                    pieces += 1
                    if pieces.isMultiple(of: 16) { await Task.yield() }
                    guard !Task.isCancelled else { throw .exchangeCancelled }
                }
                try coding.finish()
                body = decoded
            }
            return body
        }

        private let coding: OpaquePointer
        private var hasBegun = false
        private var isComplete = false
        /// The number of input bytes since the last output byte.
        private var idleInput = 0

        init(_ kind: Int32) throws(TransportError) {
            guard let coding = ccoding_new(kind) else {
                throw TransportError(.badResponse, message: "Out of memory while decoding the body.")
            }
            self.coding = coding
        }

        deinit { ccoding_free(coding) }

        private static let roomSize = 64 * 1024
        /// The maximum number of input bytes without output. No format needs that many; empty gzip members
        /// could keep a decoder busy for hours.
        private static let idleInputLimit = 1 << 20

        /// Decodes a piece of at most 64 KB and advances the input.
        /// - Returns: `nil` if more input is needed or the body is complete.
        /// - Throws: ``TransportError`` if the data is malformed, or too much of it produces no output.
        func decode(_ input: inout Data) throws(TransportError) -> Data? {
            if !input.isEmpty { hasBegun = true }
            var piece = Data(count: Self.roomSize)
            while true {
                let (code, taken, written) = step(input, into: &piece)
                input = input.dropFirst(taken)
                idleInput = written > 0 ? 0 : idleInput + taken
                switch Int(code) {
                case CCODING_END:
                    // Data after the end is ignored. Another gzip member may follow with the next input, so
                    // the end is not final.
                    isComplete = true
                    idleInput += input.count
                    input = Data()
                case CCODING_WANTS_INPUT, CCODING_WANTS_ROOM: isComplete = false
                default:
                    throw TransportError(.badResponse, message: "The body does not match its content coding.")
                }
                guard idleInput <= Self.idleInputLimit else {
                    throw TransportError(
                        .badResponse, message: "The body's content coding produces no content.")
                }
                if written > 0 { return piece.prefix(written) }
                if Int(code) != CCODING_WANTS_ROOM { return nil }
            }
        }

        /// Calls the library once.
        private func step(_ input: Data, into piece: inout Data) -> (
            code: Int32, taken: Int, written: Int
        ) {
            input.withUnsafeBytes { input in
                piece.withUnsafeMutableBytes { room in
                    var from = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    var left = input.count
                    var to = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    var free = room.count
                    let code = ccoding_decode(coding, &from, &left, &to, &free)
                    return (code, input.count - left, room.count - free)
                }
            }
        }

        /// Checks that the body is complete. An empty body is.
        /// - Throws: ``TransportError`` if the body is truncated.
        func finish() throws(TransportError) {
            guard isComplete || !hasBegun else {
                throw TransportError(
                    .connectionLost, message: "The body is truncated within its content coding.")
            }
        }
    }

    /// Decodes a streamed body on the reader's side, so that no more is decoded than is read.
    actor DecodedBody: BodySource {
        private let source: any BodySource
        private let coding: ContentCoding
        private var input = Data()

        init(_ source: any BodySource, kind: Int32) throws(TransportError) {
            self.source = source
            coding = try ContentCoding(kind)
        }

        func next() async throws -> Data? {
            while true {
                if let piece = try coding.decode(&input) { return piece }
                guard let data = try await source.next() else {
                    try coding.finish()
                    return nil
                }
                input = data
            }
        }
    }
#endif
