#if canImport(CCurl)
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

        /// The kinds of a `Content-Encoding`, in the order in which they are undone; none where one of them is
        /// not known, because then the body is passed on as it is.
        static func kinds(of headers: HTTPFields) -> [Int32] {
            guard let value = headers["Content-Encoding"] else { return [] }
            var kinds: [Int32] = []
            for part in value.split(separator: ",") {
                var name = part.trimmingCharacters(in: .whitespaces).lowercased()
                if name.hasPrefix("x-") { name.removeFirst(2) }
                if name.isEmpty || name == "identity" { continue }
                guard let kind = Self.kinds.first(where: { $0.name == name })?.kind,
                    ccoding_is_available(kind) != 0
                else { return [] }
                kinds.append(kind)
            }
            return kinds.reversed()
        }

        private let coding: OpaquePointer
        private var hasBegun = false
        private var isComplete = false

        init(_ kind: Int32) throws(TransportError) {
            guard let coding = ccoding_new(kind) else {
                throw TransportError(.badResponse, message: "There is no memory to decode the body.")
            }
            self.coding = coding
        }

        deinit { ccoding_free(coding) }

        private static let roomSize = 64 * 1024

        /// Decodes some bytes, in pieces that each have their bound.
        /// - Throws: ``TransportError`` where the bytes are malformed, and what `output` throws.
        func decode(
            _ input: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) throws -> Void
        ) throws {
            var rest = input
            while let piece = try decode(&rest) { try piece.withUnsafeBytes(output) }
        }

        /// Decodes one piece and moves the input on.
        /// - Returns: `nil` where more input is wanted, or the body is complete.
        func decode(_ input: inout UnsafeRawBufferPointer) throws(TransportError) -> Data? {
            var piece = Data(count: Self.roomSize)
            while true {
                if !input.isEmpty { hasBegun = true }
                let (code, written) = piece.withUnsafeMutableBytes { room in
                    var from = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    var fromSize = input.count
                    var to = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    var toSize = room.count
                    let code = ccoding_decode(coding, &from, &fromSize, &to, &toSize)
                    input = UnsafeRawBufferPointer(rebasing: input.suffix(fromSize))
                    return (code, room.count - toSize)
                }
                switch Int(code) {
                case CCODING_END:
                    // What follows a complete body is not part of it; a further gzip member may come with the
                    // next bytes, so the end is not final.
                    isComplete = true
                    input = UnsafeRawBufferPointer(rebasing: input.suffix(0))
                case CCODING_WANTS_INPUT, CCODING_WANTS_ROOM: isComplete = false
                default: throw TransportError(.badResponse, message: "The body is not in its content coding.")
                }
                if written > 0 { return piece.prefix(written) }
                if Int(code) != CCODING_WANTS_ROOM { return nil }
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
                if let piece = try step() { return piece }
                guard let data = try await source.next() else {
                    try coding.finish()
                    return nil
                }
                input = data
            }
        }

        private func step() throws -> Data? {
            let (piece, left) = try input.withUnsafeBytes { bytes -> (Data?, Int) in
                var rest = bytes
                let piece = try coding.decode(&rest)
                return (piece, rest.count)
            }
            input = input.suffix(left)
            return piece
        }
    }
#endif
