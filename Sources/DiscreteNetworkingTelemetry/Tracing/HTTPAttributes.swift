import DiscreteNetworkingCore
import Foundation

/// OpenTelemetry's conventions for spans of HTTP clients
/// (<https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client>).
extension TraceSpan {
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "QUERY",
    ]

    mutating func describe(_ request: APIRequest, _ call: APICall, _ redaction: Redaction) {
        let method = request.method.rawValue
        let isKnown = Self.methods.contains(method)
        attributes["http.request.method"] = .string(isKnown ? method : "_OTHER")
        if !isKnown { attributes["http.request.method_original"] = .string(method) }
        attributes["url.full"] = .string(redaction.redacted(request))
        attributes["url.template"] = .string(call.endpointName)
        attributes["url.scheme"] = request.url.scheme.map { .string($0.lowercased()) }
        attributes["server.address"] = request.url.host.map { .string($0) }
        attributes["server.port"] = .number(JSONNumber(request.url.effectivePort))
        if call.attempt > 1 {
            attributes["http.request.resend_count"] = .number(JSONNumber(call.attempt - 1))
        }
        if case .data(let data) = request.body {
            attributes["http.request.body.size"] = .number(JSONNumber(data.count))
        }
    }

    mutating func add(_ response: APIResponse) {
        attributes["http.response.status_code"] = .number(JSONNumber(response.status))
        if let size = response.headers["Content-Length"].flatMap({ Int($0) }) {
            attributes["http.response.body.size"] = .number(JSONNumber(size))
        }
        // `HTTP/1.1`
        if let version = response.metrics?.protocolVersion?.split(separator: "/").last {
            attributes["network.protocol.version"] = .string(String(version))
        }
        guard response.status >= 400 else { return }
        isFailed = true
        attributes["error.type"] = .string(String(response.status))
    }

    /// Says why the work failed, unless a status has.
    mutating func fail(_ error: APIError?) {
        guard let error, !isFailed, attributes["http.response.status_code"] == nil else { return }
        isFailed = true
        failure = error.localizedDescription
        attributes["error.type"] = .string(error.kind.label)
    }
}
