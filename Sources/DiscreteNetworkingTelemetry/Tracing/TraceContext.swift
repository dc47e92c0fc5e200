/// What programs send each other about a trace (W3C Trace Context): its ID, the ID of the span that goes on, and whether it is
/// recorded.
///
/// ```swift
/// // In a server that calls other backends, for the length of one request:
/// let incoming = TraceContext(traceparent: header)
/// try await TraceContext.$current.withValue(incoming) {
///     try await OrderManager().load(with: ["id": 7])
/// }
/// ```
///
/// Source: <https://www.w3.org/TR/trace-context/> and <https://www.w3.org/TR/baggage/>.
public struct TraceContext: Sendable, Hashable {
    /// The context that calls of the current task continue; `nil` to begin a trace with each call.
    @TaskLocal public static var current: TraceContext?

    /// The ID of the trace: 32 lowercase hexadecimal digits, not all zero.
    public let traceID: String
    /// The ID of a span: 16 lowercase hexadecimal digits, not all zero.
    public let spanID: String
    /// Whether the trace is recorded.
    public let isSampled: Bool
    /// What tracing systems pass on, as it came; `nil` if there is nothing.
    public let tracestate: String?
    /// Names and values that the app passes on to the services that it calls. Only services with
    /// ``Tracer/Propagation/traceAndBaggage`` receive them.
    public var baggage: [String: String] = [:]

    /// Begins a trace.
    public init(isSampled: Bool = true) {
        self.init(
            traceID: Self.digits(2), spanID: Self.digits(1), isSampled: isSampled, tracestate: nil,
            baggage: [:])
    }

    /// Reads a context from header fields.
    /// - Returns: `nil` if `traceparent` is not valid, and a new trace begins (section 4.3).
    public init?(traceparent: String, tracestate: String? = nil) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Self.isHexadecimal(parts[0], 2), parts[0] != "ff",
            // A later version may have further parts.
            parts.count == 4 || parts[0] != "00",
            Self.isHexadecimal(parts[1], 32), parts[1].contains(where: { $0 != "0" }),
            Self.isHexadecimal(parts[2], 16), parts[2].contains(where: { $0 != "0" }),
            Self.isHexadecimal(parts[3], 2), let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        self.init(
            traceID: String(parts[1]), spanID: String(parts[2]), isSampled: flags & 1 == 1,
            tracestate: tracestate.flatMap { Self.isState($0) ? $0 : nil }, baggage: [:])
    }

    private init(
        traceID: String, spanID: String, isSampled: Bool, tracestate: String?, baggage: [String: String]
    ) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.tracestate = tracestate
        self.baggage = baggage
    }

    /// The value of the header field `traceparent`.
    public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// Returns the context of a new span inside this one.
    public func child() -> TraceContext {
        TraceContext(
            traceID: traceID, spanID: Self.digits(1), isSampled: isSampled, tracestate: tracestate,
            baggage: baggage)
    }

    // MARK: Baggage

    /// The value of the header field `baggage`; `nil` if there is none. Names that are no tokens are left out, and what is
    /// beyond 64 members or 8,192 bytes, which receivers need not take.
    var baggageField: String? {
        var field = ""
        var count = 0
        for (name, value) in baggage.sorted(by: { $0.key < $1.key }) where count < 64 && Self.isToken(name) {
            let member = "\(field.isEmpty ? "" : ",")\(name)=\(Self.encoded(value))"
            guard field.utf8.count + member.utf8.count <= 8192 else { continue }
            field += member
            count += 1
        }
        return field.isEmpty ? nil : field
    }

    /// Percent-encodes all but the characters that a value may have.
    private static func encoded(_ value: String) -> String {
        value.utf8.map { byte in
            switch byte {
            case 0x21, 0x23...0x24, 0x26...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E:
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    // MARK: IDs

    /// Returns 16 random digits for each word, not all zero.
    private static func digits(_ words: Int) -> String {
        (0..<words).map { _ in
            let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private static func isHexadecimal(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }

    /// Whether a field is worth passing on: printable ASCII, of a size that receivers take.
    private static func isState(_ field: String) -> Bool {
        !field.isEmpty && field.utf8.count <= 512 && field.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
