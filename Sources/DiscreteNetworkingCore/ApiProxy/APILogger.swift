import DiscreteNetworkingSupport
import Foundation

/// Logs the calls of a proxy. Nothing is logged unless a logger is added.
///
/// ```swift
/// ApiProxy.shared.addObserver(APILogger(.summary))
/// // storefront/products/detail #12 GET 200, 1532 bytes, 84.2 ms
/// ```
///
/// Writes to `os.Logger` on Apple platforms, to standard error on Linux, or to a custom sink. Secrets are
/// redacted (see ``Redaction``), and control characters are escaped to prevent log forging.
public struct APILogger: APICallObserver {
    /// The level of detail.
    public enum Detail: Sendable {
        /// One line per call, when it ends. It also says why a cache or a request in flight was of no use, if the app can do
        /// something about it: `…, not in the cache: header X-Trace differs`.
        case summary
        /// Additionally each request as a cURL command, each response with header fields and the beginning
        /// of its body, and every repeat and interception.
        case full
    }

    private let detail: Detail
    private let redaction: Redaction
    private let sink: @Sendable (String) -> Void

    /// Creates a logger.
    /// - Parameter sink: Receives one line per event, on any thread.
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
        case .started, .sent, .decoded: break
        case _ where detail == .summary: break
        case .waiting(let wait): sink("\(name(event)) waits for \(wait)")
        case .joined: sink("\(name(event)) joined an identical request")
        case .requestBuilt(let request):
            let redaction = redaction.hiding(event.call.secrets)
            sink("\(name(event)) > \(Self.escaped(request.curlCommand(redaction: redaction)))")
        case .received(let response):
            sink("\(name(event)) < \(text(of: response, redaction.hiding(event.call.secrets)))")
        case .repeated(let seconds, let error):
            sink("\(name(event)) again after \(seconds) s: \(Self.escaped(error.explanation))")
        case .failedOver(let failed, let next, let error):
            sink(
                "\(name(event)) fails over from \(Self.escaped("\(failed)")) to \(Self.escaped("\(next)")): \(Self.escaped(error.explanation))"
            )
        case .servedFromCache(let age):
            sink("\(name(event)) from cache, \(Int(min(max(age, -2e9), 2e9))) s old")
        case .notInCache, .notShared: sink("\(name(event)) \(redacted("\(event.kind)", of: event))")
        case .recovered(let error):
            sink("\(name(event)) recovered from \(Self.escaped(error.explanation))")
        case .failed(let error, let disposition):
            sink("\(name(event)) \(disposition): \(Self.escaped(error.explanation))")
        }
    }

    /// The default sink: `os.Logger` on Apple platforms (subsystem `DiscreteNetworking`, level `notice`;
    /// long lines are split into numbered messages, because unified logging truncates them), standard error
    /// elsewhere.
    public static let standardSink: @Sendable (String) -> Void = { SystemLog.write($0) }

    private func name(_ event: APICallEvent) -> String {
        Self.escaped(
            "\(event.call.serviceIdentifier)/\(event.call.endpoint(redaction)) \(event.call.requestID)\(event.call.isSample ? " (sample)" : "")"
        )
    }

    private func summary(of event: APICallEvent, _ error: APIError?) -> String {
        let time = String(format: "%.1f ms", event.elapsed * 1000)
        let result =
            error.map { "\(Self.escaped($0.explanation)) (\(time))" } ?? "\(Self.answer(event)), \(time)"
        // The full log has had a line for each.
        let misses = detail == .summary ? event.end?.misses ?? [] : []
        let reasons = misses.isEmpty ? "" : ", " + redacted(misses.joined(separator: "; "), of: event)
        return "\(name(event)) \(event.call.requestType) \(result)\(reasons)"
    }

    /// The status of a success, and the size of its body if that is in memory.
    private static func answer(_ event: APICallEvent) -> String {
        guard let response = event.end?.response else { return "ok" }
        guard response.recovery == nil else { return "recovered" }
        return event.call.isTransfer
            ? "\(response.status)" : "\(response.status), \(response.body.count) bytes"
    }

    private func redacted(_ text: String, of event: APICallEvent) -> String {
        Self.escaped(redaction.hiding(event.call.secrets).redacted(text: text))
    }

    private func text(of response: APIResponse, _ redaction: Redaction) -> String {
        guard !response.hidesBody else {
            return "HTTP \(response.status), \(response.body.count) bytes that are not shown"
        }
        let headers = redaction.redacted(response.headers).map { "\($0.name): \($0.value)" }
        // Enough for what is shown, also of a text in UTF-32, which has four bytes a character.
        let beginning = response.body.prefix(8 * Self.bodyLimit)
        let readable =
            redaction == .none ? beginning : beginning.searchable(as: response.headers["Content-Type"])
        let text = readable ?? Data(Redaction.mark.utf8)
        // Cut after that: half a secret is not found.
        let body = redaction.redacted(beginningOf: text, limit: 2 * Self.bodyLimit).text.prefix(
            Self.bodyLimit)
        let cut = text.count > Self.bodyLimit ? "…" : ""
        return Self.escaped(
            "HTTP \(response.status), \(response.body.count) bytes [\(headers.joined(separator: "; "))] \(String(decoding: body, as: UTF8.self))\(cut)"
        )
    }

    private static let bodyLimit = 4096

    /// Escapes a text to a single line in display order.
    private static func escaped(_ text: String) -> String { text.escapingControlCharacters() }
}
