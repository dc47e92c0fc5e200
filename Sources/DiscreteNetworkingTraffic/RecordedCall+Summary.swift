import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingJSON
import Foundation

extension RecordedCall {
    /// The call in a list, without headers and bodies.
    func summary(_ redaction: Redaction) -> JSONValue {
        let redaction = hidingSecrets(redaction)
        let last = exchanges.last
        var value: [String: JSONValue] = [
            "id": .number(JSONNumber(requestID.rawValue)), "revision": .number(JSONNumber(revision)),
            "date": HTTPArchive.milliseconds(date.timeIntervalSince1970), "state": .string(state),
            "service": .string("\(call.serviceIdentifier)"), "manager": .string(call.managerType.name),
            "endpoint": .string(Self.short(call.endpoint(redaction))),
            "method": .string(call.requestType.rawValue),
            "bars": .array(exchanges.map(\.bar)),
        ]
        value["url"] = (last?.request).map { .string(Self.short(redaction.redacted($0))) }
        value["status"] = (last?.response).map { .number(JSONNumber($0.status)) }
        value["size"] = (last?.response?.size).map { .number(JSONNumber($0)) }
        value["duration"] = end.map { HTTPArchive.milliseconds($0.elapsed) }
        value["tag"] = (call.tag?.rawValue).map(JSONValue.string)
        value["error"] = (end?.error?.text).map { .string(redaction.redacted(text: $0)) }
        value["errorKind"] = (end?.error?.kind).map(JSONValue.string)
        if steps.contains(where: { $0.name == "servedFromCache" }) { value["isCached"] = true }
        if isSample { value["isSample"] = true }
        if call.renewal != nil { value["isRenewal"] = true }
        return .object(value)
    }

    /// A list of calls shows no more. What is secret is redacted before.
    private static func short(_ text: String) -> String {
        text.utf8.count <= 2048 ? text : String(text.unicodeScalars.prefix(2047)) + "…"
    }
}

extension RecordedExchange {
    /// The start, the end and the status, for a waterfall.
    fileprivate var bar: JSONValue {
        [
            HTTPArchive.milliseconds(start), end.map(HTTPArchive.milliseconds) ?? .null,
            .number(JSONNumber(response?.status ?? 0)),
        ]
    }
}
