import Foundation

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingCurl
@testable import DiscreteNetworkingHTTP
@testable import DiscreteNetworkingJSON
@testable import DiscreteNetworkingTransfers

extension FuzzTarget {
    private struct Reading: Equatable {
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var retry: Int?
        var isTooLong = false
    }

    private static func read(_ pieces: [Data]) -> Reading {
        var (reading, splitter, parser) = (Reading(), LineSplitter(limit: 200), EventParser(limit: 300))
        do {
            for piece in pieces {
                splitter.append(piece)
                while let line = try splitter.next() {
                    if let event = try parser.take(line) { reading.events.append(event) }
                }
            }
        } catch {
            reading.isTooLong = true
        }
        (reading.lastEventID, reading.retry) = (parser.lastEventID, parser.retry)
        return reading
    }

    /// Events are the same wherever the pieces are cut that they come in.
    static let events = FuzzTarget(name: "events") { data in
        let size = 1 + Int(data.first ?? 0) % 13
        let text = Data(data.dropFirst())
        let pieces = stride(from: 0, to: text.count, by: size).map {
            Data(text[$0..<min($0 + size, text.count)])
        }
        let (whole, cut) = (read([text]), read(pieces))
        try expect(whole == cut, "\(whole) in pieces of \(size): \(cut)")
    }

    /// The values of header fields.
    static let fields = FuzzTarget(name: "fields") { data in
        let text = String(decoding: data, as: UTF8.self)
        if let range = ContentRange(text), let bounds = range.bounds {
            try expect(0...bounds.upperBound ~= bounds.lowerBound, "\(bounds)")
            try expect(bounds.upperBound < range.total ?? .max, "\(range)")
        }
        let seconds = RetryAfter.seconds(
            in: ["Retry-After": text], now: Date(timeIntervalSince1970: 1_700_000_000))
        try expect(seconds.map { $0 >= 0 } ?? true, "Retry-After of \(seconds as Any)")
        for challenge in AuthenticationChallenge.all(in: text) {
            try expect(HTTPToken.isValid(challenge.scheme), challenge.scheme)
        }
        if let date = RFC3339.date(from: text) {
            let written = RFC3339.text(of: date)
            // Written to the millisecond, so that what is finer is lost once.
            let again = written.flatMap(RFC3339.date(from:)).flatMap(RFC3339.text(of:))
            try expect(written != nil && again == written, "\(text) is \(written ?? "nil")")
        }
        _ = (CacheFileName(text), PublicKeyPin.digest(text))
        _ =
            TransportResponse(
                url: URL(string: "https://example.com")!, status: 200,
                headers: ["Content-Length": text, "Content-Encoding": text]
            ).contentLength
    }

    /// The head of a response, line by line as libcurl gives it.
    static let head = FuzzTarget(name: "head") { data in
        var head = CurlHead()
        for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
            Data(line + [0x0A]).withUnsafeBytes { head.append($0) }
        }
        if case .length(let length)? = try? head.framing(head.bodyFields) {
            try expect(length >= 0, "a length of \(length)")
        }
        try expect(0...999 ~= head.status, "status \(head.status)")
        for field in head.headers { try expect(!field.value.utf8.contains(0x0A), field.value) }
    }

    /// A body in one to three content codings; the first byte says in which. What it decodes to is read up to a
    /// bound, as a caller's limit does.
    static let contentCoding = FuzzTarget(name: "contentCoding") { data in
        #if os(Linux)
            let names = ["gzip", "deflate", "br", "zstd"]
            guard let first = data.first else { return }
            let codings = [names[Int(first) & 3], names[Int(first >> 2) & 3]].prefix(
                first & 0x80 == 0 ? 1 : 2)
            var input = Data(data.dropFirst())
            let fields: HTTPFields = ["Content-Encoding": codings.joined(separator: ", ")]
            for kind in try ContentCoding.kinds(of: fields) {
                guard let coding = try? ContentCoding(kind) else { return }
                var output = Data()
                do throws(TransportError) {
                    while output.count < 1 << 18, let piece = try coding.decode(&input) { output += piece }
                    try coding.finish()
                } catch {
                    try expect(error.kind == .badResponse || error.kind == .connectionLost, "\(error)")
                }
                input = output
            }
        #endif
    }
}
