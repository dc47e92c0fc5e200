import DiscreteNetworkingCore
import DiscreteNetworkingTraffic
import Foundation
import LoopbackServer

/// What the page does, as far as the app allows it. Each action is a POST with JSON, so that a browser sends none for a page
/// of another origin: the type is not one of a form, and asks before it is sent (Fetch Standard, section 4.8).
///
///     POST /search      {"calls": [12, 13], "texts": ["teapot"]}
///     POST /curl        {"call": 12, "request": 0}
///     POST /replay      {"call": 12, "params": {…}, "headers": {…}}
///     POST /mock        {"service": …, "method": …, "methodName": …, "status": 200, "headers": {…}, "body": "…", "count": 1}
///     POST /throttle    {"service": …, "method": …, "methodName": …, "seconds": 2}
///     POST /rules       {}
struct InspectorActions: Sendable {
    let recorder: TrafficRecorder
    let rules: EndpointRules
    let allowed: Inspector.Abilities

    private static let needs: [String: Inspector.Abilities] = [
        "search": [], "rules": [], "curl": .secrets, "replay": .replay, "mock": .mock, "throttle": .throttle,
    ]

    /// - Returns: `nil` for a path that is no action.
    func response(to request: LoopbackRequest, _ path: String) -> LoopbackResponse? {
        guard let ability = Self.needs[path] else { return nil }
        guard request.method == "POST" else { return .status(405) }
        guard allowed.isSuperset(of: ability) else {
            return .text("The app does not allow this; see Inspector.Abilities.\n", status: 403)
        }
        let type = request.header("Content-Type")?.split(separator: ";").first.map { $0.lowercased() }
        guard type == "application/json" else { return .status(415) }
        guard let body = try? JSONValue(parsing: request.body), case .object = body else {
            return .status(400)
        }
        switch path {
        case "search": return search(body)
        case "curl": return curl(body)
        case "replay": return replay(body)
        case "mock": return mock(body)
        case "throttle": return throttle(body)
        default: return rulesResponse()
        }
    }

    // MARK: Reading

    private func search(_ body: JSONValue) -> LoopbackResponse {
        guard let calls = body["calls"]?.array, let texts = body["texts"]?.array else { return .status(400) }
        let found = recorder.calls(
            among: calls.compactMap(\.uint64), containing: texts.compactMap(\.string))
        return Self.json(["calls": .array(found.map { .number(JSONNumber($0)) })])
    }

    private func curl(_ body: JSONValue) -> LoopbackResponse {
        guard let call = body["call"]?.uint64, let request = body["request"]?.int else { return .status(400) }
        guard let text = recorder.curlWithSecrets(of: call, request: request) else { return .status(404) }
        return Self.json(["curl": .string(text)])
    }

    // MARK: Acting

    private func replay(_ body: JSONValue) -> LoopbackResponse {
        guard let call = body["call"]?.uint64, let headers = Self.headers(body["headers"]) else {
            return .status(400)
        }
        do {
            let id = try recorder.replay(call, params: body["params"], headers: headers)
            return Self.json(["call": .number(JSONNumber(id.rawValue))])
        } catch {
            return .text(error.reason + "\n", status: 409)
        }
    }

    private func mock(_ body: JSONValue) -> LoopbackResponse {
        guard let endpoint = Self.endpoint(body), let count = body["count"]?.int, count >= 0 else {
            return .status(400)
        }
        guard count > 0 else {
            rules.respond(to: endpoint, with: nil)
            return rulesResponse()
        }
        guard let status = body["status"]?.int, 200...599 ~= status, let text = body["body"]?.string,
            let headers = Self.headers(body["headers"])
        else { return .status(400) }
        rules.respond(
            to: endpoint, with: .init(status: status, headers: headers, body: Data(text.utf8), count: count))
        return rulesResponse()
    }

    private func throttle(_ body: JSONValue) -> LoopbackResponse {
        guard let endpoint = Self.endpoint(body), let seconds = body["seconds"]?.double,
            0...Self.longestDelay ~= seconds
        else { return .status(400) }
        rules.delay(endpoint, by: seconds)
        return rulesResponse()
    }

    /// In seconds.
    private static let longestDelay = 600.0

    /// The rules that apply now.
    private func rulesResponse() -> LoopbackResponse {
        let mocks = rules.mocks.map { endpoint, mock in
            endpoint.json.merging([
                "count": .number(JSONNumber(mock.remaining)), "status": .number(JSONNumber(mock.status)),
            ]) { $1 }
        }
        let delays = rules.delays.map { endpoint, seconds in
            endpoint.json.merging(["seconds": JSONNumber(seconds).map(JSONValue.number) ?? 0]) { $1 }
        }
        return Self.json([
            "mocks": .array(mocks.map(JSONValue.object)), "delays": .array(delays.map(JSONValue.object)),
        ])
    }

    // MARK: Values

    private static func json(_ value: JSONValue) -> LoopbackResponse {
        .data(value.canonicalData, type: "application/json")
    }

    private static func endpoint(_ body: JSONValue) -> EndpointRules.Endpoint? {
        guard let service = body["service"]?.string, let method = body["method"]?.string,
            let name = body["methodName"]?.string
        else { return nil }
        return .init(service: service, method: method, methodName: name)
    }

    /// - Returns: `nil` for fields that are invalid.
    private static func headers(_ value: JSONValue?) -> HTTPFields? {
        guard let value else { return [:] }
        guard let members = value.object else { return nil }
        let texts = members.compactMapValues(\.string)
        let isClean = texts.values.allSatisfy {
            $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        guard texts.count == members.count, isClean else { return nil }
        return try? HTTPFields(validating: texts)
    }
}

extension EndpointRules.Endpoint {
    fileprivate var json: [String: JSONValue] {
        ["service": .string(service), "method": .string(method), "methodName": .string(methodName)]
    }
}
