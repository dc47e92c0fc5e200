import Foundation

/// Writes down what happens to calls. Nothing is logged until somebody adds one.
///
/// ```swift
/// ApiProxy.shared.addObserver(APILogger(.summary))
/// // storefront/products/detail #12 GET 200, 1532 bytes, 84.2 ms
/// ```
///
/// Lines go to `os.Logger` on Apple platforms and to standard error on Linux, or to a sink of one's own.
/// Secrets are hidden (see ``Redaction``), and control characters are escaped, so that no server can forge
/// a line.
public struct APILogger: APICallObserver {
    /// How much is written.
    public enum Detail: Sendable {
        /// One line for each call, when it ends.
        case summary
        /// Also each request as a cURL line, each response with headers and the beginning of its body, and
        /// every repeat and interception.
        case full
    }

    private let detail: Detail
    private let redaction: Redaction
    private let sink: @Sendable (String) -> Void

    /// - Parameter sink: gets one event at a time, on any thread.
    public init(
        _ detail: Detail = .summary, redaction: Redaction = .standard,
        sink: @escaping @Sendable (String) -> Void = APILogger.standardSink
    ) {
        self.detail = detail
        self.redaction = redaction
        self.sink = sink
    }

    public func observe(_ event: APICallEvent) {
        switch event.kind {
        case .finished(let error): sink(summary(of: event, error))
        case .started, .sent: break
        case _ where detail == .summary: break
        case .requestBuilt(let request):
            let redaction = redaction.hiding(event.call.secrets)
            sink("\(name(event)) > \(Self.escaped(request.curlCommand(redaction: redaction)))")
        case .received(let response):
            sink("\(name(event)) < \(text(of: response, redaction.hiding(event.call.secrets)))")
        case .repeated(let seconds, let error):
            sink("\(name(event)) again after \(seconds) s: \(Self.escaped(error.localizedDescription))")
        case .servedFromCache(let age): sink("\(name(event)) from cache, \(Int(age)) s old")
        case .intercepted(let error, let disposition):
            sink("\(name(event)) \(disposition): \(Self.escaped(error.localizedDescription))")
        }
    }

    /// `os.Logger` on Apple platforms (subsystem `DiscreteNetworking`, level `notice`, which is kept; a long line in
    /// numbered messages, because unified logging truncates them), standard error elsewhere.
    public static let standardSink: @Sendable (String) -> Void = { SystemLog.write($0) }

    private func name(_ event: APICallEvent) -> String {
        Self.escaped(
            "\(event.call.serviceIdentifier)/\(event.call.endpoint(redaction)) \(event.call.requestID)")
    }

    private func summary(of event: APICallEvent, _ error: APIError?) -> String {
        let time = String(format: "%.1f ms", event.elapsed * 1000)
        let result = error.map { Self.escaped($0.localizedDescription) } ?? "ok"
        return "\(name(event)) \(event.call.requestType) \(result) (\(time))"
    }

    private func text(of response: APIResponse, _ redaction: Redaction) -> String {
        let headers = redaction.redacted(response.headers).map { "\($0.name): \($0.value)" }
        // Cut after that: half a secret is not found.
        let beginning = response.body.prefix(2 * Self.bodyLimit)
        let body = redaction.redacted(text: String(decoding: beginning, as: UTF8.self)).utf8.prefix(
            Self.bodyLimit)
        let cut = response.body.count > Self.bodyLimit ? "…" : ""
        return Self.escaped(
            "HTTP \(response.status), \(response.body.count) bytes [\(headers.joined(separator: "; "))] \(String(decoding: body, as: UTF8.self))\(cut)"
        )
    }

    private static let bodyLimit = 4096

    /// One line that reads in the order in which it is written, whatever a server or a param put into it.
    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isForgery) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            if isForgery(scalar) {
                line += scalar.escaped(asASCII: true)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }

    /// Control characters, line and paragraph separators, and what changes the direction of writing (UAX #9).
    private static func isForgery(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar.properties.isBidiControl
        default: false
        }
    }
}
