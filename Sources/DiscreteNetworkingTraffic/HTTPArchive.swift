import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingJSON
import Foundation

/// The format HTTP Archive, version 1.2 (Jan Odvarko and others, "HAR 1.2 Spec").
///
/// A call is a page, what was sent for it are the entries of that page. Names with an underscore are fields of our own, as
/// the specification asks.
enum HTTPArchive {
    static func text(
        of calls: [RecordedCall], _ links: RenewalLinks, _ redaction: Redaction
    ) -> JSONValue {
        var (pages, entries): ([JSONValue], [(date: Date, value: JSONValue)]) = ([], [])
        for call in calls {
            let redaction = call.hidingSecrets(redaction)
            pages.append(page(call, links, redaction))
            entries += call.exchanges.map { ($0.date, entry($0, of: call, redaction)) }
        }
        return [
            "log": [
                "version": "1.2",
                "creator": ["name": "DiscreteNetworking", "version": .string(frameworkVersion)],
                "pages": .array(pages),
                // Sorted by their start, as the specification prefers.
                "entries": .array(entries.sorted { $0.date < $1.date }.map(\.value)),
            ]
        ]
    }

    // MARK: Calls

    private static func page(
        _ call: RecordedCall, _ links: RenewalLinks, _ redaction: Redaction
    ) -> JSONValue {
        let endpoint = "\(call.call.serviceIdentifier)/\(call.call.endpoint(redaction))"
        var page: [String: JSONValue] = [
            "startedDateTime": time(call.date), "id": id(call.requestID),
            "title": .string("\(endpoint) \(call.requestID)"),
            "pageTimings": ["onLoad": call.end.map { milliseconds($0.elapsed) } ?? -1],
            "_requestID": .number(JSONNumber(call.requestID.rawValue)),
            "_service": .string("\(call.call.serviceIdentifier)"),
            "_manager": .string(call.call.managerType.name),
            "_methodName": .string(call.call.methodName),
            "_method": .string(call.call.requestType.rawValue),
            "_params": params(call.call.params, redaction),
            "_state": .string(call.state),
            "_steps": .array(call.steps.map { step($0, links, redaction) }),
        ]
        if !call.misses.isEmpty {
            page["comment"] = .string(redaction.redacted(text: call.misses.joined(separator: " ")))
        }
        page["_tag"] = (call.call.tag?.rawValue).map(JSONValue.string)
        if call.isSample { page["_isSample"] = true }
        page["_waitedFor"] = numbers(call.awaited.flatMap(links.calls(of:)))
        if let renewal = call.call.renewal {
            page["_isRenewal"] = true
            page["_awaitedBy"] = numbers(links.calls(waitingFor: renewal))
        }
        if let business = call.business {
            page["_businessCode"] = .string(redaction.redacted(sentence: business.code))
            page["_businessMessage"] = business.message.map { .string(redaction.redacted(sentence: $0)) }
        }
        if let error = call.end?.error {
            page["_error"] = .string(redaction.redacted(text: error.text))
            page["_errorKind"] = .string(error.kind)
            if let path = call.end?.path, !path.isEmpty {
                page["_errorPath"] = .array(path.map { .string(redaction.redacted(text: $0)) })
            }
        }
        return .object(page)
    }

    /// Returns `nil` instead of no numbers.
    private static func numbers(_ calls: [RequestID]) -> JSONValue? {
        calls.isEmpty ? nil : .array(calls.map { .number(JSONNumber($0.rawValue)) })
    }

    static func id(_ requestID: RequestID) -> JSONValue { .string("call-\(requestID.rawValue)") }

    private static func params(_ params: Params, _ redaction: Redaction) -> JSONValue {
        let text = redaction.redacted(text: params.jsonValue.canonicalText)
        return (try? JSONValue(parsing: Data(text.utf8))) ?? .string(text)
    }

    private static func step(
        _ step: RecordedCall.Step, _ links: RenewalLinks, _ redaction: Redaction
    ) -> JSONValue {
        var value: [String: JSONValue] = ["name": .string(step.name), "time": milliseconds(step.elapsed)]
        value["seconds"] = step.seconds.flatMap(JSONNumber.init).map(JSONValue.number)
        value["text"] = step.text.map { .string(redaction.redacted(text: $0)) }
        value["waitedFor"] = step.awaited.flatMap { numbers(links.calls(of: $0)) }
        return .object(value)
    }

    /// Returns the name of a kind of error, such as `timedOut`; for a transport error, the name of its own kind, such as
    /// `connectionLost`.
    static func name(of kind: APIError.Kind) -> String {
        if case .transport(let error) = kind { return caseName(error.kind) }
        return caseName(kind)
    }

    private static func caseName(_ kind: some Sendable) -> String {
        String(String(describing: kind).prefix { $0 != "(" })
    }

    // MARK: Exchanges

    private static func entry(
        _ exchange: RecordedExchange, of call: RecordedCall, _ redaction: Redaction
    ) -> JSONValue {
        let timings = HARTimings(exchange)
        var entry: [String: JSONValue] = [
            "pageref": id(call.requestID), "startedDateTime": time(exchange.date),
            "time": milliseconds(timings.total), "request": HARMessages.request(exchange, redaction),
            "response": HARMessages.response(exchange, redaction), "cache": [:], "timings": timings.json,
            "_requestID": .number(JSONNumber(call.requestID.rawValue)),
            "_attempt": .number(JSONNumber(exchange.attempt)),
            "_start": milliseconds(exchange.start),
        ]
        if let seconds = exchange.end { entry["_end"] = milliseconds(seconds) }
        if exchange.isShared { entry["_isShared"] = true }
        entry["comment"] = exchange.comment.map { .string(redaction.redacted(text: $0)) }
        entry["_error"] = exchange.error.map { .string(redaction.redacted(text: $0)) }
        if (exchange.uncompressedSize ?? 0) <= 64 << 10 {
            entry["_curl"] = .string(exchange.request.curlCommand(redaction: redaction))
        }
        return .object(entry)
    }

    // MARK: Values

    static func time(_ date: Date) -> JSONValue { .string(RFC3339.text(of: date) ?? "") }

    /// Milliseconds with three digits behind the point.
    static func milliseconds(_ seconds: TimeInterval) -> JSONValue {
        JSONNumber((seconds * 1e6).rounded() / 1e3).map(JSONValue.number) ?? -1
    }
}

extension RecordedCall {
    var state: String { end.map { $0.error == nil ? "succeeded" : "failed" } ?? "running" }

    /// Returns a redaction that also hides the secret values that the call sent, wherever they are.
    func hidingSecrets(_ redaction: Redaction) -> Redaction {
        let secrets =
            exchanges.isEmpty
            ? [CallSecrets(call.params, nil)]
            : exchanges.map { CallSecrets(call.params, $0.request) }
        return redaction.hiding(secrets)
    }
}
