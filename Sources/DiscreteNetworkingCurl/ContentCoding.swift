#if os(Linux)
    import CCodings
    import Foundation

    /// Undoes one content coding of one body (RFC 9110 section 8.4).
    final class ContentCoding {
        private static let kinds: [(name: String, kind: Int32)] = [
            ("gzip", Int32(CCODING_GZIP)), ("deflate", Int32(CCODING_DEFLATE)), ("br", Int32(CCODING_BROTLI)),
            ("zstd", Int32(CCODING_ZSTD)),
        ]

        /// What a request says that it takes; `nil` where no library is there.
        static let accepted: String? = {
            let names = kinds.filter { ccoding_is_available($0.kind) != 0 }.map(\.name)
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }()

        /// The most codings of one body. One is usual; each more multiplies what a few bytes can stand for.
        static let limit = 2

        /// The kinds of a `Content-Encoding`, in the order in which they are undone; none where one of them is
        /// not known, because then the body is passed on as it is.
        /// - Throws: ``TransportError`` where there are more than ``limit``.
        static func kinds(of headers: HTTPFields) throws(TransportError) -> [Int32] {
            guard let value = headers["Content-Encoding"] else { return [] }
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

        /// How many bytes a body that must decode to at most so many may have itself: a coding adds little to
        /// what it cannot shorten.
        static func codedLimit(_ limit: Int) -> Int {
            let (sum, isEndless) = limit.addingReportingOverflow(limit / 64 + 64 * 1024)
            return isEndless ? .max : sum
        }

        /// Undoes all codings of a body in memory, piece by piece, so that other tasks have their turn.
        /// - Throws: ``TransportError``: `.responseTooLarge` where the body has more than `limit` bytes, or one of
        ///   its codings stands for far more; `.cancelled` when the task is; what ``decode(_:)`` throws.
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
        /// Bytes of input since the last byte of output.
        private var idleInput = 0

        init(_ kind: Int32) throws(TransportError) {
            guard let coding = ccoding_new(kind) else {
                throw TransportError(.badResponse, message: "There is no memory to decode the body.")
            }
            self.coding = coding
        }

        deinit { ccoding_free(coding) }

        private static let roomSize = 64 * 1024
        /// The most bytes of input without a byte of output. No format needs as many; empty gzip members and the
        /// like could keep a decoder busy for hours.
        private static let idleInputLimit = 1 << 20

        /// Decodes one piece of at most 64 KB and moves the input on.
        /// - Returns: `nil` where more input is wanted, or the body is complete.
        /// - Throws: ``TransportError`` where the bytes are malformed, or too many of them stand for nothing.
        func decode(_ input: inout Data) throws(TransportError) -> Data? {
            if !input.isEmpty { hasBegun = true }
            var piece = Data(count: Self.roomSize)
            while true {
                let (code, taken, written) = step(input, into: &piece)
                input = input.dropFirst(taken)
                idleInput = written > 0 ? 0 : idleInput + taken
                switch Int(code) {
                case CCODING_END:
                    // What follows a complete body is not part of it; a further gzip member may come with the
                    // next bytes, so the end is not final.
                    isComplete = true
                    idleInput += input.count
                    input = Data()
                case CCODING_WANTS_INPUT, CCODING_WANTS_ROOM: isComplete = false
                default:
                    throw TransportError(.badResponse, message: "The body is not in its content coding.")
                }
                guard idleInput <= Self.idleInputLimit else {
                    throw TransportError(
                        .badResponse, message: "The body's content coding goes on without any content.")
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

        /// - Throws: ``TransportError`` where the body was cut off. One of no bytes at all is whole.
        func finish() throws(TransportError) {
            guard isComplete || !hasBegun else {
                throw TransportError(
                    .connectionLost, message: "The body ended in the middle of its content coding.")
            }
        }
    }

    /// Decodes on the reader's side, so that no more is decoded than is read.
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
